/* A service worker for the page on which one plays a match of one's own: once it has loaded it needs no network. Files on the web
 * come first while there is a network. It acts on the files of that page and of the rules alone: matches lie in folders of their own. */
"use strict";

const KEPT = "table";
const HERE = new URL("./", location.href).href;
const MINE = /^((table|site|forms|icon|verify)[\w-]*\.(html|js|css|svg)|engine\/[\w.]+)$/;
const RULES = ["engine.json", "engine.pack", "library.pack", "pyodide.asm.js", "pyodide.asm.wasm", "pyodide.js", "start.py", "worker.js"];

async function filled() {
  const page = await (await fetch("table.html")).text();
  const beside = [...page.matchAll(/ (?:src|href)="([\w-]+\.(?:js|css|svg))"/g)].map(([, name]) => name);
  await (await caches.open(KEPT)).addAll(["table.html", ...beside, ...RULES.map((name) => `engine/${name}`)]);
}

/** The mark that tells one state of a file from another; "" where a web space says nothing of it. */
const mark = (answer) => ["etag", "last-modified", "content-length"].map((name) => answer.headers.get(name) ?? "").join("");

async function answered(request, later) {
  const all = await caches.open(KEPT);
  const kept = await all.match(request, { ignoreSearch: true });
  try {
    const found = await fetch(request);
    if (kept && found.ok && (!mark(found) || mark(found) !== mark(kept))) later(all.put(kept.url, found.clone()));
    return found;
  } catch (problem) {
    if (kept) return kept;
    throw problem;
  }
}

self.addEventListener("install", (event) => event.waitUntil(filled()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  if (method === "GET" && url.startsWith(HERE) && MINE.test(url.slice(HERE.length).replace(/[?#].*/, ""))) event.respondWith(answered(event.request, (what) => event.waitUntil(what)));
});
