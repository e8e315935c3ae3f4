// node many.mjs FILE: the results for all archives in a JSON file, and how many milliseconds each took.
import { readFile } from "node:fs/promises";

import "../../templates/verify/verify.js";

const results = [];
for (const given of JSON.parse(await readFile(process.argv[2], "utf-8"))) {
  const began = performance.now();
  results.push({ ...(await globalThis.verifyArchive(given)), took: performance.now() - began });
}
console.log(JSON.stringify(results));
