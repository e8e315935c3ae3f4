/* The letter: a link that opens the reader's mail program with it, as far as every program takes such a link. */
"use strict";

(() => {
  const MOST = 1600;
  const quoted = (text) => encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

  /** The lines of a sheet as the body of a letter. */
  function bodyOf(sheet, ends) {
    const lines = sheet.split(/\r?\n/).map((line) => line.trimEnd());
    while (lines.length && !lines.at(-1)) lines.pop();
    if (ends && !lines.some((line) => /^\s*roll\s*out\s*\.?\s*$/i.test(line))) lines.push("ROLL OUT");
    return lines;
  }

  /** The link, and whether the letter's text goes with it: above what the narrowest programs take it does not. */
  function linkOf(address, subject, lines) {
    const head = `mailto:${quoted(address).replace("%40", "@")}?subject=${quoted(subject)}`;
    const whole = `${head}&body=${quoted(lines.join("\r\n"))}`;
    return whole.length <= MOST ? { link: whole, holds: true } : { link: head, holds: false };
  }

  globalThis.tableLetter = { MOST, bodyOf, linkOf };
})();
