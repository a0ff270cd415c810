// Writes the script that the first press loads: the editor, and as a string the source of a worker
// that runs Python. Called with the folder of Brython's files.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import vm from "node:vm";
import { buildSync } from "esbuild";

// The modules that a program can import, with all that these import. Compiled here: a page would
// take seconds.
const OFFERED = [
  "__future__", "bisect", "collections", "collections.abc", "copy", "fractions", "functools", "heapq",
  "itertools", "math", "operator", "random",
];

const beside = (name) => join(import.meta.dirname, name);
const read = (name) => readFileSync(name, "utf8");
const core = read(join(process.argv[2], "brython.js"));
const { URL, TextDecoder, TextEncoder, performance, setTimeout, crypto, Event } = globalThis;

class WorkerNavigator {}

/** Brython in the globals of a worker, as far as it looks for them. */
const startBrython = () => {
  const quiet = { log() {}, info() {}, warn() {}, debug() {}, error() {} };
  const scope = {
    console: quiet, URL, TextDecoder, TextEncoder, performance, setTimeout, crypto, Event, WorkerNavigator,
    navigator: new WorkerNavigator(), WorkerGlobalScope: class {}, importScripts() {},
    location: { href: "http://localhost/w.js", origin: "http://localhost", pathname: "/w.js" },
    __BRYTHON__: { brython_path: "http://localhost/" }, name: "",
  };
  scope.self = scope;
  vm.createContext(scope);
  // Brython makes up names; the same ones in each build.
  vm.runInContext("{ let k = 0; Math.random = () => (k = (k * 16807 + 11) % 2147483647) / 2147483647; }", scope);
  vm.runInContext(core, scope);
  vm.runInContext(read(join(process.argv[2], "brython_stdlib.js")), scope);
  return scope.__BRYTHON__;
};

const brython = startBrython();
// Of the module decimal, the largest of all, fractions asks only what is no Decimal.
const fractions = brython.VFS.fractions;
const plain = fractions[1].replace("from decimal import Decimal", "class Decimal:pass");
if (plain === fractions[1]) throw new Error("fractions imports decimal in another way");
fractions[1] = plain;

brython.runPythonSource(`import ${OFFERED.join(",")}`, "wanted");
const compiled = { ...brython.precompiled };
const library = {};
for (const name of Object.keys(brython.imported)) {
  const file = brython.VFS[name];
  if (file) library[name] = Object.hasOwn(compiled, name) ? [file[0], "", ...file.slice(2)] : [...file];
}

const boot = `${read(beside("dtviz_run_boot.py"))}
import ${OFFERED.join(",")}
from browser import self as page
page.dtvizRun = run
`;
const worker = [
  // Brython logs what only its authors can use.
  'self.console = Object.fromEntries(["log", "info", "warn", "debug", "error"].map((name) => [name, () => {}]));',
  // A worker made from a Blob has no address that files could be read from.
  'self.__BRYTHON__ = { brython_path: "http://localhost/" };',
  core,
  "__BRYTHON__.use_VFS = true;",
  `__BRYTHON__.update_VFS(${JSON.stringify(library)});`,
  `Object.assign(__BRYTHON__.precompiled, ${JSON.stringify(compiled)});`,
  `self.dtvizBoot = ${JSON.stringify(boot)};`,
  read(beside("dtviz_run_worker.js")),
].join("\n");

const editor = buildSync({
  entryPoints: [beside("dtviz_run_editor.js")], bundle: true, minify: true, write: false, format: "iife",
  target: "es2022", charset: "utf8",
}).outputFiles[0].text;
process.stdout.write(`${editor}\nglobalThis.dtvizPython = ${JSON.stringify(worker)};\n`);
