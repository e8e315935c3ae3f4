/* A turn that lies sealed beside this page: its key stands behind the # in the link of one letter, and no server ever sees it.
 * AES-256-GCM by the browser, or by the lines at the end where it has none, as over http without TLS. */
"use strict";

(() => {
  const CUT = "This link is not whole: your mail program may have cut it. Copy all of it from your letter into the address bar.";
  const OVER = "This turn is over, or is not there yet: look again in a minute. Your newest letter leads to the turn that waits.";
  const WRONG = "This link does not open this turn: a newer letter of yours does.";
  const OLD = "This browser is too old for the link: SEND table brings your turn as a file, which it can open.";
  const LONG = "Your orders on file are too long for a link, and stand in your letter: the next letter takes their place, unless it begins with ADD.";
  const TAG = 16;

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));

  /** The words of a link behind its #: null for one that leads to no turn. Throws an Error with a sentence for one that was cut. */
  function linked(hash) {
    const said = new URLSearchParams(hash.replace(/^#/, ""));
    if (!said.has("t") && !said.has("k")) return null;
    const [, match, mark, slot] = /^([a-z][a-z0-9-]*)\.([a-z2-7]{8})\.(\d+)$/.exec(said.get("t") || "") || [];
    try {
      const key = bytes(said.get("k") || "");
      if (!mark || key.length !== 32) throw new Error(CUT);
      return { match, mark, slot: Number(slot), key, until: Number(said.get("u")), filed: said.get("f") || "" };
    } catch {
      throw new Error(CUT);
    }
  }

  /** The file comes as a script: a page from the disk may not read what lies beside it, but may run it. */
  const fetched = ({ match, mark }) =>
    new Promise((done, fail) => {
      const script = document.createElement("script");
      globalThis.sealedTurn = (name, _, slots, text) => (name === `${match}.${mark}` ? done({ slots, data: bytes(text) }) : fail(new Error(OVER)));
      script.onerror = () => fail(new Error(OVER));
      script.onload = () => script.remove();
      script.src = `turns/${mark}.js?${Date.now()}`;
      document.head.append(script);
    });

  async function unpacked(data, form) {
    if (!globalThis.DecompressionStream) throw new Error(OLD);
    return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream(form))).text();
  }

  /** A table file of form 2, some parts of which are pressed, as one of form 1; any other text as it is. */
  async function widened(text) {
    if (!text.startsWith('{"version":2,')) return text;
    try {
      const table = JSON.parse(text);
      for (const part of ["map", "index", "told", "press"])
        if (typeof table[part] === "string") table[part] = JSON.parse(await unpacked(bytes(table[part]), "deflate-raw"));
      return JSON.stringify({ ...table, version: 1 });
    } catch {
      return text;
    }
  }

  /** The text of the table file that a link leads to, with what is filed since and the deadline as the letter knew them,
   *  and a word to its reader, if any. Throws an Error with a sentence. */
  async function opened(link) {
    const { slots, data } = await fetched(link);
    const room = data.length / slots;
    const part = data.subarray(link.slot * room, (link.slot + 1) * room);
    const about = new TextEncoder().encode(`${link.match}/${link.mark}/${link.slot}`);
    const plain = part.length ? await decrypted(link.key, part.subarray(0, 12), part.subarray(12), about) : null;
    if (!plain) throw new Error(WRONG);
    const length = new DataView(plain.buffer, plain.byteOffset).getUint32(0);
    const table = JSON.parse(await unpacked(plain.subarray(4, 4 + length), "gzip"));
    if (link.until) table.until = new Date(link.until * 1000).toISOString();
    let said = "";
    if (link.filed === "-") said = LONG;
    else if (link.filed) {
      const lines = (await unpacked(bytes(link.filed), "deflate-raw").catch(() => Promise.reject(new Error(CUT)))).split("\n");
      table.duty = "on file";
      table.owes = `Your orders for ${table.phase} are on file; until they run you may change them.`;
      table.on_file = [{ title: "Your orders", lines: lines.map((line) => ({ text: line.trim(), depth: line.search(/\S/) / 2 })) }];
    }
    return { text: JSON.stringify(table), said };
  }

  /** Whether the archive beside this page waits for another turn than this one; nobody knows of a page from the disk. */
  async function past(table) {
    try {
      const now = await (await fetch("match.json", { cache: "no-cache" })).json();
      return now.match === table.match && Boolean(now.status === "over" || (table.mark && now.turn && now.turn !== table.mark));
    } catch {
      return false;
    }
  }

  /** The sealed turn, or null where the key is another's or something was changed. */
  async function decrypted(key, number, sealed, about) {
    if (!globalThis.crypto?.subtle) return byHand(key, number, sealed, about);
    try {
      const own = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
      return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: number, additionalData: about }, own, sealed));
    } catch {
      return null;
    }
  }

  // ---------------------------------------------------------------- AES-256-GCM by hand, to read alone (FIPS 197, NIST SP 800-38D)

  const [box, twice] = [new Uint8Array(256), Uint8Array.from({ length: 256 }, (_, byte) => (byte << 1) ^ (byte & 0x80 ? 0x11b : 0))];
  for (let p = 1, q = 1, first = true; first || p !== 1; first = false) {
    p ^= twice[p]; // p runs through all that have an inverse, and q through the inverses
    for (const by of [1, 2, 4]) q = (q ^ (q << by)) & 0xff;
    if (q & 0x80) q ^= 0x09;
    const turned = q | (q << 8);
    box[p] = (q ^ (turned >> 7) ^ (turned >> 6) ^ (turned >> 5) ^ (turned >> 4) ^ 0x63) & 0xff;
  }
  box[0] = 0x63;

  function scheduled(key) {
    const all = new Uint8Array(240);
    all.set(key);
    for (let at = 32, round = 1; at < 240; at += 4) {
      let word = all.slice(at - 4, at);
      if (at % 32 === 0) {
        word = Uint8Array.of(box[word[1]] ^ round, box[word[2]], box[word[3]], box[word[0]]);
        round = twice[round];
      } else if (at % 32 === 16) word = word.map((byte) => box[byte]);
      for (let i = 0; i < 4; i += 1) all[at + i] = all[at + i - 32] ^ word[i];
    }
    return all;
  }

  /** One block under a key that is scheduled. */
  function under(keys, block) {
    const [state, moved] = [new Uint8Array(16), new Uint8Array(16)];
    for (let i = 0; i < 16; i += 1) state[i] = block[i] ^ keys[i];
    for (let round = 1; round < 15; round += 1) {
      for (let i = 0; i < 16; i += 1) moved[i] = box[state[(5 * i) % 16]];
      for (let at = 0; round < 14 && at < 16; at += 4) {
        const first = moved[at];
        const all = first ^ moved[at + 1] ^ moved[at + 2] ^ moved[at + 3];
        for (let i = at; i < at + 4; i += 1) moved[i] ^= all ^ twice[moved[i] ^ (i < at + 3 ? moved[i + 1] : first)];
      }
      for (let i = 0; i < 16; i += 1) state[i] = moved[i] ^ keys[16 * round + i];
    }
    return state;
  }

  /** GHASH under a key: of several stretches, each filled up with zeros to whole blocks. */
  function hashed(key, stretches) {
    const [own, y] = [new DataView(key.buffer), new Int32Array(4)];
    for (const stretch of stretches) {
      const whole = new Uint8Array(Math.ceil(stretch.length / 16) * 16);
      whole.set(stretch);
      const view = new DataView(whole.buffer);
      for (let at = 0; at < whole.length; at += 16) {
        let [z0, z1, z2, z3] = [0, 0, 0, 0];
        let [v0, v1, v2, v3] = [own.getInt32(0), own.getInt32(4), own.getInt32(8), own.getInt32(12)];
        for (let word = 0; word < 4; word += 1) {
          const x = view.getInt32(at + 4 * word) ^ y[word];
          for (let bit = 31; bit >= 0; bit -= 1) {
            const counts = -((x >>> bit) & 1);
            z0 ^= v0 & counts; z1 ^= v1 & counts; z2 ^= v2 & counts; z3 ^= v3 & counts;
            const odd = -(v3 & 1);
            v3 = (v3 >>> 1) | (v2 << 31); v2 = (v2 >>> 1) | (v1 << 31); v1 = (v1 >>> 1) | (v0 << 31);
            v0 = (v0 >>> 1) ^ (odd & 0xe1000000);
          }
        }
        y.set([z0, z1, z2, z3]);
      }
    }
    return y;
  }

  function byHand(key, number, sealed, about) {
    if (sealed.length < TAG) return null;
    const [keys, text] = [scheduled(key), sealed.subarray(0, sealed.length - TAG)];
    const counted = (count) => {
      const block = new Uint8Array(16);
      block.set(number);
      new DataView(block.buffer).setUint32(12, count);
      return under(keys, block);
    };
    const lengths = new DataView(new ArrayBuffer(16));
    lengths.setUint32(4, about.length * 8);
    lengths.setUint32(12, text.length * 8);
    const found = hashed(under(keys, new Uint8Array(16)), [about, text, new Uint8Array(lengths.buffer)]);
    const mask = new DataView(counted(1).buffer);
    const tag = new DataView(sealed.buffer, sealed.byteOffset + text.length);
    if ([0, 1, 2, 3].some((i) => found[i] ^ mask.getInt32(4 * i) ^ tag.getInt32(4 * i))) return null;
    const plain = new Uint8Array(text.length);
    for (let at = 0, count = 2; at < text.length; at += 16, count += 1) {
      const stream = counted(count);
      for (let i = 0; i < 16 && at + i < text.length; i += 1) plain[at + i] = text[at + i] ^ stream[i];
    }
    return plain;
  }

  globalThis.tableSealed = { linked, opened, past, widened, decrypted, byHand };
})();
