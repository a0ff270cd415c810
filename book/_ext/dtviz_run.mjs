// Compiles the part of Brython's standard library that the pages offer, as a browser would when a
// program imports it: that takes seconds, and here it is done once.
//
// Reads { core, library, quick, more } as JSON: the texts of brython.js and brython_stdlib.js, the
// modules to compile, and those to offer as they are. Writes { files, compiled }.

import process from "node:process";
import vm from "node:vm";

const { URL, TextDecoder, TextEncoder, performance, setTimeout, crypto, Event } = globalThis;
let given = "";
for await (const chunk of process.stdin.setEncoding("utf8")) given += chunk;
const { core, library, quick, more } = JSON.parse(given);

class WorkerNavigator {}

/** The globals of a worker, as far as Brython looks for them. */
const worker = () => {
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
  vm.runInContext(library, scope);
  return scope.__BRYTHON__;
};

const brython = worker();
// Of the module decimal, the largest of all, fractions asks only what is no Decimal.
const fractions = brython.VFS.fractions;
const plain = fractions[1].replace("from decimal import Decimal", "class Decimal:pass");
if (plain === fractions[1]) throw new Error("fractions imports decimal in another way");
fractions[1] = plain;

brython.runPythonSource(`import ${quick.join(",")}`, "wanted");
const compiled = { ...brython.precompiled };
const files = {};
for (const name of [...Object.keys(brython.imported), ...more]) {
  const file = brython.VFS[name];
  if (file) files[name] = Object.hasOwn(compiled, name) ? [file[0], "", ...file.slice(2)] : [...file];
}
process.stdout.write(JSON.stringify({ files, compiled }));
