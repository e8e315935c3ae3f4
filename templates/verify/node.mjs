// node node.mjs FOLDER [--letters FILE...]: prints what was checked of the archive of a match; exits 0 where it is sound, 1 where it is not,
// 3 where nothing is proved: files or letters of two moments, or of two houses.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import "./verify.js";

const [folder, flag, ...files] = process.argv.slice(2);
if (!folder || folder.startsWith("-") || (flag !== undefined && (flag !== "--letters" || !files.length))) {
  console.error("node node.mjs FOLDER [--letters FILE...]");
  process.exit(2);
}

/** The text of a file; what is no UTF-8 fits no hash. */
async function text(path) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(await readFile(path));
}

let given;
try {
  const [manifest, log] = await Promise.all(["match.json", "log.jsonl"].map((name) => text(join(folder, name))));
  const witnessed = await text(join(folder, "witnessed.txt")).catch(() => "");
  given = { manifest, log, witnessed, letters: await Promise.all(files.map(text)) };
} catch (error) {
  console.error(`This cannot be read: ${error.message}`);
  process.exit(2);
}
const found = await globalThis.verifyArchive(given);
for (const { what, found: words } of found.checks) console.log(`${what}: ${words}.`);
if (found.note) console.log(`Note: ${found.note}.`);
console.log(found.sound ? "Sound." : `${found.anew ? "NOTHING IS PROVED." : "NOT SOUND."} ${found.trouble}`);
process.exitCode = found.sound ? 0 : found.anew ? 3 : 1;
