// The keys, the theme, and the facts at the top. As the last part of a report it sets up the others.

function failure(by) {
  const bad = listed.filter((c) => !["passed", "skipped", "expected_failure"].includes(c.outcome));
  if (bad.length === 0) return;
  const place = bad.indexOf(selected);
  go(bad[(place < 0 ? (by > 0 ? 0 : bad.length - 1) : place + by + bad.length) % bad.length]);
}
function theme() {
  const root = document.documentElement;
  const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"))
    === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  try { localStorage.setItem("repartee-theme", root.dataset.theme); } catch { /* The choice is not kept. */ }
}
const keys = {
  "j": ["next scenario", () => move(1)], "k": ["previous scenario", () => move(-1)],
  "n": ["next that did not pass", () => failure(1)], "p": ["previous that did not pass", () => failure(-1)],
  "ArrowRight": ["one entry on", () => move1(1)], "ArrowLeft": ["one entry back", () => move1(-1)],
  "w": ["show the bytes on the wire", () => view && selected && toggleWire(!showsWire)],
  "/": ["search", () => $("search").focus()], "t": ["light or dark", theme],
  "?": ["these keys", () => $("help").showModal()], "Escape": ["overview", () => go(null)],
};

function setUpKeys() {
  addEventListener("keydown", (event) => {
    const target = event.target;
    const isField = /^(INPUT|SELECT)$/.test(target.tagName) && target.type !== "checkbox";
    if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
    if (isField && event.key === "Escape") target.blur();
    if (isField) return;
    if (target === $("list")) {
      const page = Math.max(1, Math.floor($("list").clientHeight / rowHeight) - 1);
      const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }[event.key];
      if (by !== undefined) { event.preventDefault(); return move(by); }
      if (event.key === "Enter" && selected) return document.querySelector(".talk")?.focus();
    }
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action[1]();
  });
  const names = { ArrowRight: "→", ArrowLeft: "←", Escape: "Esc" };
  const rows = Object.entries(keys).map(([key, [what]]) =>
    make("tr", "", make("td", "", make("kbd", "", names[key] ?? key)), make("td", "", what)));
  $("help").append(make("h2", "", "Keys"), make("table", "", ...rows),
    make("p", "note", "In the list, the arrow keys, Home, End and the page keys move, too."),
    button("", () => $("help").close(), "Close"));
  $("help-button").addEventListener("click", () => $("help").showModal());
  $("theme").addEventListener("click", theme);
}

try {
  const kept = localStorage.getItem("repartee-theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch { /* The browser decides. */ }
function showFacts() {
  const run = index.run;
  if (!run) return;
  const own = index.end ? duration(index.end.duration) : null;
  const spent = index.elapsed === undefined ? null : duration(index.elapsed);
  $("facts").textContent = visible([spent ?? (run.clock === "real" ? own : null),
    run.clock === "virtual" ? `${own ?? ""} of virtual time`.trim() : null, `target ${run.target}`, `seed ${run.seed}`,
    run.shard ? `shard ${run.shard.index}/${run.shard.count}` : null,
    index.started_at?.replace("T", " ").replace("Z", " UTC"), `version ${run.tool}`].filter(Boolean).join("  ·  "));
}
showFacts();
// What is printed is the whole conversation, not the part that is shown so far.
addEventListener("beforeprint", () => { if (view && selected) extend(view, view.entries.length); });
setUpList();
setUpKeys();
filter();
arrive();
