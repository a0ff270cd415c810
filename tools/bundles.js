// Bundles the explorers' modules with esbuild: `make bundles`. What it writes is under version
// control, so that an installation needs no Node.
//
// node tools/bundles.js [PACKAGE [FOLDER]] writes into FOLDER, for each PACKAGE/*/explorer.js, a
// classic script that makes `dtviz.<name>`: { checks, render }. In a notebook a line of
// Python makes it a module. Beside these it writes `host`, which draws the explorers of a built page
// with them, `tree`, which draws the trees of a reader's programs, and `falling`, the dots of the first page.

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { build } from "esbuild";

const root = resolve(process.argv[2] ?? "dtviz");
const folder = resolve(process.argv[3] ?? join(root, "explorers/bundles"));

// Written out: exports under a global name would bring half a kilobyte of helpers.
/** @type {(name: string) => string} */
const explorer = (name) => `
  import "./${name}/explorer.js";
  import "./explorers/static/hosting/share.js";
  import { checks, render } from "./explorers/static/hosting/kit.js";
  (dtviz ||= {}).${name} = { checks, render };
`;

const names = readdirSync(root).filter((name) => existsSync(join(root, name, "explorer.js")));
const entries = {
  ...Object.fromEntries(names.map((name) => [name, explorer(name)])),
  host: 'import "./explorers/static/hosting/host.js";',
  tree: 'export { drawTree } from "./explorers/static/drawing/plain.js";',
  falling: 'export * from "./explorers/static/computing/falls.js"; export * from "./explorers/static/drawing/falling.js";',
};

await Promise.all(
  Object.entries(entries).map(([name, contents]) =>
    build({
      stdin: { contents, resolveDir: root },
      outfile: join(folder, `${name}.js`),
      globalName: ["tree", "falling"].includes(name) ? `dtviz.${name}` : undefined,
      format: "iife",
      banner: { js: '"use strict";var dtviz;' },
      bundle: true,
      minify: true,
      target: "es2022",
      charset: "utf8",
      tsconfigRaw: "{}",
      logLevel: "warning",
    }),
  ),
);
