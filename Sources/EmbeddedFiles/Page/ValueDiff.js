// What a failure expected beside what was found, value by value.

/** A text of which every second part is marked. */
function marked(parts) {
  return listOf(parts).map((part, place) => (place % 2 === 1 && part !== "" ? make("mark", "", part) : part));
}

/** What was expected and what was found, place by place, with the characters marked that differ. */
function differenceTable(differences) {
  const grid = make("div", "differs");
  for (const one of listOf(differences).filter(isObject).slice(0, 20)) {
    if (one.path !== "") grid.append(make("div", "path mono", shortened(plain(one.path), 200)));
    grid.append(make("div", "side-name", "expected"), make("div", "wanted mono", ...marked(one.expected)),
      make("div", "side-name", "found"), make("div", "found mono", ...marked(one.found)));
  }
  return grid;
}
