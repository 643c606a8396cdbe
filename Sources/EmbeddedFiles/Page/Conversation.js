// The conversations of a scenario, one for each attempt: read, shown row by row, stepped through. Bubbles.js makes what
// stands in a row, DetailPane.js what stands at the side.

const shapes = {
  j: ["joined", "actor", "system", "role"],
  c: ["commanded", "actor", "name", "arguments", "line"],
  o: ["observed", "actor", "number", "kind", "fields", "raw"],
  s: ["showed", "actor", "screen"],
  w: ["wire", "connection", "direction", "summary", "bytes", "form", "cut"],
  b: ["step", "name", "line"],
  e: ["step end", "name"],
  x: ["expected", "actor", "line", "description", "met", "events"],
  l: ["logged", "level", "text"],
  a: ["attached", "name", "path", "mediaType"],
};
const placed = ["raw", "summary", "bytes"];
const chunk = 300;

function decode(values, texts) {
  const [type, ...names] = shapes[values[0]];
  const entry = { type, at: values[1] };
  names.forEach((name, place) => {
    const value = values[place + 2];
    entry[name] = placed.includes(name) && value !== null ? texts[value] : value ?? undefined;
  });
  if (entry.type === "wire") entry.actor = entry.connection.split("/")[0];
  return entry;
}

let view = null;
let showsWire = false;
/** Whether all attempts at a scenario stand side by side; otherwise one of them has the whole width. */
let showsAll = false;

/** Reads the block of an attempt and says where its problems belong. */
async function read(attempt) {
  const data = await origin.conversation(attempt);
  const entries = data.entries.map((values) => decode(values, data.texts));
  const actors = new Map();
  let depth = 0;
  for (const entry of entries) {
    if (entry.type === "joined") actors.set(entry.actor, entry);
    if (entry.type === "step end") depth = Math.max(0, depth - 1);
    entry.depth = depth;
    if (entry.type === "step") depth += 1;
  }
  for (const entry of entries) {
    if (entry.actor && entry.type !== "wire" && !actors.has(entry.actor)) actors.set(entry.actor, {});
  }
  const faults = new Map();
  const end = entries.findLastIndex((e) => !["wire", "showed"].includes(e.type));
  const free = new Set([...entries.keys()].filter((i) => entries[i].type === "expected" && !entries[i].met));
  for (const problem of data.end?.problems ?? []) {
    const own = [...free];
    const place = own.find((i) => entries[i].line === problem.line) ?? (problem.soft ? own[0] : undefined)
      ?? (end < 0 ? entries.length - 1 : end);
    free.delete(place);
    if (!faults.has(place)) faults.set(place, []);
    faults.get(place).push(problem);
  }
  const guilty = new Set();
  for (const problem of [...faults.values()].flat()) {
    const numbers = culprits(problem);
    entries.forEach((entry, place) => {
      if (entry.type === "observed" && entry.actor === problem.evidence?.actor && numbers.has(entry.number)) {
        guilty.add(place);
        entry.guilty = true;
      }
    });
  }
  const streams = streamsOf(entries);
  return { attempt, entries, actors: [...actors], faults, guilty, streams, cursor: -1, rows: new Map(), made: 0 };
}

/** The attempts that stand side by side: all; of many tries the chosen one, the last and one that failed. */
function besides(entry, attempt) {
  if (!entry.last.try) return entry.attempts;
  const failed = entry.attempts.findLast((a) => a.outcome !== "passed" && a !== entry.last);
  return entry.attempts.filter((a) => a === attempt || a === entry.last || a === failed);
}

