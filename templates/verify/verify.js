/* An independent check of the archive of a match, written from docs/verify.md alone: it shares no code with the referee.
 *
 * A classic script, as browsers load no modules from a folder on the disk. In a page it sets `verifyArchive`; in Node 18 and
 * later `import { verifyArchive } from "./verify.js"` and `require` both give it. It needs nothing but WebCrypto.
 *
 *   verifyArchive({ manifest, log, letters, witnessed, reports, listed, files }) -> Promise of
 *   { sound, verdict, words, trouble, at, checks: [{ what, found }], unchecked: [sentence], dice, draws, seals, unsealed, note }
 *
 * `manifest` and `log` are the texts of match.json and log.jsonl, `letters` those of saved letters; `witnessed`, `reports` and
 * `listed` those of witnessed.txt, reports.jsonl and files.txt, "" where there is none; `files` the digests of all files by their
 * paths, left out where nobody looks at them. It never rejects: the first trouble is told in one sentence, `at` is the number of
 * the entry it is about, or -1. `verdict` is 0, 1, 3, 4 or 5, `words` says it; `beyond` says what no run of it checks, `unchecked`
 * what this one did not.
 */
"use strict";

(() => {
  const LINKS = 1024;
  const DEEPEST = 200;
  const BATCH = 256;
  const LONGEST_LETTER = 20_000_000;
  const MOST_LETTERS = 5_000; // of one mailbox
  const MOST_SIGNATURES = 100; // of one note
  const MOST_CHANGES = 100; // of the keys of one log
  const QUICKNET = { name: "drand quicknet", genesis: 1692803367, period: 3 };
  const OLD_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"; // of RFC 8032: is Ed25519 at hand at all?
  const STATUSES = ["running", "paused", "sealed", "shunted", "over"];
  const STILL = 30; // days without a new entry, after which it is said that a match may never end
  const BEYOND =
    "it plays no rules, so not what an order leads to, nor whether the log gives the words and figures of reports, pages, tables and pictures; and no signatures of rounds";
  const LONGEST_SUMMARY = 8; // lines
  const HEX_64 = /^[0-9a-f]{64}$/;
  const LONE = /\p{Surrogate}/u;
  const UTF_8 = new TextEncoder();

  /** A fault of the archive; `at` is the number of the entry. */
  class Trouble extends Error {
    constructor(sentence, at = -1) {
      super(at < 0 ? sentence : `Entry ${at}: ${sentence}`);
      this.at = at;
    }
  }

  const [UNSOUND, PARTLY, OLDER, ELSEWHERE] = [1, 3, 4, 5]; // what it comes to, as docs/verify.md numbers it
  const WORDS = {
    0: "Sound as far as it goes",
    [UNSOUND]: "Not sound",
    [PARTLY]: "Sound as far as checked",
    [OLDER]: "Older than your letters",
    [ELSEWHERE]: "Another house's letters",
  };

  /** Material that proves nothing: files and letters of two moments, or of two houses. */
  class Anew extends Trouble {
    constructor(sentence, verdict = OLDER) {
      super(sentence);
      this.verdict = verdict;
    }
  }

  // ---------------------------------------------------------------- bytes and hashes

  const webcrypto =
    globalThis.crypto ?? (typeof require === "function" ? require("node:crypto").webcrypto : undefined);
  const subtle = webcrypto?.subtle;

  const text = (string) => UTF_8.encode(string);
  const sha256 = async (bytes) => new Uint8Array(await subtle.digest("SHA-256", bytes));
  const hmacKey = (secret) => subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const sign = async (key, message) => new Uint8Array(await subtle.sign("HMAC", key, message));
  const hmac = async (secret, message) => sign(await hmacKey(secret), message);

  const BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

  function hex(bytes) {
    let written = "";
    for (const byte of bytes) written += BYTE[byte];
    return written;
  }

  function unhex(written) {
    const bytes = new Uint8Array(written.length / 2);
    for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(written.slice(2 * i, 2 * i + 2), 16);
    return bytes;
  }

  function joined(...parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) {
      bytes.set(part, end);
      end += part.length;
    }
    return bytes;
  }

  /** The bytes of base64 with its padding; null for anything else. */
  function unbase64(written) {
    if (written.length % 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(written)) return null;
    try {
      const letters = atob(written);
      const bytes = new Uint8Array(letters.length);
      for (let i = 0; i < bytes.length; i++) bytes[i] = letters.charCodeAt(i);
      return bytes;
    } catch {
      return null;
    }
  }

  const equal = (one, other) => one.length === other.length && one.every((byte, i) => byte === other[i]);

  /** The results of `work` for each, in order; some are under way at a time. */
  async function each(items, work, width = BATCH) {
    const done = new Array(items.length);
    for (let from = 0; from < items.length; from += width) {
      const batch = [];
      for (let i = from; i < Math.min(items.length, from + width); i++) batch.push(work(items[i], i));
      const found = await Promise.all(batch);
      for (let i = 0; i < found.length; i++) done[from + i] = found[i];
    }
    return done;
  }

  // ---------------------------------------------------------------- JSON

  /** A JSON object. Nested too deep, it is refused before a parser looks at it. */
  function parsed(string, what, at) {
    let depth = 0;
    let keys = 0;
    let quoted = false;
    for (let i = 0; i < string.length; i++) {
      const code = string.charCodeAt(i);
      if (code === 34) quoted = !quoted;
      else if (code === 92) i += quoted ? 1 : 0;
      else if (quoted) continue;
      else if (code === 91 || code === 123) {
        if (++depth > DEEPEST) throw new Trouble(`${what} is nested too deep.`, at);
      } else if (code === 93 || code === 125) depth--;
      else if (code === 58) keys++;
    }
    let value;
    try {
      value = JSON.parse(string);
    } catch {
      throw new Trouble(`${what} is no JSON.`, at);
    }
    if (!isObject(value)) throw new Trouble(`${what} is no JSON object.`, at);
    if (keysIn(value) < keys) throw new Trouble(`${what} has a key twice in one object.`, at);
    if (/\d[.eE]/.test(string.replace(/"(?:[^"\\]|\\.)*"/g, ""))) throw new Trouble(`${what} has a number that is not whole.`, at);
    return value;
  }

  function keysIn(value) {
    if (value === null || typeof value !== "object") return 0;
    const inner = Object.values(value);
    return inner.reduce((sum, one) => sum + keysIn(one), Array.isArray(value) ? 0 : inner.length);
  }

  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const isText = (value) => typeof value === "string" && !LONE.test(value);
  const isHash = (value) => typeof value === "string" && HEX_64.test(value);
  const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
  const isHex = (value) => typeof value === "string" && value.length % 2 === 0 && /^[0-9a-f]*$/.test(value);

  // ---------------------------------------------------------------- the files

  function readManifest(string) {
    if (typeof string !== "string") throw new Trouble("There is no match.json.");
    const found = parsed(string, "match.json");
    const wrong = (name) => new Trouble(`match.json has no ${name} that can be read.`);
    for (const name of ["match", "game", "status"]) if (!isText(found[name]) || !found[name]) throw wrong(name);
    if (!isHash(found.commitment)) throw wrong("commitment");
    if (found.secret !== "" && !isHash(found.secret)) throw wrong("secret");
    if (!isCount(found.entries)) throw wrong("entries");
    if (!isHash(found.head)) throw wrong("head");
    const dice = found.dice ?? { chain: 0, link: 0, secret: "" };
    if (!isObject(dice) || !isCount(dice.link) || dice.link > LINKS || (dice.link && !isCount(dice.chain))) throw wrong("dice");
    if (dice.link ? !isHash(dice.secret) : dice.secret !== "") throw wrong("secret of the dice");
    for (const name of ["signed", "key"]) if (!isText(found[name] ?? "")) throw wrong(name);
    const changes = found.key_changes ?? [];
    if (!Array.isArray(changes) || changes.length > MOST_CHANGES || !changes.every(isText)) throw wrong("changes of keys");
    return { ...found, dice, signed: found.signed ?? "", key: found.key ?? "", changes, over: found.status === "over" };
  }

  function readLog(string, manifest) {
    if (typeof string !== "string" || !string.trim()) throw new Trouble("log.jsonl is missing, or there is nothing in it.");
    const entries = [];
    for (let from = 0; from < string.length; ) {
      const end = string.indexOf("\n", from);
      const line = string.slice(from, end < 0 ? string.length : end);
      entries.push(readEntry(line, entries.length, manifest));
      from = end < 0 ? string.length : end + 1;
    }
    return entries;
  }

  function readEntry(line, at, manifest) {
    const entry = parsed(line, "its line", at);
    const wrong = (name) => new Trouble(`its ${name} cannot be read.`, at);
    for (const name of ["match", "at", "previous"]) if (!isText(entry[name])) throw wrong(name);
    if (Number.isNaN(seconds(entry.at))) throw wrong("at");
    for (const name of ["kind", "cause", "payload"]) {
      if (entry[name] !== null && !isText(entry[name])) throw wrong(name);
      if (entry[name] === null && manifest.secret)
        throw new Anew(
          `The files are not of one moment: match.json is of the finished match, and entry ${at} of log.jsonl is from before its end. Fetch the whole folder anew.`,
        );
    }
    for (const name of ["digest", "hash"]) if (!isHash(entry[name])) throw wrong(name);
    if (entry.salt !== undefined && entry.salt !== null && !isHash(entry.salt)) throw wrong("salt");
    if (entry.seq !== at) throw new Trouble("its number is not that of its line.", at);
    if (entry.match !== manifest.match) throw new Trouble("it is of another match than match.json says.", at);
    return entry;
  }

  // ---------------------------------------------------------------- 1 and 2: the chain and what is in it

  async function checkChain(entries, manifest) {
    entries.forEach((entry, at) => {
      const before = at ? entries[at - 1].hash : "";
      if (entry.previous !== before) throw new Trouble("it does not name the entry before it.", at);
    });
    const believed = await each(entries, async (entry, at) => {
      const { match, seq, kind, cause, previous, digest } = entry;
      if (kind === null || cause === null) return 1;
      const covered = JSON.stringify([match, seq, entry.at, kind, cause, previous, digest]);
      if (hex(await sha256(text(covered))) !== entry.hash) throw new Trouble("its hash is not that of what it covers.", at);
      return 0;
    });
    if (manifest.entries !== entries.length)
      throw new Anew(
        `The files are not of one moment: match.json counts ${counted(manifest.entries, "entry", "entries")}, and log.jsonl has ${entries.length}. Fetch the whole folder anew.`,
      );
    if (manifest.head !== entries.at(-1).hash)
      throw new Trouble("match.json names another head than the log has.", entries.length - 1);
    return believed.reduce((sum, one) => sum + one, 0);
  }

  /** The record of each entry, null for one that is withheld. */
  async function checkPayloads(entries, manifest) {
    const secret = manifest.secret ? await hmacKey(unhex(manifest.secret)) : null;
    return each(entries, async (entry, at) => {
      if (entry.payload === null) return null;
      const salt = secret ? await sign(secret, text(`salt/${at}`)) : entry.salt ? unhex(entry.salt) : null;
      if (salt === null) throw new Trouble("its payload is shown without its salt.", at);
      if (entry.salt && hex(salt) !== entry.salt) throw new Trouble("its salt is not that of the secret of the match.", at);
      if (hex(await sha256(joined(salt, text(entry.payload)))) !== entry.digest)
        throw new Trouble("its payload does not fit its digest.", at);
      const record = parsed(entry.payload, "its payload", at);
      if (!isText(record.kind)) throw new Trouble("its payload is of no kind.", at);
      if (entry.kind !== null && entry.kind !== record.kind)
        throw new Trouble("its payload is of another kind than the entry.", at);
      return record;
    });
  }

  async function checkCommitment(records, manifest) {
    const created = records[0];
    if (created?.kind !== "created") throw new Trouble("the log does not begin with how the match was created.", 0);
    if (created.game !== manifest.game) throw new Trouble("it is of another game than match.json says.", 0);
    if (created.commitment !== manifest.commitment)
      throw new Trouble("it commits to another secret than match.json says.", 0);
    if (manifest.over && !manifest.secret) throw new Trouble("The match is over, but match.json does not tell its secret.");
    if (!manifest.over && manifest.secret) throw new Trouble("match.json tells the secret of a match that is not over.");
    if (manifest.secret && hex(await sha256(unhex(manifest.secret))) !== created.commitment)
      throw new Trouble("The secret that match.json tells is not the one that the match committed to.");
    return created;
  }

  // ---------------------------------------------------------------- 3: pledges and seals, in turn

  /** Whether something came from outside by this: true, false, or null where it is withheld. */
  function fromOutside(kind, record) {
    if (kind === null) return null;
    if (kind === "sealed" || kind === "opened" || kind === "pledged") return false;
    if (kind === "answer") return record === null ? null : Boolean(record.at);
    if (kind === "event") {
      const type = record?.event?.type;
      return type === "Ruled" || type === "Amended";
    }
    return true;
  }

  /** Goes through the log once: who pledged and sealed what, and which throw is under which seal. */
  class Course {
    chains = []; // { at, anchor, seals: [] }, by the number of the chain
    seals = new Map(); // by number, from 1
    last = 0; // the number of the last seal
    unknown = 0; // entries since then of which even the kind is withheld: they may be seals
    throws = [];
    unsealed = 0;
    told = new Map(); // throws by what they are said to be for: { at, title, sides, faces }
    titles = new Set(); // of phases
    title = "";
    anyVeiled = false; // some event is withheld, or may be
    dice = 0;
    draws = 0;
    good = { open: null, hidden: null };
    counts = new Map();
    phase = ""; // the key of the phase
    veiled = false; // an event of this phase is withheld, or may be
    fresh = new Set(); // numbers of seals of whose keys nothing came from outside since one had them
    anew = new Set(); // and of those whose keys stood in the phase that mended rules play anew
    alive = []; // every seal that counts, { at, number }: of the first that has its key
    rewinds = new Map(); // what there was before each rewind: such seals, and the phase
    pledgeDue = false;

    take(entry, record, at) {
      const kind = entry.kind ?? record?.kind ?? null;
      if (kind === null) {
        this.unknown++;
        this.veiled = this.anyVeiled = true;
      }
      if (this.pledgeDue && kind !== "pledged") throw new Trouble("a new chain of secrets should be pledged here.", at);
      const due = this.pledgeDue;
      this.pledgeDue = false;
      if (kind === "pledged") this.pledged(record, at, due);
      else if (kind === "sealed") this.sealed(record, entry, at);
      else if (kind === "opened") this.opened(record, at);
      else if (kind === "event") this.event(record, at);
      else if (kind === "created" && at) throw new Trouble("the match is created a second time.", at);
      if (fromOutside(kind, record)) {
        this.fresh.clear();
        this.good = { open: null, hidden: null };
      }
      if (kind === "rewound" || kind === "renewed" || kind === "forwarded") this.setAside(kind, record, at);
      const restored = kind === "override" && isText(record?.action) && record.action.startsWith("RESTORED ");
      if (kind === "rewound" || kind === "forwarded" || restored) this.pledgeDue = this.chains.length > 0;
    }

    /** The entries that count after a rewind, a roll-forward or mended rules. */
    setAside(kind, record, at) {
      if (record === null) throw new Trouble("what is set aside is withheld.", at);
      if (!isCount(kind === "forwarded" ? record.undoes : record.to)) throw new Trouble("what is set aside cannot be read.", at);
      const before = this.alive;
      this.anew = new Set();
      if (kind === "forwarded") {
        const rewind = this.rewinds.get(record.undoes);
        if (!rewind) throw new Trouble("it undoes an entry that is no rewind.", at);
        Object.assign(this, { ...rewind, alive: [...rewind.alive], counts: new Map(rewind.counts) });
        return;
      }
      this.alive = before.filter((seal) => seal.at <= record.to);
      if (kind === "rewound") this.rewinds.set(at, { alive: before, phase: this.phase, counts: this.counts, veiled: this.veiled });
      else for (const seal of before) if (seal.at > record.to) this.anew.add(seal.number);
    }

    pledged(record, at, due) {
      if (record === null) throw new Trouble("what is pledged is withheld.", at);
      const last = this.chains.at(-1);
      if (last && !due && last.seals.length < LINKS) throw new Trouble("nothing asked for a new chain of secrets.", at);
      if (record.chain !== this.chains.length || record.links !== LINKS || !isHash(record.anchor))
        throw new Trouble("it pledges no chain that is in turn.", at);
      const used = last?.seals.at(-1);
      const opens = record.opens ?? "";
      if (used ? !isHash(opens) : opens !== "") throw new Trouble("it does not tell the last secret of the chain before.", at);
      if (used) last.closed = { at, opens };
      this.chains.push({ at, anchor: record.anchor, seals: [], known: new Map() });
    }

    sealed(record, entry, at) {
      const chain = this.chains.at(-1);
      if (!chain) throw new Trouble("dice are sealed before any chain of secrets is pledged.", at);
      const seal = { at, head: entry.hash, opened: null };
      if (record === null) {
        Object.assign(seal, { hidden: true, again: 0, round: 0, withheld: true });
        this.numbered(seal, this.unknown ? 0 : this.last + 1);
        this.good.hidden = seal;
        return;
      }
      const { number = 0, link = 0, opens = "", round = 0, hidden = false, again = 0 } = record;
      if (![number, link, round, again, record.chain ?? 0].every(isCount) || typeof hidden !== "boolean" || !isText(opens))
        throw new Trouble("the seal cannot be read.", at);
      if (number <= this.last || number > this.last + 1 + this.unknown)
        throw new Trouble("the number of the seal is not in turn.", at);
      this.numbered(Object.assign(seal, { hidden, again, round }), number);
      if ((again || hidden) && (link || opens || record.chain)) throw new Trouble("a seal that uses no link names one.", at);
      if (again) this.again(seal, at);
      else if (!hidden) this.linked(seal, chain, { ...record, link, opens }, at);
      this.fresh.add(again || number);
      this.alive.push({ at, number: again || number });
      this.good[hidden ? "hidden" : "open"] = seal;
    }

    /** Files a seal under its number; 0 where nobody can know it. */
    numbered(seal, number) {
      if (number) {
        this.seals.set(number, seal);
        this.last = number;
        this.unknown = 0;
      } else this.unknown++;
    }

    linked(seal, chain, record, at) {
      const last = chain.seals.at(-1);
      if ((record.chain ?? 0) !== this.chains.length - 1) throw new Trouble("the seal is not of the chain in use.", at);
      if (record.link !== chain.seals.length + 1 || record.link > LINKS)
        throw new Trouble("the seal does not use the next link of its chain.", at);
      if (!isHash(record.opens) || (!last && record.opens !== chain.anchor))
        throw new Trouble("what the seal opens is not the end of the pledged chain.", at);
      Object.assign(seal, { chain: this.chains.length - 1, link: record.link, opens: record.opens });
      chain.seals.push(seal);
    }

    again(seal, at) {
      const first = this.seals.get(seal.again);
      if (!first || first === seal || first.again || first.hidden !== seal.hidden)
        throw new Trouble("the seal is to be that of another one, which cannot be used again.", at);
      if (!this.fresh.has(seal.again) && !this.anew.has(seal.again))
        throw new Trouble(`seal ${seal.again} is used again, though something came from outside after it.`, at);
      seal.first = first;
    }

    opened(record, at) {
      if (record === null) return;
      const seal = this.seals.get(record.number);
      const { signature = "", why = "" } = record;
      if (!isHex(signature) || typeof why !== "string" || (!signature && !why))
        throw new Trouble("the round of the beacon cannot be read.", at);
      if (!seal && this.seals.size < this.last + this.unknown) return;
      if (!seal || seal.again || (!seal.round && !seal.withheld) || seal.opened)
        throw new Trouble("it opens no seal that waits for a round of the beacon.", at);
      seal.opened = { at, signature };
    }

    event(record, at) {
      if (record === null) {
        this.veiled = this.anyVeiled = true;
        return;
      }
      if (!isObject(record.event)) throw new Trouble("the event cannot be read.", at);
      const { type } = record.event;
      if (type === "PhaseBegan") {
        this.good = { open: null, hidden: null };
        this.counts = new Map();
        this.phase = record.event.key;
        if (isText(record.event.title)) this.titles.add((this.title = record.event.title));
        this.veiled = false;
      } else if (type === "Rolled" || type === "Drawn") this.thrown(record.event, at);
    }

    thrown(event, at) {
      const { type, purpose, faces, first = 0, sides, held } = event;
      const open = (event.seen_by ?? null) === null;
      const most = type === "Rolled" ? sides : held;
      if (!isText(purpose) || !Array.isArray(faces) || !faces.every(isCount) || !isCount(first) || !isCount(most))
        throw new Trouble("the throw cannot be read.", at);
      if (type === "Drawn" ? most < faces.length : most < 1) throw new Trouble("there are no dice of so few sides.", at);
      if (!purpose.startsWith(`${this.phase}/`)) throw new Trouble(`the dice for ${shown(purpose)} are of another phase.`, at);
      const before = this.counts.get(purpose) ?? 0;
      if (this.veiled ? first < before : first !== before)
        throw new Trouble(`the dice for ${shown(purpose)} do not follow the ones that were thrown before.`, at);
      this.counts.set(purpose, first + faces.length);
      if (type === "Rolled" && isText(event.why)) {
        const why = event.why.replace(/\s+/g, " ").trim();
        if (!this.told.has(why)) this.told.set(why, []);
        this.told.get(why).push({ at, title: this.title, sides: most, faces });
      }
      if (type === "Rolled") this.dice += faces.length;
      else this.draws += faces.length;
      if (!this.chains.length) {
        this.unsealed++;
        return;
      }
      const seal = this.good[open ? "open" : "hidden"];
      if (!seal) throw new Trouble(`no seal is good for the dice for ${shown(purpose)}.`, at);
      const root = seal.first ?? seal;
      if (!root.withheld && root.round && (!root.opened || root.opened.at > at))
        throw new Trouble(`the dice for ${shown(purpose)} are thrown before the round of the beacon is there.`, at);
      this.throws.push({ at, purpose, faces, first, root, sides: (k) => (type === "Rolled" ? most : most - k) });
    }
  }

  async function checkSeals(course, manifest) {
    const linked = course.chains.flatMap((chain) => chain.seals);
    await each(linked, async (seal) => {
      const { seals, known } = course.chains[seal.chain];
      if (seal.link === 1) return;
      known.set(seal.link - 1, unhex(seal.opens));
      if (hex(await sha256(unhex(seal.opens))) !== seals[seal.link - 2].opens)
        throw new Trouble("the secret that the seal tells is not the one that was sealed before.", seal.at);
    });
    for (const { seals, known, closed } of course.chains) {
      if (!closed) continue;
      if (hex(await sha256(unhex(closed.opens))) !== seals.at(-1).opens)
        throw new Trouble("the last secret of the chain before is not the one that was sealed.", closed.at);
      known.set(seals.length, unhex(closed.opens));
    }
    await checkTold(course, manifest.dice);
    if (manifest.secret) await checkDerived(course, unhex(manifest.secret));
  }

  /** The last secret of the dice that match.json tells. */
  async function checkTold(course, { chain: number, link, secret }) {
    const last = course.chains.at(-1);
    const used = last?.seals.length ?? 0;
    if (!link) {
      if (used > 1) throw new Trouble("match.json tells no secret of the dice, though there is one.", last.seals.at(-1).at);
      return;
    }
    if (number !== course.chains.length - 1 || link > used || link < used - 1)
      throw new Trouble("The secret of the dice that match.json tells is not that of the last seal.");
    const { at, opens } = last.seals[link - 1];
    if (hex(await sha256(unhex(secret))) !== opens)
      throw new Trouble("the secret of the dice that match.json tells is not that of the seal.", at);
    last.known.set(link, unhex(secret));
  }

  /** Every link as it follows from the secret of the match. */
  async function checkDerived(course, secret) {
    await each(
      course.chains,
      async (chain, number) => {
        let link = await hmac(secret, text(`chain/${number}`));
        for (let n = LINKS; n > 0; n--) {
          const seal = chain.seals[n - 1];
          if (seal) chain.known.set(n, link);
          link = await sha256(link);
          if (seal && hex(link) !== seal.opens)
            throw new Trouble("what the seal opens is not of the secret of the match.", seal.at);
        }
        if (hex(link) !== chain.anchor) throw new Trouble("the chain that is pledged is not of the secret of the match.", chain.at);
      },
      16,
    );
  }

  // ---------------------------------------------------------------- 4: every throw

  async function checkThrows(course, manifest) {
    const hidden = manifest.secret ? await hmac(unhex(manifest.secret), text("hidden")) : null;
    const keys = new Map();
    const keyOf = (root) => {
      if (!keys.has(root)) keys.set(root, makeKey(course, root, hidden));
      return keys.get(root);
    };
    const untold = [];
    let checked = 0;
    await each(
      course.throws,
      async (thrown) => {
        const key = await keyOf(thrown.root);
        if (key === null) untold.push(thrown);
        else {
          await checkThrow(thrown, key);
          checked += thrown.faces.length;
        }
      },
      64,
    );
    for (const { at, purpose, root } of untold)
      if (!root.hidden) throw new Trouble(`the secret of the dice for ${shown(purpose)} is not told.`, at);
    return { checked, hiddenThrows: untold.length };
  }

  async function makeKey(course, root, hidden) {
    const secret = root.hidden ? hidden : course.chains[root.chain].known.get(root.link);
    if (!secret) return null;
    const signature = root.opened?.signature;
    const randomness = root.round && signature ? await sha256(unhex(signature)) : new Uint8Array();
    return hmacKey(await hmac(secret, joined(unhex(root.head), randomness)));
  }

  async function checkThrow({ at, purpose, faces, first, sides }, key) {
    for (let k = 0; k < faces.length; k += BATCH) {
      const some = faces.slice(k, k + BATCH);
      const thrown = await Promise.all(some.map((_, i) => die(key, purpose, first + k + i, BigInt(sides(k + i)))));
      thrown.forEach((face, i) => {
        if (face !== some[i])
          throw new Trouble(`die ${first + k + i} for ${shown(purpose)} shows ${some[i]}, but its seal gives ${face}.`, at);
      });
    }
  }

  async function die(key, purpose, index, sides) {
    const whole = 1n << 256n;
    const limit = whole - (whole % sides);
    for (let a = 0; ; a++) {
      const x = BigInt(`0x${hex(await sign(key, text(`0/${purpose}/${index}/${a}`)))}`);
      if (x < limit) return Number(x % sides) + 1;
    }
  }

  // ---------------------------------------------------------------- 6: the beacon, but for its signatures

  function checkBeacon(course, created, entries) {
    const rounds = [];
    for (const seal of course.seals.values()) {
      if (!seal.round) continue;
      if (!created.beacon) throw new Trouble("the seal names a round of a beacon, but the match has none.", seal.at);
      if (created.beacon === QUICKNET.name) {
        const due = QUICKNET.genesis + (seal.round - 1) * QUICKNET.period;
        const at = seconds(entries[seal.at].at);
        if (!(at < due)) throw new Trouble("the round of the beacon is older than the seal.", seal.at);
        if (seal.opened?.signature && seconds(entries[seal.opened.at].at) < due)
          throw new Trouble("the round of the beacon was opened before it was made.", seal.opened.at);
      }
      if (seal.opened?.signature) rounds.push(seal.round);
    }
    return rounds;
  }

  function seconds(at) {
    const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{6})?\+00:00$/.exec(at);
    const date = new Date(found ? `${found[1]}Z` : NaN);
    if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 19) !== found[1]) return NaN; // such as 30 February
    return date.getTime() / 1000 + Number(`0${found[2] ?? ""}`);
  }

  // ---------------------------------------------------------------- 5 and 7: signed heads

  /** Whole subtrees of RFC 9162, by their height. */
  async function treeOf(entries) {
    const leaf = Uint8Array.of(0);
    const levels = [await each(entries, (entry) => sha256(joined(leaf, unhex(entry.hash))))];
    while (levels.at(-1).length > 1) {
      const below = levels.at(-1);
      const pairs = Array.from({ length: below.length >> 1 }, (_, i) => [below[2 * i], below[2 * i + 1]]);
      levels.push(await each(pairs, ([left, right]) => node(left, right)));
    }
    return levels;
  }

  const node = (left, right) => sha256(joined(Uint8Array.of(1), left, right));

  /** The root over the first `size` entries. */
  async function rootOf(levels, size) {
    let root = null;
    for (let height = 0, done = size; height < levels.length; height++) {
      if (!(size & (1 << height))) continue;
      done -= 1 << height;
      const whole = levels[height][done >> height];
      root = root === null ? whole : await node(whole, root);
    }
    return root;
  }

  const OWN = 1; // the algorithms of keys, as C2SP numbers them
  const WITNESS = 4;

  async function readKey(written, type = OWN) {
    const found = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(written);
    const bytes = found && unbase64(found[3]);
    if (!bytes || bytes.length !== 33 || bytes[0] !== type) return null;
    const hash = (await sha256(joined(text(`${found[1]}\n`), bytes))).slice(0, 4);
    return hex(hash) === found[2] ? { written, name: found[1], type, hash, bytes: bytes.slice(1) } : null;
  }

  /** A signed text of three lines as it is written; null for anything else. */
  function readSigned(written) {
    const end = written.indexOf("\n\n");
    const head = written.slice(0, end + 1);
    const lines = head.split("\n");
    if (end < 0 || lines.length !== 4 || !lines[0] || !written.endsWith("\n")) return null;
    const signatures = [];
    for (const line of written.slice(end + 2, -1).split("\n")) {
      const found = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line);
      const bytes = found && unbase64(found[2]);
      if (!bytes || bytes.length < 5) return null;
      signatures.push({ name: found[1], bytes });
      if (signatures.length > MOST_SIGNATURES) return null;
    }
    return { head, lines, signatures };
  }

  /** A signed checkpoint as it is written; null for anything else. */
  function readNote(written) {
    const found = readSigned(written);
    const root = found && /^(0|[1-9]\d{0,15})$/.test(found.lines[1]) ? unbase64(found.lines[2]) : null;
    if (!root || root.length !== 32) return null;
    return { origin: found.lines[0], size: Number(found.lines[1]), root, head: found.head, signatures: found.signatures };
  }

  /** The keys that signed this log one after the other, each signed by the one before; the last is that of match.json. */
  async function readKeys(manifest) {
    const last = await readKey(manifest.key);
    if (!last) return [];
    const keys = [];
    for (const written of manifest.changes) {
      const change = readSigned(written);
      const [old, next] = change?.lines[0] === "change of keys/v1" ? await Promise.all([readKey(change.lines[1]), readKey(change.lines[2])]) : [];
      if (!old || !next || old.name !== next.name) throw new Trouble("A change of keys in match.json cannot be read.");
      const signed = await Promise.all([signedBy(change, old), signedBy(change, next)]);
      if (signed.includes(false)) throw new Trouble("A key in match.json is not signed by the one before it.");
      if (!keys.length) keys.push(old);
      if (keys.at(-1).written !== old.written || keys.some((key) => key.written === next.written))
        throw new Trouble("The keys in match.json do not follow one from the other.");
      keys.push(next);
    }
    if (!keys.length) keys.push(last);
    if (keys.at(-1).written !== last.written) throw new Trouble("The keys in match.json do not lead to the one that signs.");
    return keys;
  }

  /** Whether one of these keys signed the note; null where this program has no Ed25519. */
  async function signedByOne(note, keys) {
    const signed = await Promise.all(keys.map((key) => signedBy(note, key)));
    return signed.includes(true) || (signed.includes(null) ? null : false);
  }

  let probed;

  /** Whether the key signed the note; null where this program has no Ed25519. */
  async function signedBy(note, key) {
    const own = note.signatures.filter(({ name, bytes }) => name === key.name && equal(bytes.slice(0, 4), key.hash));
    const before = key.type === WITNESS ? 12 : 4;
    if (!own.length || own.some(({ bytes }) => bytes.length !== before + 64)) return false;
    const how = { name: "Ed25519" };
    probed ??= subtle.importKey("raw", unhex(OLD_KEY), how, false, ["verify"]).then(
      () => true,
      () => false,
    );
    if (!(await probed)) return null;
    try {
      const loaded = await subtle.importKey("raw", key.bytes, how, false, ["verify"]);
      for (const { bytes } of own) {
        const message = key.type === WITNESS ? `cosignature/v1\ntime ${timeOf(bytes)}\n${note.head}` : note.head;
        if (!(await subtle.verify(how, loaded, bytes.slice(before), text(message)))) return false;
      }
    } catch {
      return false;
    }
    return true;
  }

  const timeOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset + 4).getBigUint64(0);

  /** The heads of witnessed.txt: each of this log, signed by a key of the match and by a witness that is named there. */
  async function checkWitnessed(written, manifest, entries, levels, own) {
    const blocks = written.replace(/\r\n/g, "\n").split(/^Key of the witness: */m);
    if (blocks.shift().trim() || !blocks.length || blocks.length > 100) throw new Trouble("witnessed.txt cannot be read.");
    const keys = [];
    const notes = [];
    for (const block of blocks) {
      const end = block.indexOf("\n");
      keys.push(await readKey(block.slice(0, end < 0 ? undefined : end).trim(), WITNESS));
      notes.push(end < 0 ? null : readNote(`${block.slice(end).trim()}\n`));
    }
    if (keys.includes(null)) throw new Trouble("The key of a witness in witnessed.txt cannot be read.");
    let unsigned = false;
    for (const note of notes) {
      if (!note) throw new Trouble("A head in witnessed.txt cannot be read.");
      if (!note.origin.endsWith(`/${manifest.match}`)) throw new Trouble("A head in witnessed.txt is that of another match.");
      if (!note.size || note.size > entries.length || !equal(note.root, await rootOf(levels, note.size)))
        throw new Trouble(`The head of ${counted(note.size, "entry", "entries")} in witnessed.txt is that of another log.`);
      if (!own.length || (await signedByOne(note, own)) === false)
        throw new Trouble("A head in witnessed.txt is not signed by the key of the match.");
      const by = await Promise.all(keys.map((key) => signedBy(note, key)));
      unsigned ||= by.includes(null);
      if (!by.includes(true) && !by.includes(null)) throw new Trouble("A head in witnessed.txt is signed by no witness of the file.");
    }
    const said = `${counted(notes.length, "head fits", "heads fit")}: ${notes.map(({ size }, i) => `${counted(size, "entry", "entries")} by ${keys[i].name}`).join(", ")}`;
    return unsigned ? `${said}; their signatures are not checked, as this program has no Ed25519` : said;
  }

  async function checkSigned(manifest, entries, levels, key) {
    if (!manifest.signed && !manifest.key) return "no: whoever runs this house has no key";
    if (!key) throw new Trouble("The key that match.json names cannot be read.");
    const note = readNote(manifest.signed);
    if (!note) throw new Trouble("The signed head in match.json cannot be read.");
    if (!note.origin.endsWith(`/${manifest.match}`)) throw new Trouble("The signed head in match.json is that of another match.");
    if (note.size !== entries.length)
      throw new Trouble(`The signed head in match.json is over ${counted(note.size, "entry", "entries")}, but the log has ${entries.length}.`);
    if (!equal(note.root, await rootOf(levels, note.size)))
      throw new Trouble("The signed head in match.json is that of another log.");
    const signed = await signedBy(note, key);
    if (signed === false) throw new Trouble("The head in match.json is not signed by the key that it names.");
    const others = note.signatures.length - note.signatures.filter(({ name }) => name === key.name).length;
    const more = others ? `; ${counted(others, "signature of a witness is", "signatures of witnesses are")} not checked here` : "";
    return signed === null
      ? `the head fits, but this program has no Ed25519, so the signature is not checked${more}`
      : `by ${key.name}, over all ${counted(entries.length, "entry", "entries")}${more}`;
  }

  // ---------------------------------------------------------------- the list of all files

  /** Whether all files of the folder are those that the house signed: what is there, in words, "" where nobody looked. */
  async function checkFiles({ listed = "", files }, manifest, entries, keys, unchecked, notes) {
    if (!isObject(files) || !manifest.key) return "";
    const pages = Object.keys(files).filter((path) => /\.(html|csv|svg)$/.test(path)).length;
    if (!listed) {
      if (pages) unchecked.push(`${pages} pages, tables and pictures: there is no files.txt, as versions before 0.3.0 wrote none`);
      return "";
    }
    const end = listed.lastIndexOf("\n\n");
    const below = listed.slice(end + 2);
    const note = end < 0 ? null : readSigned(`${listed.slice(0, end)}\n`);
    const origin = manifest.signed.slice(0, manifest.signed.indexOf("\n"));
    const [kind, of, digest] = note?.lines ?? [];
    const [where, size] = [of?.slice(0, of.lastIndexOf(" ")), of?.slice(of.lastIndexOf(" ") + 1)];
    if (kind !== "files/v1" || where !== origin || digest !== hex(await sha256(text(below))))
      throw new Trouble("files.txt cannot be read, or is of other files than it lists.");
    const signed = await signedByOne(note, keys);
    if (signed === false) throw new Trouble("files.txt does not bear the signature of the key in match.json.");
    if (size !== String(entries.length))
      throw new Anew(`The files are not of one moment: files.txt is of ${size} entries. Fetch the whole folder anew.`);
    const lines = below.split("\n").filter((line) => line.includes(" "));
    const named = new Map(lines.map((line) => [line.slice(65), line.slice(0, 64)]));
    if (named.size < lines.length) throw new Trouble("files.txt cannot be read, or is of other files than it lists.");
    const changed = [...named.keys()].filter((path) => path in files && files[path] !== named.get(path)).sort();
    if (changed.length)
      throw new Trouble(`${changed[0]} is not the file that the house signed${changed.length > 1 ? `, nor are ${changed.length - 1} more` : ""}.`);
    const gone = [...named.keys()].filter((path) => !(path in files));
    if (gone.length) unchecked.push(`${gone.length} files that files.txt names: they are not in this folder`);
    const more = Object.keys(files).filter((path) => !named.has(path) && path !== "files.txt" && path !== "log.jsonl").sort();
    if (more.length) notes.push(`${more.length} files of the folder are none of the house's, ${more[0]} among them`);
    if (signed === null) unchecked.push("the signature of files.txt: this program has no Ed25519");
    return `${named.size - gone.length} of ${counted(named.size, "file")} of the folder are those that the house signed`;
  }

  // ---------------------------------------------------------------- 8: saved letters

  /** The texts in a saved letter: of an .eml its parts out of their encodings, of anything else itself. */
  function textsOf(raw, depth = 0) {
    const eml = raw.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").replace(/^From .*\n/, "");
    const end = eml.indexOf("\n\n");
    const head = end < 0 ? "" : eml.slice(0, end);
    if (!/^[\x21-\x39\x3b-\x7e]+:/.test(head) || !/^(from|to|subject|date|message-id|mime-version|content-[a-z-]+):/im.test(head))
      return depth ? [] : [{ subject: "", text: /<(html|body|div|p|br)\b/i.test(raw) ? unmarked(eml) : eml }];
    const headers = new Map();
    for (const line of head.replace(/\n[ \t]+/g, " ").split("\n")) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      if (colon > 0 && !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
    }
    const subject = fieldOf(headers.get("subject") ?? "");
    const [, name, host] = /([^\s<>+@]+)(?:\+[^\s<>@]*)?@([^\s<>]+)>?\s*$/.exec(headers.get("from") ?? "") ?? [];
    const from = name && headers.has("x-referee-loop") ? `${name}@${host}` : "";
    const to = headers.has("x-referee-loop") || !name ? [] : (headers.get("to") ?? "").match(/[^\s<>,]+@[^\s<>,]+/g) ?? [];
    const whole = { from, sent: to.map((one) => one.toLowerCase().replace(/\+[^@]*/, "")), sender: `${name}@${host}` };
    return partsOf(headers, eml.slice(end + 2), depth).map((part) => ({ ...part, ...whole, subject: part.subject || subject }));
  }

  function partsOf(headers, body, depth) {
    const type = headers.get("content-type") ?? "text/plain";
    const kind = type.split(";")[0].trim().toLowerCase();
    if (kind.startsWith("multipart/")) {
      const boundary = /boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(type);
      if (!boundary || depth > 8) return [];
      const line = `--${boundary[1] ?? boundary[2]}`;
      const pieces = `\n${body}`.split(`\n${line}`).slice(1, 200);
      const found = pieces
        .filter((piece) => !piece.startsWith("--"))
        .flatMap((piece) => textsOf(partly(piece.slice(piece.indexOf("\n") + 1)), depth + 1));
      const plain = found.filter((part) => part.plain);
      const html = found.find((part) => part.html)?.html ?? "";
      return plain.length ? plain.map((part, n) => (n ? part : { ...part, html: part.html ?? html })) : found;
    }
    if (kind !== "message/rfc822" && kind !== "text/plain" && kind !== "text/html") return [];
    const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? "utf-8";
    const inside = decoded(body, (headers.get("content-transfer-encoding") ?? "").toLowerCase(), charset);
    if (kind === "message/rfc822") return depth > 8 ? [] : textsOf(inside, depth + 1).map((part) => ({ ...part, plain: true }));
    return [kind === "text/html" ? { text: unmarked(inside), plain: false, html: inside } : { text: inside, plain: true }];
  }

  /** The words of a header field, which may be encoded as RFC 2047 has it. */
  function fieldOf(field) {
    const words = field.replace(/(\?=)\s+(?==\?)/g, "$1");
    return words.replace(/=\?([^?\s]+)\?([bq])\?([^?]*)\?=/gi, (_, charset, how, said) =>
      /b/i.test(how) ? decoded(said, "base64", charset) : decoded(said.replace(/_/g, " "), "quoted-printable", charset),
    );
  }

  /** A part of a letter as a letter: one without headers has text. */
  const partly = (piece) => (piece.startsWith("\n") ? `Content-Type: text/plain\n${piece}` : piece);

  function decoded(body, encoding, charset) {
    let bytes;
    if (encoding === "base64") {
      const bare = body.replace(/[^A-Za-z0-9+/]/g, "");
      bytes = unbase64(bare.slice(0, bare.length - (bare.length % 4)) + tail(bare)) ?? new Uint8Array();
    } else if (encoding === "quoted-printable") {
      const soft = body.replace(/=[ \t]*\n/g, "");
      const parts = soft.split(/(?==[0-9A-Fa-f]{2})/);
      bytes = joinedMany(
        parts.flatMap((part) => (/^=[0-9A-Fa-f]{2}/.test(part) ? [unhex(part.slice(1, 3).toLowerCase()), text(part.slice(3))] : [text(part)])),
      );
    } else return body;
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      return new TextDecoder().decode(bytes);
    }
  }

  const tail = (bare) => {
    const rest = bare.length % 4;
    return rest > 1 ? bare.slice(-rest) + "=".repeat(4 - rest) : "";
  };

  function joinedMany(parts) {
    const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let end = 0;
    for (const part of parts) {
      bytes.set(part, end);
      end += part.length;
    }
    return bytes;
  }

  const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", mdash: "\u2014", middot: "\u00b7" };

  /** HTML without its styles and scripts; one that does not end takes all the rest with it. */
  function visible(html) {
    const kept = [];
    const hidden = /<(style|script)\b|<\/(style|script)\s*>/gi;
    let from = 0;
    let within = "";
    for (const found of html.matchAll(hidden)) {
      const [mark, opens, closes] = found;
      if (!within && opens) {
        kept.push(html.slice(from, found.index));
        within = opens.toLowerCase();
      } else if (within && closes && closes.toLowerCase() === within) {
        from = found.index + mark.length;
        within = "";
      }
    }
    if (!within) kept.push(html.slice(from));
    return kept.join("");
  }

  /** The text of HTML, roughly: lines where lines end, without marks. */
  function unmarked(html) {
    return visible(html)
      .replace(/<(br|\/p|\/div|\/li|\/tr|\/h\d|\/pre|\/blockquote|hr)\b[^<>]*>/gi, "\n")
      .replace(/<[^<>]*>/g, "")
      .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, sixteen, name) => {
        if (name) return ENTITIES[name.toLowerCase()] ?? whole;
        const code = decimal ? Number(decimal) : parseInt(sixteen, 16);
        return code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : " ";
      });
  }

  /** The claims of a letter. Only notes count behind bars: players' own words stand behind bars, too. */
  function claimsOf(written) {
    const all = [];
    const own = [];
    for (const line of written.split("\n")) {
      const quoted = /^[\s>]*/.exec(line)[0].length;
      const barred = /^[|\u2502\uff5c]/.test(line.slice(quoted));
      all.push(line.replace(/^[\s>|\u2502\uff5c]+/, ""));
      if (!barred) own.push(line.slice(quoted));
    }
    const flat = own.join(" ").replace(/\s+/g, " ");
    const spaced = "((?:[0-9a-f] ?){64})(?![0-9a-f])";
    const found = (pattern) => [...flat.matchAll(new RegExp(pattern, "gi"))];
    const squeezed = (string) => string.replace(/ /g, "").toLowerCase();
    return {
      flat,
      lines: own,
      salt: found(`\\bSalt of this report:? ${spaced}`).map((m) => squeezed(m[1]))[0],
      onFile: onFile(written),
      notes: notesIn(all.join(" ").split(/\s+/)),
      fingerprints: found(`\\bFingerprint:? ${spaced}`).map((m) => squeezed(m[1])),
      ends: found(`\\bEnd of the chain:? ${spaced}`).map((m) => squeezed(m[1])),
      keys: [...flat.matchAll(/\bKey that signs:? ([^\s+]+ ?\+ ?(?:[0-9a-f] ?){8}\+ ?(?:[A-Za-z0-9+/] ?){44})/g)].map((m) =>
        m[1].replace(/ /g, ""),
      ),
      secrets: found(`\\bSecret (\\d{1,6}) of chain (\\d{1,6}):? ${spaced}`).map((m) => [Number(m[1]), Number(m[2]), squeezed(m[3])]),
      whole: found(`\\bSecret:? ${spaced}`).map((m) => squeezed(m[1])),
      rounds: found("\\bRound (\\d{1,15}) of the beacon:? ((?:[0-9a-f] ?){96,192})(?![0-9a-f])").map((m) => [Number(m[1]), squeezed(m[2])]),
      proofs: found("\\bProof:? ([0-9a-f]{64}(?:,? (?:and )?[0-9a-f]{64})*)").flatMap((m) => m[1].toLowerCase().match(/[0-9a-f]{64}/g)),
      log: found("\\blog (\\d{1,15}): ?([0-9a-f]{16})(?![0-9a-f])").map((m) => [Number(m[1]), m[2].toLowerCase()]),
    };
  }

  /** The orders that a receipt names: behind a bar, below a heading that ends with `as on file`; what they mean is indented. */
  function onFile(written) {
    const found = [];
    let within = false;
    for (const line of written.split("\n")) {
      const barred = /^[\s>]*[|\u2502\uff5c] ?(.*)$/.exec(line);
      if (!barred) within = /as on file\b/.test(line) || (within && !line.replace(/[\s>-]/g, ""));
      else if (within && bare(barred[1])) found.push({ deep: /^\s/.test(barred[1]), line: barred[1].trim() });
    }
    return found;
  }

  /** Signed heads among the words of a letter, however their lines were broken. */
  function notesIn(words) {
    const notes = [];
    for (let i = 1; i + 4 < words.length; i++) {
      if (!/^\d{1,15}$/.test(words[i]) || !words[i - 1].includes("/") || !/^[A-Za-z0-9+/]{43}=$/.test(words[i + 1])) continue;
      const head = `${words[i - 1]}\n${words[i]}\n${words[i + 1]}\n`;
      const signatures = [];
      let at = i + 2;
      while (signatures.length < MOST_SIGNATURES && at + 2 < words.length && /^[^A-Za-z0-9+/=]{1,3}$/.test(words[at])) {
        const name = words[at + 1];
        let written = "";
        let end = at + 2;
        while (end < words.length && end < at + 8 && written.length < 92 && /^[A-Za-z0-9+/=]+$/.test(words[end])) written += words[end++];
        const bytes = unbase64(written);
        if (!bytes || bytes.length < 5) break;
        signatures.push({ name, bytes });
        at = end;
      }
      notes.push({ origin: words[i - 1], size: Number(words[i]), root: unbase64(words[i + 1]), head, signatures });
    }
    return notes;
  }

  /** Whether a letter says what letters of the referee say, in lines that are no quotes. */
  const speaksAsReferee = (written, match) => bare(written.replace(/^[ \t]*>.*$/gm, "")).includes(`thisismatch${bare(match)}`);

  /** The letters that are of this match, each with its number and what it claims. */
  function readLetters(letters, manifest, entries) {
    const own = [];
    const elsewhere = new Set();
    const house = /^([^\n]*)\/[^\n/]*\n/.exec(manifest.signed)?.[1];
    let others = 0;
    letters.forEach((raw, index) => {
      if (typeof raw !== "string" || raw.length > LONGEST_LETTER) {
        others++;
        return;
      }
      const split = raw.startsWith("From ") ? raw.split(/\n(?=From \S+ .*\d{4})/) : [raw];
      others += Math.max(0, split.length - MOST_LETTERS);
      for (const one of split.slice(0, MOST_LETTERS)) {
        for (const { subject, from, sent, sender, plain, html, text: written } of textsOf(one)) {
          if (sent?.includes(house) && sender !== house && !speaksAsReferee(written, manifest.match)) {
            others++;
            continue;
          }
          const claims = claimsOf(written);
          const tag = /\[([^\][\s]+)\]/.exec(subject)?.[1];
          const named = claims.notes.map(({ origin }) => origin).filter((origin) => origin.endsWith(`/${manifest.match}`));
          const foreign = tag !== manifest.match && (claims.notes.length ? !named.length : tag !== undefined);
          const houses = named.length ? named.map((origin) => origin.slice(0, -manifest.match.length - 1)) : from ? [from] : [];
          if (foreign) others++;
          else if (house && houses.length && !houses.includes(house)) elsewhere.add(houses[0]);
          else own.push({ ...claims, written, plain, html: claims.salt ? html : "", which: `letter ${index + 1}` });
        }
      }
    });
    if (elsewhere.size && !own.length)
      throw new Anew(`Your letters are of a ${manifest.match} at ${[...elsewhere].join(", ")}, and this is one at ${house}.`, ELSEWHERE);
    const newer = ({ log, notes }) => Math.max(0, ...log.map(([seq]) => seq + 1), ...notes.map(({ size }) => size)) > entries;
    return { own: [...own.filter((letter) => !newer(letter)), ...own.filter(newer)], others, elsewhere: [...elsewhere] };
  }

  const LATER = "the folder is older than your letters. Fetch it anew; where it stays so, somebody keeps from you what came since";

  async function anchored(secret, times) {
    let link = unhex(secret);
    for (let i = 0; i < times; i++) link = await sha256(link);
    return hex(link);
  }

  /** Secrets of the dice that letters tell: they may be those that the folder does not. */
  async function learnSecrets(letters, course) {
    for (const { which, secrets } of letters) {
      for (const [link, chain, secret] of secrets) {
        const pledged = course.chains[chain];
        if (pledged?.known.get(link) && hex(pledged.known.get(link)) === secret) continue;
        if (!pledged) continue; // told of by a letter that is newer than the log, or found to be none of it
        if (link < 1 || link > LINKS || (await anchored(secret, link)) !== pledged.anchor)
          throw new Trouble(`Secret ${link} of chain ${chain} in ${which} is not of the chain that was pledged.`, pledged.at);
        pledged.known.set(link, unhex(secret));
      }
    }
  }

  async function checkLetters(letters, { manifest, entries, records, course, levels, keys, laid }) {
    const seen = { told: 0, untold: 0, unsalted: 0, orders: 0, lines: 0, veiled: 0, heads: 0, unsigned: 0, marks: 0, secrets: 0, first: 0, proofs: 0, filed: 0, rounds: 0 };
    const sheets = records.filter((record) => record?.kind === "filed");
    const filed = new Set(sheets.map((record) => record.digest));
    const anchors = course.chains.map(({ anchor }) => anchor);
    const told = letters.flatMap((letter) => letter.keys);
    // Only the first key that a letter tells, and those that came in its place, sign for who has these letters.
    const since = keys.findIndex((key) => told.includes(key.written));
    const good = keys.slice(Math.max(since, 0));
    for (const letter of letters) {
      const { which } = letter;
      const compare = (all, good, what) => {
        for (const one of all) if (!good(one)) throw new Trouble(`In ${which} ${what}.`);
        seen.first += all.length;
      };
      compare(letter.fingerprints, (one) => one === manifest.commitment, "there is another fingerprint than that of this match");
      checkMarks(letter, entries, seen);
      checkDiceLines(letter, course, manifest.match, seen);
      checkReceipt(letter, sheets, seen);
      await checkWords(letter, course, manifest, records[0].seats, laid, seen);
      checkForms(letter, manifest.match);
      const once = new Map(letter.notes.map((note) => [note.head + note.signatures.map(({ bytes }) => hex(bytes)), note]));
      for (const note of once.values()) await checkNote(note, letter, good, seen, { manifest, entries, levels });
      compare(letter.ends, (one) => anchors.includes(one), "there is the end of a chain that the log has not pledged");
      compare(letter.keys, (one) => keys.some((key) => key.written === one), "there is another key that signs than in match.json");
      for (const one of letter.whole)
        if (hex(await sha256(unhex(one))) !== manifest.commitment) throw new Trouble(`In ${which} there is another secret than that of this match.`);
      seen.secrets += letter.secrets.length;
      for (const [round, signature] of letter.rounds) {
        const seals = [...course.seals.values()].filter((seal) => seal.round === round && seal.opened?.signature);
        if (seals.length && !seals.some((seal) => seal.opened.signature === signature))
          throw new Trouble(`round ${round} of the beacon has another signature in ${which}.`, seals[0].opened.at);
        seen.rounds += seals.length ? 1 : 0;
      }
      for (const proof of letter.proofs) {
        seen.proofs++;
        seen.filed += filed.has(proof) ? 1 : 0;
      }
    }
    return seen;
  }

  const bare = (words) => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

  /** The title of the phase that a letter reports alone; "" where it reports none, or several together. */
  function phaseOf(flat, match, titles) {
    const words = bare(flat);
    const at = words.indexOf(`thisismatch${bare(match)}`);
    if (at < 0 || !words.includes("proofofthedice") || /sendreportturn\d+bringsthereportofthatturnwhole/.test(words)) return "";
    const head = words.slice(Math.max(0, at - 200), at);
    const found = [...titles].sort((one, other) => other.length - one.length).find((title) => head.includes(bare(title)));
    return found ?? "";
  }

  /** The letters, digits and signs of a line, small. */
  const signedWords = (line) =>
    bare(` ${line}`.replace(/([(\s])([+\u2212-])(?=[0-9])/g, (_, before, sign) => before + (sign === "+" ? "plus" : "minus")));

  /** The digests that were laid down of the words of reports: { title, reader, digests, which }. */
  function readLaid(reports) {
    if (typeof reports !== "string") return [];
    return reports.split("\n").filter(Boolean).flatMap((line, n) => {
      const { turn, epoch, title, told = {} } = parsed(line, `line ${n + 1} of reports.jsonl`, -1);
      if (!isObject(told)) throw new Trouble(`Line ${n + 1} of reports.jsonl cannot be read.`);
      return Object.entries(told).map(([reader, digests]) => ({ turn, epoch, title, reader, digests: String(digests).split(" ") }));
    });
  }

  /** A letter about one turn has the words whose digest was laid down when it was sent. */
  async function checkWords({ which, flat, lines, salt, plain }, course, manifest, seats, laid, seen) {
    const title = phaseOf(flat, manifest.match, course.titles);
    if (!title) return;
    const words = lines.map(signedWords);
    const end = Math.max(0, words.findIndex((line) => line.startsWith("proofofthedice")));
    const said = words.slice(0, end).join("");
    const opening = `thisismatch${bare(manifest.match)}`;
    const after = said.slice(said.indexOf(opening) + opening.length);
    const all = [...seats].sort((one, other) => other.length - one.length);
    const seat = all.find((one) => after.startsWith(`youplay${bare(one)}`)) ?? "";
    const own = (laid ?? []).filter((one) => one.title === title && one.reader === seat);
    if (!salt) seen.unsalted += own.length ? 1 : 0;
    else if (!plain || !laid) seen.untold++;
    if (!salt || !plain || !laid) return;
    const below = said.length - after.length + (seat ? `youplay${bare(seat)}`.length : 0);
    const secret = manifest.secret ? await hmacKey(unhex(manifest.secret)) : null;
    const known = new Set();
    for (const { turn, epoch, reader, digests } of own)
      if (!secret || hex(await sign(secret, text(`told/${turn}/${epoch}/${reader}`))) === salt) for (const one of digests) known.add(one);
    const ends = new Set([0]);
    words.slice(0, end).reduce((sum, line) => ends.add(sum + line.length) && sum + line.length, 0);
    const places = [...ends].filter((place) => place >= below);
    for (const sentence of [below, ...places.slice(0, LONGEST_SUMMARY)]) {
      const spans = places.filter((place) => place >= sentence).map((place) => said.slice(below, sentence) + said.slice(place));
      const digests = await each(spans, async (span) => hex(await sha256(joined(unhex(salt), text(span)))), 64);
      if (digests.some((one) => known.has(one))) {
        seen.told++;
        return;
      }
    }
    throw new Trouble(`In ${which} the report of ${title} has other words than those whose digest is in reports.jsonl.`);
  }

  const BARRED = /^[ \t>]*[|\u2502\uff5c].*$/gm;
  const CELLS = /\S {2,}\S/;

  /** The text of HTML as mail programs show it, without links by which one answers. */
  function shownOf(html) {
    const cut = (text, ends, begins) => text.split(ends).map((part) => part.split(begins)[0]).join(" ");
    const links = cut(html, /<\/a\s*>/i, /<a\b[^<>]*\bhref="mailto:[^<>]*>/i);
    const labels = cut(links, /<\/span\s*>/i, /<span\b[^<>]*display: ?none[^<>]*>/i);
    return signedWords(unmarked(labels.replace(/<t[dh]\b/gi, " $&")).replace(BARRED, ""));
  }

  /** A report in two forms says the same in both: plain text may fold its tables, or break them in several. */
  function checkForms({ which, written, lines, html }, match) {
    const all = bare(lines.join(" "));
    const [named, last] = [`thisismatch${bare(match)}`, "proofofthedice"];
    if (!html || !all.includes(named) || !all.includes(last)) return;
    const shown = shownOf(html);
    let here = Math.max(0, shown.indexOf(named));
    let began = false;
    let tables = [];
    for (const block of written.replace(/\r/g, "").split(/\n[ \t>]*(?=\n)/)) {
      let words = signedWords(block);
      if (block.search(BARRED) >= 0) {
        if (began && shown.startsWith(words, here)) here += words.length; // an example stands behind no bar in HTML
        continue;
      }
      if (!began && !words.includes(named)) continue;
      if (!began) words = words.slice(words.indexOf(named));
      began = true;
      const ends = words.startsWith(last);
      if (CELLS.test(block) && !ends) {
        tables.push(block);
        continue;
      }
      if (ends) words = last;
      const whole = signedWords(tables.join("\n"));
      const after = here + whole.length;
      const at = shown.startsWith(words, after) ? after : shown.indexOf(words, here);
      const between = shown.slice(here, Math.max(at, 0));
      if (at < 0 || !(between === whole || isTable(tables, whole, between)))
        throw new Trouble(`In ${which} the HTML says something else than the plain text: “${(at < 0 ? block : tables[0] ?? between).trim().replace(/\s+/g, " ").slice(0, 80)}”.`);
      if (ends) return;
      tables = [];
      here = at + words.length;
    }
  }

  /** Whether these words are those of tables that plain text folds, or breaks in several with their first column in each. */
  function isTable(tables, whole, between) {
    const rows = tables.flatMap((table) => table.split("\n").map((line) => line.trim().split(/ {2,}/).map(signedWords)));
    const left = [...whole].sort();
    const within = [...between].sort().every((letter) => {
      while (left.length && left[0] < letter) left.shift();
      return left.shift() === letter;
    });
    if (tables.some((table) => /^ {2,}\S/m.test(table)))
      return within && rows.flat().every((cell) => between.includes(cell)) && (tables.length > 1 || between.length === whole.length);
    return within && tables.length > 1 && rows.every((row) => between.includes(row.slice(1).join("")));
  }

  /** Lines of dice, WHY: 2d6 = 3 4: each is a throw of the log before the letter's head, and of the phase that it reports. */
  function checkDiceLines({ which, flat, log, notes }, course, match, seen) {
    if (/the dice here are not the match's/i.test(flat)) return;
    const size = Math.max(0, ...log.map(([seq]) => seq + 1), ...notes.map((note) => note.size)) || Infinity;
    const title = phaseOf(flat, match, course.titles);
    for (const found of flat.matchAll(/\b(\d{1,3})d(\d{1,6}) = (\d+(?: (?:\+ )?\d+)*)/g)) {
      const before = flat.slice(Math.max(0, found.index - 1_000), found.index).replace(/[: ]+$/, "");
      const why = [...course.told.keys()].filter((one) => before.endsWith(one)).sort((one, other) => other.length - one.length)[0];
      const throws = (course.told.get(why) ?? []).filter((one) => one.at < size && (!title || one.title === title));
      const [count, sides] = [Number(found[1]), Number(found[2])];
      const faces = found[3].match(/\d+/g).slice(0, count).map(Number);
      const same = (one) => one.sides === sides && one.faces.length === count && one.faces.every((face, i) => face === faces[i]);
      if (throws.some(same)) seen.lines++;
      else if (course.anyVeiled && !throws.length) seen.veiled++;
      else {
        const there = throws.slice(-3).map((one) => `${one.faces.join(" ")} (entry ${one.at})`).join("; ");
        throw new Trouble(`In ${which} stands “${why ?? before.slice(-40)}: ${found[0]}”, and the log has ${there || "no such throw"}.`);
      }
    }
  }

  /** The lines of a sheet: those of an IF are further in. */
  function linesOf(sheet, depth = 0) {
    if (!Array.isArray(sheet) || depth > DEEPEST) return [];
    return sheet.flatMap((item) => {
      if (!isObject(item) || !isText(item.text)) return [];
      if (!Array.isArray(item.then)) return [{ text: item.text, meaning: isText(item.meaning) ? item.meaning : "", depth }];
      const rest = [...linesOf(item.then, depth + 1), ...linesOf(item.otherwise, depth + 1)];
      return [{ text: `IF ${item.text}`, meaning: "", depth }, ...["ELSE", "END"].map((text) => ({ text, meaning: "", depth })), ...rest];
    });
  }

  /** Orders that a receipt has on file are those that the log has of its seat by the letter that it answers. */
  function checkReceipt({ which, onFile: named, proofs }, filed, seen) {
    const last = filed.findLastIndex(({ digest }) => proofs.includes(digest));
    if (last < 0) return;
    const seats = new Set(filed.filter(({ digest }) => proofs.includes(digest)).map(({ seat }) => seat)); // two may have written the same
    const lines = filed.slice(0, last + 1).filter(({ seat }) => seats.has(seat)).flatMap(({ sheet }) => linesOf(sheet));
    const outer = new Set(lines.filter(({ depth }) => !depth).map(({ text: words }) => bare(words)));
    const inner = lines.flatMap(({ text: words, meaning, depth }) => [depth ? bare(words) : "", bare(meaning)]).join(" ");
    for (const { deep, line } of named) {
      if (!(deep ? inner.includes(bare(line)) : outer.has(bare(line))))
        throw new Trouble(`The receipt in ${which} has “${line}” on file, and the log has not, from the letter that it answers.`);
      seen.orders++;
    }
  }

  function checkMarks({ which, log }, entries, seen) {
    for (const [number, start] of log) {
      if (number >= entries.length) throw new Anew(`In ${which} there is entry ${number}, and the log ends before it: ${LATER}.`);
      if (!entries[number].hash.startsWith(start)) throw new Trouble(`it has another hash than in ${which}.`, number);
      seen.marks++;
    }
  }

  async function checkNote(note, { which, keys }, good, seen, { manifest, entries, levels }) {
    if (!note.origin.endsWith(`/${manifest.match}`)) return;
    const what = `The signed head of ${counted(note.size, "entry", "entries")} in ${which}`;
    if (note.size > entries.length) throw new Anew(`${what} is of more than the log has: ${LATER}.`);
    if (!note.size || !equal(note.root, await rootOf(levels, note.size))) throw new Trouble(`${what} is that of another log.`);
    const by = good.length ? good : (await Promise.all(keys.slice(0, 1).map((key) => readKey(key)))).filter(Boolean);
    const signed = by.length ? await signedByOne(note, by) : null;
    if (signed === false) throw new Trouble(`${what} is not signed by the key of this match.`);
    seen.heads++;
    if (signed === null) seen.unsigned++;
  }

  // ---------------------------------------------------------------- words

  const counted = (number, one, many = `${one}s`) => `${number} ${number === 1 ? one : many}`;
  const shown = (purpose) => (purpose.length > 80 ? `${purpose.slice(0, 80)} ...` : purpose);
  const listed = (numbers) => numbers.slice(0, 20).join(", ") + (numbers.length > 20 ? ` and ${numbers.length - 20} more` : "");

  // ---------------------------------------------------------------- all of it

  async function check({ manifest: manifestText, log, letters = [], witnessed = "", reports, ...rest }, result) {
    const found = (what, words) => result.checks.push({ what, found: words });
    const notes = [];
    const manifest = readManifest(manifestText);
    const entries = readLog(log, manifest);
    const believed = await checkChain(entries, manifest);
    const half = believed ? `; of ${counted(believed, "entry", "entries")} part is withheld, and the hash is believed` : "";
    found("Chain", `${counted(entries.length, "entry covers", "entries, each covers")} the one before it, up to head ${manifest.head.slice(0, 16)}${half}`);

    const records = await checkPayloads(entries, manifest);
    const created = await checkCommitment(records, manifest);
    const withheld = records.filter((record) => record === null).length;
    found(
      "Contents",
      manifest.secret
        ? "all are told and fit; the secret of the match is the one it committed to"
        : `all that is told fits; ${withheld} of ${entries.length} are withheld while the match is played`,
    );

    if (!STATUSES.includes(manifest.status)) throw new Trouble(`match.json has the status ${manifest.status}, which no match has.`);
    const still = (Date.now() / 1000 - seconds(entries.at(-1).at)) / 86_400;
    if (!manifest.over && still >= STILL)
      result.unchecked.push(`the match is not over, and nothing has come of it for ${Math.floor(still)} days: a host who never ends a match never tells its secret`);

    const chosen = entries.filter((seal, n) => seal.kind === "sealed" && n && (seal.at !== entries[n - 1].at || seconds(seal.at) % 1)).length;
    if (chosen)
      result.unchecked.push(
        `${counted(chosen, "seal names", "seals name")} a part of a second, or another moment than the entry before, as versions before 0.3.0 wrote it: where no beacon is used, dice could be chosen by that`,
      );

    const course = new Course();
    entries.forEach((entry, at) => course.take(entry, records[at], at));
    Object.assign(result, { dice: course.dice, draws: course.draws, seals: course.seals.size, unsealed: course.unsealed });
    await checkSeals(course, manifest);
    found(
      "Seals",
      `${counted(course.seals.size, "seal")} on ${counted(course.chains.length, "chain")} of secrets, each in its turn` +
        (manifest.secret ? "; all are those of the secret of the match" : ""),
    );
    const rounds = checkBeacon(course, created, entries);
    if (rounds.length)
      found("Beacon", `the signatures of ${counted(rounds.length, "round")} are not checked here: ${listed(rounds)}`);

    const saved = readLetters(Array.isArray(letters) ? letters : [], manifest, entries.length);
    await learnSecrets(saved.own, course);
    const { checked, hiddenThrows } = await checkThrows(course, manifest);
    found("Dice", `${counted(checked, "die or card", "dice and cards")} came out as the seals give them`);
    if (hiddenThrows) found("Hidden dice", `${counted(hiddenThrows, "throw")} can be checked when the match is over`);
    if (course.unsealed)
      result.unchecked.push(`${counted(course.unsealed, "throw is", "throws are")} from before dice were sealed and cannot be checked`);

    const levels = await treeOf(entries);
    const keys = await readKeys(manifest);
    found("Signed", await checkSigned(manifest, entries, levels, keys.at(-1)));
    const before = keys.slice(0, -1).map(({ written }) => written);
    if (before.length) found("Key", `${manifest.key}, which came in the place of ${before.join(", then ")}: compare the first with your first letter`);
    else if (manifest.key) found("Key", `${manifest.key}: compare it with the one in your first letter`);
    if (typeof witnessed === "string" && witnessed) found("Witnesses", await checkWitnessed(witnessed, manifest, entries, levels, keys));
    const files = await checkFiles(rest, manifest, entries, keys, result.unchecked, notes);
    if (files) found("Files", files);
    if (!manifest.key) notes.push("nobody signed this log; compare its head with that of your letters");

    if (saved.own.length || saved.others) {
      const laid = typeof reports === "string" ? readLaid(reports) : null;
      const seen = await checkLetters(saved.own, { manifest, entries, records, course, levels, keys, laid });
      const facts = [
        [seen.first, "fact of the first letter", "facts of the first letter"],
        [seen.heads, "signed head", "signed heads"],
        [seen.marks, "hash of an entry", "hashes of entries"],
        [seen.secrets, "secret of the dice", "secrets of the dice"],
        [seen.rounds, "round of the beacon", "rounds of the beacon"],
        [seen.lines, "line of dice", "lines of dice"],
        [seen.orders, "line of orders on file", "lines of orders on file"],
        [seen.told, "report, word for word", "reports, word for word"],
      ].flatMap(([number, one, many]) => (number ? [counted(number, one, many)] : []));
      found("Letters", facts.length ? `they fit: ${facts.join(", ")}` : "nothing in them can be compared");
      if (seen.proofs)
        found(
          "Receipts",
          manifest.secret
            ? `${seen.filed} of ${counted(seen.proofs, "proof stands", "proofs stand")} in the log; letters that filed no orders do not`
            : `${counted(seen.proofs, "proof")} can be looked up in the log when the match is over`,
        );
      if (seen.untold) result.unchecked.push(`the words of ${counted(seen.untold, "report")} in letters: reports.jsonl, or the letter itself in plain text, was not given`);
      if (seen.unsalted) result.unchecked.push(`the words of ${counted(seen.unsalted, "report")} in letters, which ${seen.unsalted > 1 ? "have" : "has"} not the salt of the digest that was laid down of them`);
      if (seen.veiled) result.unchecked.push(`${counted(seen.veiled, "line of dice", "lines of dice")} in letters: the log does not show all throws before the end`);
      if (seen.unsigned) result.unchecked.push(`the signatures of ${counted(seen.unsigned, "head")} in letters were not checked`);
      if (!saved.own.length) result.unchecked.push("your letters: none is of this match");
      else if (keys.length && !seen.heads) result.unchecked.push("no signed head is in your letters, so nothing tells that they are of this very log");
      if (saved.elsewhere.length) notes.push(`letters of a match of this name at ${saved.elsewhere.join(", ")} were left out`);
      if (saved.others) notes.push(`${counted(saved.others, "letter")} of other matches, or too long, left out`);
    }
    result.note = notes.join("; ");
  }

  async function verifyArchive(given) {
    const result = { sound: false, verdict: UNSOUND, words: "", trouble: "", at: -1, checks: [], unchecked: [], beyond: BEYOND };
    Object.assign(result, { dice: 0, draws: 0, seals: 0, unsealed: 0, note: "" });
    try {
      if (!subtle)
        throw new Trouble(
          "This browser hashes only on pages that come by https or from the disk: save the folder and open verify.html in it.",
        );
      await check(given ?? {}, result);
      result.sound = true;
      result.verdict = result.unchecked.length ? PARTLY : 0;
    } catch (error) {
      const known = error instanceof Trouble;
      result.trouble = known ? error.message : `The files cannot be checked: ${error?.message ?? error}.`;
      result.at = known ? error.at : -1;
      result.verdict = error.verdict ?? UNSOUND;
    }
    result.words = WORDS[result.verdict];
    return result;
  }

  globalThis.verifyArchive = verifyArchive;
  if (typeof module === "object" && module.exports) module.exports = { verifyArchive };
})();
