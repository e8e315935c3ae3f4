/* The Worker in which the referee's rules run. Each question is answered by one message with its number.
 *
 * The second time they begin from an image of the memory that this browser keeps: 1 s in place of 3. It rests on a door of the pinned
 * Pyodide that nobody promises, so whatever goes wrong there is a start as the first time. Three things must be as they were when it
 * was made: the C module of the pack is loaded before Python begins, so that its place in memory is the same; the memory is grown
 * before; and the files, which are no part of the memory, are laid out anew. It is dropped when engine.json tells of other rules. */

import createPyodideModule from "./pyodide.asm.js";
import { loadPyodide } from "./pyodide.js";

const beside = (name) => new URL(name, import.meta.url).href;
const plain = self.fetch.bind(self);
const LATER = 2500;

/** A file that lies packed beside this one, as gzip under a name that no web server unpacks by itself. */
async function unpacked(name) {
  const answer = await plain(beside(name));
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { status: answer.status });
}

const library = unpacked("library.pack");
const pack = unpacked("engine.pack").then((answer) => answer.arrayBuffer());
const about = plain(beside("engine.json"), { cache: "no-cache" }).then((answer) => answer.json()).then((told) => told.sha256);
const program = plain(beside("start.py")).then((answer) => answer.text());

/** Some web servers send .wasm as anything else; WebAssembly would then wait for ever. */
self.fetch = async (address, ...rest) => {
  const name = String(address.url || address);
  if (name === beside("library.zip")) return (await library).clone();
  const answer = await plain(address, ...rest);
  if (!name.endsWith(".wasm") || answer.headers.get("Content-Type") === "application/wasm") return answer;
  return new Response(answer.body, { status: answer.status, headers: { "Content-Type": "application/wasm" } });
};

// ---------------------------------------------------------------- the image

/** One image in this browser, under the rules it was made of; null where it cannot be kept. */
function store(mode, act) {
  return new Promise((done) => {
    const asked = indexedDB.open("referee-rules", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("image");
    asked.onerror = () => done(null);
    asked.onsuccess = () => {
      const found = act(asked.result.transaction("image", mode).objectStore("image"));
      found.onsuccess = () => done(found.result ?? null);
      found.onerror = () => done(null);
    };
  }).catch(() => null);
}

async function keptImage() {
  const kept = await store("readonly", (all) => all.get("now"));
  if (kept && kept.of === (await about)) return new Uint8Array(kept.image);
  if (kept) await store("readwrite", (all) => all.delete("now"));
  return null;
}

/** Pyodide's module with the files of the pack laid out and its C module loaded before Python begins. */
function module(all, image) {
  const begin = 4 + new DataView(all.buffer).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(all.subarray(4, begin)));
  const part = ([from, length]) => all.subarray(begin + from, begin + from + length);
  const prepared = (made) => {
    const folders = new Set();
    for (const [name, where] of Object.entries(index.data)) {
      const folder = `/app/${name}`.replace(/\/[^/]*$/, "");
      if (!folders.has(folder)) made.FS.mkdirTree(folder);
      folders.add(folder);
      made.FS.writeFile(`/app/${name}`, part(where));
    }
    for (const name of index.packages) if (folders.has(`/app/${name.replaceAll(".", "/")}`)) made.FS.writeFile(`/app/${name.replaceAll(".", "/")}/__init__.pyc`, new Uint8Array(0));
    for (const name of Object.keys(index.data).filter((one) => one.endsWith(".so")))
      made.preloadedWasm[`/app/${name}`] = made.loadWebAssemblyModule(part(index.data[name]), { loadAsync: false, nodelete: true }, `/app/${name}`, {}, 0);
  };
  return async (given) => {
    given.preRun = [...(given.preRun || []), (made) => prepared(made || given)];
    const made = await createPyodideModule(given);
    if (image) made._malloc(image.byteLength);
    return made;
  };
}

async function started(image, asImage) {
  const all = new Uint8Array(await pack);
  const python = await loadPyodide({
    ...(asImage ? { createPyodideModule: module(all, image), ...(image ? { _loadSnapshot: image } : { _makeSnapshot: true }) } : { createPyodideModule }),
    indexURL: beside("./"),
    stdLibURL: beside("library.zip"),
    lockFileContents: JSON.stringify({
      info: { arch: "wasm32", platform: "emscripten_5_0_3", version: "314.0.7", python: "3.14.2", abi_version: "2026_0" },
      packages: {},
    }),
    env: { HOME: "/home", RAPIDFUZZ_IMPLEMENTATION: "python" },
  });
  if (!image) {
    python.globals.set("pack", all);
    python.runPython(await program);
    python.globals.delete("pack");
  }
  return [python, python.pyimport("referee.page_engine")];
}

/** The rules, from the image or as the first time. An image is made when nobody waits, and before anything was opened. */
async function start() {
  const image = await keptImage();
  if (image) {
    try {
      return (await started(image, true))[1];
    } catch {
      await store("readwrite", (all) => all.delete("now"));
    }
  }
  try {
    const [python, bridge] = await started(null, true);
    if (self.indexedDB) setTimeout(() => keep(python), LATER);
    return bridge;
  } catch {
    return (await started(null, false))[1];
  }
}

async function keep(python) {
  try {
    const made = python.makeMemorySnapshot({ serializer: () => null });
    const image = made.buffer.slice(made.byteOffset, made.byteOffset + made.byteLength);
    const of = await about;
    await store("readwrite", (all) => all.put({ of, image }, "now"));
  } catch {
    /* none is kept: the next start is as this one */
  }
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