async function showCase(entry, attempt, moment) {
  const views = await Promise.all(besides(entry, attempt).map(read));
  if (selected?.id !== entry.id) return;
  const current = views.find((v) => v.attempt === attempt);
  const last = entry.last;
  const back = button("back", () => go(null), "‹ all scenarios");
  const facts = make("div", "line", make("span", "mono", `${last.path}:${last.line}`), ...entry.tags.map((tag) =>
    button("tag", () => chooseTag(tag), tag)), make("span", "", times(current.attempt)),
    make("span", "", count(last.entries, "entry").replace("entrys", "entries")), make("span", "", `seed ${last.seed}`));
  const head = make("div", "head " + entry.outcome, back,
    make("h1", "", make("span", "badge", `${marks[entry.outcome]} ${word(entry.outcome)}`), make("span", "", last.name)),
    facts);
  if (entry.passes) {
    head.append(make("div", "line", make("span", "", `passes: ${entry.passes.text}`),
      make("span", "", entry.passes.verdict === "inconclusive" ? "inconclusive" : "")));
    if (entry.passes.baseline) head.append(make("div", "line", make("span", "", `baseline: ${entry.passes.baseline}`)));
    for (const check of entry.passes.checks ?? []) {
      head.append(make("div", "line check", make("span", "mono", check.place),
        make("span", "", check.figures), make("span", "mono", check.text)));
    }
    head.append(make("div", "line", ...entry.attempts.map((a) =>
      button("tag", () => go(entry, a), `${marks[a.outcome]} ${a.attempt}`))));
  }
  if (last.empty) head.append(make("div", "line", "passed and asserted nothing"));
  if (last.reason) head.append(make("div", "line", `${word(last.outcome)}: ${last.reason}`));
  const tools = make("div", "line tools");
  if (last.replay && entry.outcome !== "skipped") {
    tools.append(make("code", "", last.replay), copier("copy command", () => last.replay));
  }
  tools.append(copier("copy link", () => location.href));
  if (live) tools.prepend(button("copy", () => live.play([last.number]), "play again"));
  head.append(tools);
  const attempts = make("div", "attempts");
  const tabs = make("div", "tabs");
  for (const one of views) attempts.append(attemptPane(one, views.length));
  if (views.length > 1) {
    tabs.append(...views.map(tabOf));
    tabs.setAttribute("role", "group");
    tabs.setAttribute("aria-label", "Attempts");
  }
  const beside = make("aside", "");
  beside.id = "beside";
  beside.setAttribute("aria-label", "The entry");
  // What scrolls must be reached by keys, too.
  beside.tabIndex = 0;
  const problems = make("div", "causes");
  [...current.faults.values()].flat().slice(0, 12).forEach((problem, place) => {
    const panel = failurePanel(current, problem);
    problems.append(place === 0 ? panel
      : make("details", "further", make("summary", "", shortened(problem.message, 200)), panel));
  });
  $("detail").replaceChildren(head, problems, make("div", "stepper"), make("div", "work", make("div", "played", tabs, attempts), beside));
  showAll(showsAll);
  choose(current, moment);
}

function attemptPane(one, number) {
  one.talk = make("div", "talk");
  one.talk.tabIndex = 0;
  one.talk.setAttribute("aria-label", "Conversation");
  one.talk.style.setProperty("--lanes", Math.max(1, one.actors.length));
  const lanes = make("div", "lanes");
  one.actors.forEach(([name, actor], place) => {
    const lane = make("b", "", shortened(name, 60) + " ",
      make("small", "", actor.role ? `${actor.role} · ${actor.system}` : ""));
    lane.style.gridColumn = place + 2;
    lanes.append(lane);
  });
  if (one.actors.length > 0) one.talk.append(lanes);
  if (one.entries.length === 0) one.talk.append(make("p", "note", "Nothing happened in this scenario."));
  one.pane = make("div", "attempt");
  if (number > 1) one.pane.append(make("h2", "", tabOf(one)));
  one.pane.append(one.talk);
  extend(one, chunk);
  return one.pane;
}

/** What an attempt is chosen by. */
function tabOf(one) {
  const outcome = one.attempt.outcome;
  const tab = button("tab", () => choose(one), mark(outcome), `${one.attempt.try ? "try" : "attempt"} ${one.attempt.attempt}: ${word(outcome)}`,
    make("span", "note", `${duration(one.attempt.time)} · seed ${one.attempt.seed}`));
  tab.dataset.place = one.attempt.place;
  return tab;
}

/** Shows all attempts side by side, without the entry at the side, or one attempt. */
function showAll(on) {
  showsAll = on;
  const work = document.querySelector(".work");
  work.classList.toggle("all", on && selected.attempts.length > 1);
  work.classList.toggle("single", !on && selected.attempts.length > 1);
}

/** Whether an entry has a row: screens stand at the side, and bytes have a row only when they are asked for. */
const isShown = (one, place) => one.faults.has(place)
  || (one.entries[place].type === "wire" ? showsWire : one.entries[place].type !== "showed");

