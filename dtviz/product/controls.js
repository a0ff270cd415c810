// What is chosen below the pictures: a bias and whose it is, the error allowed, function, view, the draws.

import { besideControl } from "../explorers/static/controls/beside.js";
import { FunctionChooser } from "../explorers/static/controls/chooser.js";
import { SHARE_STEP } from "../explorers/static/computing/constants.js";
import { buttonControl, playControl, rangeControl, transport } from "../explorers/static/controls/controls.js";
import { OWN_KEYS, calm, change, html } from "../explorers/static/hosting/kit.js";
import { landscape } from "../explorers/static/controls/landscape.js";
import { epsilonSlider } from "../explorers/static/controls/level.js";
import { plainControl } from "../explorers/static/controls/settings.js";
import { epsilonText } from "../explorers/static/computing/text.js";
import { biasText } from "./bars.js";
import { alongBias, alongEpsilon } from "./lands.js";
import { movingText } from "./sweep.js";

/**
 * @import { Part } from "../explorers/static/hosting/figure.js"
 * @import { Now, State } from "./state.js"
 */

// Whose bias the slider moves: one variable's, or that of all.
/** @param {State} state */
const whoseBias = ({ moving, moveAll, setOne }) => {
  const root = html("select", { name: "biases", "aria-label": "Whose bias the slider moves", ...OWN_KEYS });
  root.addEventListener("change", () => (root.value === "all" ? moveAll() : setOne(Number(root.value))));
  let shown = "";
  return {
    root,
    /** @param {Now} now */
    draw(now) {
      const at = moving();
      const options = now.p.map((_, i) => [String(i), now.path.nameOf(i)]);
      if (now.p.length > 1) options.unshift(["all", "all"]);
      const isOne = at.length === 1 || at.length === now.p.length;
      // Some share it as the page or a link says.
      if (!isOne) options.push(["some", movingText(at, now)]);
      if (shown !== options.join()) {
        shown = options.join();
        root.replaceChildren(...options.map(([value, text]) => html("option", { value, disabled: value === "some" ? "" : null }, text)));
      }
      root.value = at.length === 1 ? String(at[0]) : isOne ? "all" : "some";
    },
  };
};

// Through all biases in ten seconds, and from the smallest again.
/** @param {State} state */
const sweeping = ({ model, bias, setBias }) =>
  playControl({
    model,
    wait: () => 250,
    advance() {
      const next = Number((bias() + (calm() ? 0.1 : 0.02)).toFixed(2));
      setBias(Math.min(next, 1 - SHARE_STEP));
      return next < 1 - SHARE_STEP ? {} : { playing: false };
    },
  });

/** @type {(state: State) => { parts: Part[], play: ReturnType<typeof sweeping>, draw: (now: Now) => void }} */
export const makeControls = (state) => {
  const { model } = state;
  // Biases of single variables say nothing of those of another function.
  const which = new FunctionChooser({ model, trait: "function", label: "Function", also: { biases: [], splits: null } });
  const [view, samples] = [plainControl(model, "view"), plainControl(model, "samples")];
  const ends = { min: SHARE_STEP, max: 1 - SHARE_STEP, step: SHARE_STEP };
  const bias = rangeControl({ name: "bias", label: "Bias of all, p", ...ends, onInput: state.setBias });
  const whose = whoseBias(state);
  const play = sweeping(state);
  const lands = landscape(bias, { text: biasText, what: "Tested at the root", onPick: state.setBias });
  const epsilons = epsilonSlider(model);
  const errors = landscape(epsilons, { text: epsilonText, onPick: (epsilon) => change(model, { epsilon }) });
  const redraw = () => change(model, { seed: (model.get("seed") + 1) % 1000 });
  const again = buttonControl({ name: "seed", text: "Draw again", onClick: redraw });
  const racing = transport(samples, again);
  const words = { best: "fewest questions on average" };
  const beside = besideControl({ model, keeps: ["function", "bias", "biases", "epsilon", "splits"], words });
  return {
    parts: [
      { name: "bias", root: transport(bias, play, whose), first: true },
      { name: "epsilon", root: epsilons.root, first: true },
      { name: "function", root: which.root },
      view,
      beside,
      { name: "samples", root: racing },
    ],
    play,
    draw(now) {
      racing.hidden = !state.isRace();
      beside.root.hidden = state.isRace();
      beside.draw();
      which.draw();
      view.draw();
      bias.rename(`Bias of ${movingText(state.moving(), now)}, p`);
      bias.set(state.bias(), biasText(state.bias()));
      lands.draw(alongBias(state, now));
      errors.draw(alongEpsilon(state, now));
      whose.draw(now);
      play.draw();
      epsilons.set(now.epsilon, epsilonText(now.epsilon));
      samples.draw();
    },
  };
};
