// What is chosen above the pictures: function, view, the common bias, the error allowed, the draws.

import { besideControls } from "../explorers/static/controls/beside.js";
import { FunctionChooser } from "../explorers/static/controls/chooser.js";
import { SHARE_STEP } from "../explorers/static/computing/constants.js";
import { buttonControl, playControl, rangeControl, transport } from "../explorers/static/controls/controls.js";
import { calm, change } from "../explorers/static/hosting/kit.js";
import { epsilonSlider } from "../explorers/static/controls/level.js";
import { plainControl } from "../explorers/static/controls/settings.js";
import { epsilonText } from "../explorers/static/computing/text.js";
import { biasText } from "./bars.js";
import { namesText } from "./sweep.js";

/**
 * @import { Part } from "../explorers/static/hosting/figure.js"
 * @import { Now, State } from "./state.js"
 */

// Through all biases in ten seconds, and from the smallest again.
/** @param {State} state */
const sweeping = ({ model, setCommon }) =>
  playControl({
    model,
    wait: () => 250,
    advance() {
      const next = Number((model.get("bias") + (calm() ? 0.1 : 0.02)).toFixed(2));
      setCommon(Math.min(next, 1 - SHARE_STEP));
      return next < 1 - SHARE_STEP ? {} : { playing: false };
    },
  });

/** @type {(state: State) => { parts: Part[], play: ReturnType<typeof sweeping>, draw: (now: Now) => void }} */
export const makeControls = (state) => {
  const { model } = state;
  const which = new FunctionChooser({ model, trait: "function", label: "Function" });
  const [view, samples] = [plainControl(model, "view"), plainControl(model, "samples")];
  const ends = { min: SHARE_STEP, max: 1 - SHARE_STEP, step: SHARE_STEP };
  const bias = rangeControl({ name: "bias", label: "Bias of all, p", ...ends, onInput: state.setCommon });
  const play = sweeping(state);
  const epsilons = epsilonSlider(model);
  const redraw = () => change(model, { seed: (model.get("seed") + 1) % 1000 });
  const again = buttonControl({ name: "seed", text: "Draw again", onClick: redraw });
  const racing = transport(samples, again);
  const beside = besideControls({ model, keeps: ["function", "bias", "biases", "epsilon"] });
  beside.root.querySelector("option[value=best]")?.replaceChildren("fewest questions on average");
  return {
    parts: [
      { name: "bias", root: transport(play, bias), first: true },
      { name: "epsilon", root: epsilons.root },
      { name: "function", root: which.root },
      view,
      { name: "beside", root: beside.root },
      { name: "samples", root: racing },
    ],
    play,
    draw(now) {
      racing.hidden = !state.isRace();
      beside.root.hidden = state.isRace();
      beside.draw();
      which.draw();
      view.draw();
      const moving = state.sharing();
      const some = moving.length > 0 && moving.length < now.f.n;
      bias.rename(`Bias of ${some ? namesText(moving, now.path.nameOf) : "all"}, p`);
      bias.set(model.get("bias"), moving.length ? biasText(model.get("bias")) : "mixed");
      play.draw();
      epsilons.set(now.epsilon, epsilonText(now.epsilon));
      samples.draw();
    },
  };
};