/** Makes rows up to that entry. */
function extend(one, until) {
  one.more?.remove();
  const rows = document.createDocumentFragment();
  for (; one.made < Math.min(until, one.entries.length); one.made += 1) {
    if (isShown(one, one.made)) rows.append(makeRow(one, one.made));
    for (const problem of one.faults.get(one.made) ?? []) rows.append(makeFault(problem));
  }
  if (one.entries.length === 0) {
    for (const all of one.faults.values()) rows.append(...all.map(makeFault));
  }
  one.talk.append(rows);
  if (one.made < one.entries.length) {
    one.more = button("", () => extend(one, one.made + chunk),
      `show more (${one.entries.length - one.made} entries)`);
    one.talk.append(one.more);
  }
}

/** The text of a problem; lines of the script stay whole, so that the mark under them is where it belongs. */
function detail(text) {
  const pre = make("pre", "detail");
  for (const line of text.split("\n")) {
    pre.append(make("span", /^ {2,}[> ] *\d* +\|/.test(line) ? "raw" : "", line), "\n");
  }
  return pre;
}

/** Where a problem belongs in the conversation; what it is stands above. */
function makeFault(problem) {
  const look = problem.category === "error" ? "error" : "failed";
  const place = problem.line ? `${problem.file ?? ""}:${problem.line}` : "";
  return make("div", "row", make("div", "fault " + look, make("span", "badge", problem.category),
    make("span", "", problem.type), make("span", "mono", place),
    make("span", "", problem.limit ? "limit: " + problem.limit : ""),
    make("span", "", problem.soft ? "soft: the scenario went on" : "")));
}

function makeRow(one, place) {
  const entry = one.entries[place];
  const stream = one.streams.get(place);
  if (stream?.row) { one.rows.set(place, stream.row); return document.createDocumentFragment(); }
  const row = make("div", "row" + (one.guilty.has(place) ? " culprit" : ""));
  const before = place > 0 ? one.entries[place - 1].at : one.attempt.at;
  const time = make("time", "",
    entry.at - before >= 5e5 || place === 0 ? duration(entry.at - one.attempt.at) : "");
  row.append(time);
  const cell = make("div", "cell");
  const lane = one.actors.findIndex(([name]) => name === entry.actor);
  cell.style.gridColumn = lane < 0 ? "2 / -1" : lane + 2;
  if (lane < 0) cell.style.setProperty("--depth", entry.depth);
  if (lane < 0) cell.classList.add("whole");
  if (stream) {
    stream.row = row;
    cell.append(...streamed(stream));
  } else {
    cell.append(...contentsOf(entry, cell));
  }
  row.append(cell);
  row.addEventListener("click", () => { choose(one, place); });
  one.rows.set(place, row);
  return row;
}

function contentsOf(entry, cell) {
  const line = entry.line ? `  · line ${entry.line}` : "";
  switch (entry.type) {
    case "joined": return [make("div", "note", make("b", "", entry.actor), ` joins as ${entry.role}`)];
    case "commanded": case "observed": {
      const [look, ...parts] = entry.type === "commanded" ? commanded(entry) : observed(entry);
      if (look) cell.classList.add(look);
      return parts.filter((part) => part !== null);
    }
    case "wire": {
      const arrow = entry.direction === "sent" ? "▲" : "▼";
      return [make("div", "frame", `${arrow} ${entry.connection}  ${shortened(entry.summary, 300)}  `
        + shortened(entry.bytes ?? "", 300))];
    }
    case "step": return [make("div", "step", entry.name + line)];
    case "step end": return [make("div", "step end", `${entry.name} ended`)];
    case "expected": {
      const events = (entry.events ?? []).map((n) => " #" + n).join("");
      return [make("div", "check " + (entry.met ? "met" : "unmet"),
        `${entry.met ? "✓" : "✗"} ${shortened(entry.description, 400)}${events}${line}`)];
    }
    case "showed": return [make("div", "note", "the screen changed")];
    case "logged": return [make("div", "note level-" + entry.level, `log ${entry.level}: `, long(entry.text))];
    default: return [make("div", "note", make("b", "", "attached "), `${entry.name}: ${entry.path}`)];
  }
}

