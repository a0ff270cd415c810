// A page inside a frame of another one, as explorer.static() gives it (srcdoc): it is as high as
// what it shows, and light or dark as the page around it.

export const framed = location.protocol === "about:";

// What the book, JupyterLab and VS Code say of their theme; undefined where the system decides.
/** @type {(outer: Document) => string | undefined} */
const themeOf = ({ documentElement, body }) => {
  if (documentElement.dataset.theme) return documentElement.dataset.theme;
  const light = body.dataset.jpThemeLight ?? { "vscode-light": "true", "vscode-dark": "false" }[body.dataset.vscodeThemeKind ?? ""];
  return light && (light === "true" ? "light" : "dark");
};

export const fitFrame = () => {
  const { frameElement } = globalThis;
  if (!framed || !(frameElement?.ownerDocument)) return; // the page around it belongs to others
  const frame = /** @type {HTMLElement} */ (frameElement);
  const outer = frame.ownerDocument;
  const follow = () => {
    const theme = themeOf(outer);
    if (theme) document.documentElement.dataset.theme = theme;
  };
  follow();
  const watcher = new MutationObserver(follow);
  for (const part of [outer.documentElement, outer.body]) watcher.observe(part, { attributes: true });
  new ResizeObserver(() => {
    frame.style.height = `${document.body.offsetHeight}px`;
  }).observe(document.body);
};
