// node node.mjs FOLDER [--letters FILE...]: prints what was checked of the archive of a match; exits 0 where all that it checks is
// sound, 3 where it could not check some of that, 1 where it is not sound. Nothing is proved by 4 (a folder older than the letters,
// or files of two moments) and 5 (letters of another house).
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
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

/** The digests of all plain files below a folder, by their paths in it. */
async function digests(below = "") {
  const found = {};
  for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
    const path = below ? `${below}/${entry.name}` : entry.name;
    if (entry.isDirectory()) Object.assign(found, await digests(path));
    else if (entry.isFile()) found[path] = createHash("sha256").update(await readFile(join(folder, path))).digest("hex");
  }
  return found;
}

let given;
try {
  const [manifest, log] = await Promise.all(["match.json", "log.jsonl"].map((name) => text(join(folder, name))));
  const [witnessed, reports, listed] = await Promise.all(
    ["witnessed.txt", "reports.jsonl", "files.txt"].map((name) => text(join(folder, name)).catch(() => "")),
  );
  given = { manifest, log, witnessed, reports, listed, files: await digests(), letters: await Promise.all(files.map(text)) };
} catch (error) {
  console.error(`This cannot be read: ${error.message}`);
  process.exit(2);
}
const found = await globalThis.verifyArchive(given);
for (const { what, found: words } of found.checks) console.log(`${what}: ${words}.`);
if (found.note) console.log(`Note: ${found.note}.`);
for (const what of found.unchecked) console.log(`Not checked: ${what}.`);
if (found.sound) console.log(`${found.words}. This program never checks: ${found.beyond}.`);
else console.log(`${found.words}: ${found.trouble}${found.verdict > 1 ? " Nothing is proved by that." : ""}`);
process.exitCode = found.verdict;