/** Makes an attempt the one that the time line moves through. */
function choose(one, place) {
  view = one;
  for (const pane of document.querySelectorAll(".attempt")) pane.classList.toggle("current", pane === one.pane);
  for (const tab of document.querySelectorAll(".tab")) {
    tab.setAttribute("aria-pressed", tab.dataset.place === String(one.attempt.place));
  }
  one.places = [...one.entries.keys()].filter((i) => isShown(one, i));
  makeStepper(one);
  const faults = [...one.faults.keys()];
  const whole = one.places[one.places.length - 1] ?? 0;
  step(place ?? (faults.length ? Math.max(...faults) : whole), place !== undefined || faults.length === 0,
    place === undefined);
  // The page itself begins with what happened, not with where it happened.
  if (place === undefined) for (const pane of [$("detail"), $("panes")]) pane.scrollTop = 0;
}

function makeStepper(one) {
  const range = make("input");
  range.type = "range";
  range.min = 0;
  range.max = Math.max(0, one.places.length - 1);
  range.id = "range";
  range.setAttribute("aria-label", "Time line");
  range.addEventListener("input", () => step(one.places[Number(range.value)]));
  const strip = make("div", "strip");
  const share = Math.max(1, Math.ceil(one.places.length / 240));
  for (let i = 0; i < one.places.length; i += share) {
    const part = one.places.slice(i, i + share).map((p) => one.entries[p]);
    const look = part.some((e) => e.type === "expected" && !e.met) ? "unmet"
      : part.some((e) => /message/.test(e.kind ?? "") || e.arguments?.text !== undefined) ? "said"
      : part.some((e) => e.type === "expected") ? "met" : part.some((e) => e.type === "commanded") ? "done" : "";
    strip.append(make("i", look));
  }
  const output = make("output");
  output.id = "moment";
  const choice = (id, isOn, change) => {
    const box = make("input");
    box.type = "checkbox";
    box.id = id;
    box.checked = isOn;
    box.addEventListener("change", () => change(box.checked));
    return box;
  };
  const choices = [make("label", "", choice("wire", showsWire, toggleWire), " wire")];
  if (selected.attempts.length > 1) {
    choices.unshift(make("label", "wide", choice("all", showsAll, showAll), " side by side"));
  }
  const previous = button("", () => move1(-1), "◀");
  const next = button("", () => move1(1), "▶");
  previous.title = "One back (←)";
  next.title = "One on (→)";
  document.querySelector(".stepper").replaceChildren(previous, next, make("div", "track", range, strip), output,
    ...choices);
}

function move1(by) {
  if (!view || view.places.length === 0) return;
  const place = view.places.indexOf(view.cursor);
  step(view.places[Math.max(0, Math.min(view.places.length - 1, place + by))]);
}

function toggleWire(on) {
  showsWire = on;
  const place = view.cursor;
  showCase(selected, view.attempt).then(() => { if (isShown(view, place)) step(place); });
}

/**
 * Moves to an entry: what comes later fades, and the side shows the entry.
 * Unless nobody has asked for it, the address has the moment then.
 */
function step(place, stays, isUnasked) {
  if (view.entries.length === 0) return;
  if (place >= view.made && !stays) extend(view, place + chunk);
  if (!isShown(view, place)) place = view.places.findLast((p) => p <= place) ?? view.places[0] ?? place;
  view.cursor = place;
  for (const [at, row] of view.rows) {
    const stream = view.streams.get(at);
    const [first, final] = stream ? [stream.places[0], stream.places[stream.places.length - 1]] : [at, at];
    row.classList.toggle("later", first > place);
    row.classList.toggle("now", first <= place && place <= final);
    if (at === first) stream?.grow(place);
  }
  const row = view.rows.get(place);
  if (!stays) row?.scrollIntoView({ block: view.faults.has(place) ? "center" : "nearest" });
  $("range").value = Math.max(0, view.places.indexOf(place));
  const since = view.entries[place].at - view.attempt.at;
  $("moment").textContent = `${view.places.indexOf(place) + 1} of ${view.places.length}  at ${duration(since)}`;
  if (!isUnasked) remember(place);
  showDetail(view, place);
}

/** Keeps the moment in the address without a step of the browser's history. */
function remember(place) {
  if (!selected) return;
  const isLast = place === view.places[view.places.length - 1];
  history.replaceState(null, "", addressOf(selected, view.attempt, isLast ? undefined : place));
}
