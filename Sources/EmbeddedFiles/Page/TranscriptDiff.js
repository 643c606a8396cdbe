// A stored transcript beside the one that was found, line by line.

const masks = /(?<!\\)<(?:[\w-]+:)?(?:uuid|number|integer|date|money|word|any)>/g;

/** A stored value with its masks marked. */
function withMasks(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(masks)) {
    parts.push(text.slice(end, found.index), make("span", "mask", found[0]));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}

/** Two texts that differ, each with its own part marked, from word to word. */
function apart(one, other) {
  const left = one.split(/(?<=\s)|(?=\s)/);
  const right = other.split(/(?<=\s)|(?=\s)/);
  // A mask stands for a word, whichever.
  const alike = (a, b) => a === b || (a.search(masks) >= 0 && b.trim() !== "");
  let head = 0;
  while (head < Math.min(left.length, right.length) && alike(left[head], right[head])) head += 1;
  let tail = 0;
  while (tail < Math.min(left.length, right.length) - head
    && alike(left[left.length - 1 - tail], right[right.length - 1 - tail])) tail += 1;
  const show = (words) => {
    const own = words.slice(head, words.length - tail).join("");
    return [...withMasks(words.slice(0, head).join("")),
      own === "" ? null : make("mark", "", ...withMasks(own)),
      ...withMasks(words.slice(words.length - tail).join(""))];
  };
  return [show(left), show(right)];
}

function transcriptDiff(lines) {
  const grid = make("div", "versus", make("b", "", "stored"), make("b", "", "found"));
  for (const line of lines.slice(0, 200).filter(isObject)) {
    const number = line.count ?? 1;
    if (line.kind === "hidden" || line.kind === "gap") {
      const what = line.kind === "hidden" ? `${count(number, "line")} as stored`
        : `… stands for ${number === 1 ? "1 entry" : number.toLocaleString("en") + " entries"}`;
      if (number > 0) grid.append(make("div", "between", what));
      continue;
    }
    const head = () => make("div", "who",
      `${shortened(plain(line.actor ?? ""), 60)} ${line.done ? "→" : "←"} ${shortened(plain(line.name ?? ""), 60)}`);
    const stored = make("div", "side stored " + plain(line.kind));
    const found = make("div", "side found " + plain(line.kind));
    stored.append(line.kind === "unexpected" ? make("span", "note", "not stored") : head());
    found.append(line.kind === "missing" ? make("span", "note", "did not come") : head());
    for (const one of listOf(line.fields).filter(isObject)) {
      const name = shortened(plain(one.name ?? ""), 60);
      const isBoth = one.stored !== undefined && one.found !== undefined;
      const [left, right] = one.fits || !isBoth
        ? [withMasks(plain(one.stored ?? "")), [plain(one.found ?? "")]] : apart(plain(one.stored), plain(one.found));
      const look = one.fits || line.kind !== "changed" ? "value" : "value unfit";
      if (one.stored !== undefined) stored.append(make("div", look, make("span", "note", name + " "), ...left));
      if (one.found !== undefined) found.append(make("div", look, make("span", "note", name + " "), ...right));
      else if (line.kind === "changed") found.append(make("div", look, make("span", "note", name + " is not there")));
    }
    grid.append(stored, found);
  }
  return grid;
}
