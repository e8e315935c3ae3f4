/* The page's rules, run by Node as they are in a browser: reads {table, letters} from a file, prints what they say of each letter. */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [, , pyodide, engine, asked] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ env: { HOME: "/home", RAPIDFUZZ_IMPLEMENTATION: "python" } });
python.globals.set("pack", new Uint8Array(gunzipSync(readFileSync(`${engine}/engine.pack`))));
python.runPython(readFileSync(`${engine}/start.py`, "utf-8"));
const bridge = python.pyimport("referee.page_engine");
const { table, letters } = JSON.parse(readFileSync(asked, "utf-8"));
bridge.answer("open", JSON.stringify(table));
console.log(JSON.stringify(letters.map((letter) => bridge.answer("judge", JSON.stringify([letter])))));
