// The host of a built page: gives every explorer on it a model of plain values, and draws it there.

const pageModel = (state) => {
  const handlers = new Map();
  return {
    get: (name) => state[name],
    set(name, value) {
      if (Object.is(state[name], value)) return;
      state[name] = value;
      for (const handler of [...(handlers.get(`change:${name}`) ?? [])]) handler();
    },
    save_changes() {},
    on: (event, handler) => handlers.set(event, [...(handlers.get(event) ?? []), handler]),
    off: (event, handler) =>
      handlers.set(event, (handlers.get(event) ?? []).filter((other) => other !== handler)),
  };
};

const mount = () => {
  for (const data of document.querySelectorAll(".dtviz-explorer > script.dtviz-data")) {
    const el = data.parentElement;
    if (!el.classList.contains("dtviz-live")) {
      render({ model: pageModel(JSON.parse(data.textContent)), el });
    }
  }
};

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mount);
else mount();
