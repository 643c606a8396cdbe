// The list of scenarios at the side, with its search, tags and order, and which one is selected.

const chosen = new Set();
let listed = [];
let selected = null;
const rowHeight = 54;

function filter() {
  const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const tag = $("tags").value;
  listed = cases.filter((entry) =>
    (chosen.size === 0 || chosen.has(entry.outcome)) && (tag === "" || entry.tags.includes(tag.slice(1)))
    && words.every((word) => entry.text.includes(word)));
  const orders = {
    trouble: (a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) || a.order - b.order,
    run: (a, b) => a.order - b.order,
    slow: (a, b) => b.time - a.time || a.order - b.order,
    name: (a, b) => (a.last.path < b.last.path ? -1 : a.last.path > b.last.path ? 1
      : a.last.name < b.last.name ? -1 : a.last.name > b.last.name ? 1 : a.order - b.order),
  };
  listed.sort(orders[$("order").value]);
  $("shown").textContent = listed.length === cases.length ? count(cases.length, "scenario")
    : `${listed.length.toLocaleString("en")} of ${cases.length.toLocaleString("en")}`;
  $("rows").style.height = listed.length * rowHeight + "px";
  $("list").scrollTop = 0;
  paint();
}

function caseRow(entry, place) {
  const attempts = entry.passes ? ` · passes: ${entry.passes.text}`
    : entry.attempts.length > 1 ? ` · ${entry.attempts.length} attempts` : "";
  const below = entry.outcome === "failed" || entry.outcome === "error" ? entry.problem : undefined;
  const row = make("div", "case", mark(entry.outcome), make("span", "name", shortened(entry.last.name, 200)),
    make("span", "time", entry.outcome === "skipped" ? "skipped" : duration(entry.time)),
    make("span", below ? "where problem" : "where",
      shortened(below ?? entry.last.reason ?? entry.last.path + ":" + entry.last.line, 200) + attempts));
  row.id = "case" + entry.order;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", entry === selected);
  row.setAttribute("aria-setsize", listed.length);
  row.setAttribute("aria-posinset", place + 1);
  row.setAttribute("aria-label", `${word(entry.outcome)}: ${shortened(entry.last.name, 200)}`);
  row.style.transform = `translateY(${place * rowHeight}px)`;
  row.addEventListener("click", () => go(entry));
  return row;
}

/** Makes the rows that are in view, and a few around them. */
function paint() {
  const list = $("list");
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 5);
  const last = Math.min(listed.length, first + Math.ceil(list.clientHeight / rowHeight) + 10);
  const rows = [];
  for (let place = first; place < last; place += 1) rows.push(caseRow(listed[place], place));
  $("rows").replaceChildren(...rows);
  if (selected) list.setAttribute("aria-activedescendant", "case" + selected.order);
  else list.removeAttribute("aria-activedescendant");
}

/** Brings the selected row into view. */
function reveal() {
  const place = listed.indexOf(selected);
  const list = $("list");
  if (place >= 0) {
    const top = place * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + rowHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + rowHeight - list.clientHeight;
    }
  }
  paint();
}

/** Selects the case that many places below. */
function move(by) {
  if (listed.length === 0) return;
  const place = listed.indexOf(selected);
  const next = place < 0 ? (by > 0 ? 0 : listed.length - 1) : place + by;
  go(listed[Math.max(0, Math.min(listed.length - 1, next))]);
}

/** Makes what one can choose by: the outcomes and the tags that there are. */
function showChoices() {
  $("outcomes").replaceChildren(...outcomes.filter((o) => totals.get(o) > 0).map((outcome) => {
    const chip = button(outcome, () => {
      if (!chosen.delete(outcome)) chosen.add(outcome);
      chip.setAttribute("aria-pressed", chosen.has(outcome));
      filter();
    }, `${marks[outcome]} ${words(outcome)}`);
    chip.setAttribute("aria-pressed", chosen.has(outcome));
    return chip;
  }));
  const tags = new Map();
  for (const entry of cases) for (const tag of entry.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  const option = (value, text) => {
    const element = make("option", "", text);
    element.value = value;
    return element;
  };
  const tag = $("tags").value;
  $("tags").replaceChildren(option("", "all tags"), ...[...tags].sort((a, b) => (a[0] < b[0] ? -1 : 1))
    .map(([name, number]) => option("#" + name, `${shortened(name, 40)} (${number})`)));
  $("tags").value = tags.has(tag.slice(1)) ? tag : "";
  $("tags").hidden = tags.size === 0;
}

function setUpList() {
  showChoices();
  $("search").addEventListener("input", filter);
  $("tags").addEventListener("change", filter);
  $("order").addEventListener("change", filter);
  $("list").addEventListener("scroll", paint, { passive: true });
  addEventListener("resize", paint);
  addEventListener("hashchange", arrive);
}

/** Chooses one tag as if in the list. */
function chooseTag(tag) {
  $("tags").value = "#" + tag;
  filter();
}
