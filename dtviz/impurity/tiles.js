// All costs side by side: a button each, with a picture and what it says in words.

import { OWN_KEYS, html, put, say } from "../explorers/static/kit.js";

/** @import { Cost } from "./kernel.js" */

/**
 * @template Shown
 * @template {{ canvas: SVGSVGElement, resize: (width: number, height: number) => void, draw: (shown: Shown) => void }} Picture
 * @param {object} options
 * @param {Cost[]} options.costs
 * @param {string} options.label
 * @param {(cost: Cost) => Picture} options.picture
 * @param {(cost: Cost) => void} options.onPick
 */
export const costTiles = ({ costs, label, picture, onPick }) => {
  const tiles = costs.map((cost) => {
    const text = html("span", { class: "dtviz-tile-text" });
    const drawn = picture(cost);
    const name = html("span", { class: "dtviz-tile-name" }, cost);
    const look = { type: "button", class: "dtviz-tile", ...OWN_KEYS };
    const button = html("button", look, name, drawn.canvas, text);
    button.addEventListener("click", () => onPick(cost));
    return { cost, button, text, drawn };
  });
  const buttons = tiles.map(({ button }) => button);
  const root = html("div", { class: "dtviz-tiles", role: "group", "aria-label": label }, ...buttons);
  return {
    root,
    /** @param {(picture: Picture, cost: Cost) => void} act */
    each: (act) => tiles.forEach(({ cost, drawn }) => act(drawn, cost)),
    /** @type {(room: number, columns: number, height: number) => void} */
    resize(room, columns, height) {
      root.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
      const width = Math.floor((room - 10 * (columns - 1)) / columns) - 14;
      for (const { drawn } of tiles) drawn.resize(width, height);
    },
    // shownBy(cost) is what to draw, describe(cost) says it in a few words.
    /** @type {(chosen: Cost, shownBy: (cost: Cost) => Shown, describe: (cost: Cost) => string) => void} */
    draw(chosen, shownBy, describe) {
      for (const { cost, button, text, drawn } of tiles) {
        put(button, "aria-pressed", cost === chosen);
        say(text, describe(cost));
        drawn.draw(shownBy(cost));
      }
    },
  };
};
