/* The Worker in which the referee's rules run. Each question is answered by one message with its number. */

import createPyodideModule from "./pyodide.asm.js";
import { loadPyodide } from "./pyodide.js";

const beside = (name) => new URL(name, import.meta.url).href;
const plain = self.fetch.bind(self);

/** A file that lies packed beside this one, as gzip under a name that no web server unpacks by itself. */
async function unpacked(name) {
  const answer = await plain(beside(name));
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { status: answer.status });
}

const library = unpacked("library.pack");
const pack = unpacked("engine.pack").then((answer) => answer.arrayBuffer());

/** Some web servers send .wasm as anything else; WebAssembly would then wait for ever. */
self.fetch = async (address, ...rest) => {
  const name = String(address.url || address);
  if (name === beside("library.zip")) return library;
  const answer = await plain(address, ...rest);
  if (!name.endsWith(".wasm") || answer.headers.get("Content-Type") === "application/wasm") return answer;
  return new Response(answer.body, { status: answer.status, headers: { "Content-Type": "application/wasm" } });
};

async function start() {
  const program = plain(beside("start.py")).then((answer) => answer.text());
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: beside("./"),
    stdLibURL: beside("library.zip"),
    lockFileContents: JSON.stringify({
      info: { arch: "wasm32", platform: "emscripten_5_0_3", version: "314.0.7", python: "3.14.2", abi_version: "2026_0" },
      packages: {},
    }),
    env: { HOME: "/home", RAPIDFUZZ_IMPLEMENTATION: "python" },
  });
  python.globals.set("pack", await pack);
  python.runPython(await program);
  return python.pyimport("referee.page_engine");
}

const bridge = start();

self.onmessage = async ({ data: { number, what, given } }) => {
  try {
    const asked = JSON.stringify(what === "open" ? given[0] : given);
    self.postMessage({ number, said: (await bridge).answer(what, asked) });
  } catch (problem) {
    const fatal = problem.name !== "PythonError";
    const trouble = fatal ? "The rules could not go on." : "The rules could not do this.";
    self.postMessage({ number, trouble, fatal, detail: String(problem.message).slice(-2000) });
  }
};
