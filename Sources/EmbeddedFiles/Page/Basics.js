// What all parts of a report use: its index, the cases made of it, the marks of outcomes, and where conversations and
// sources come from (`origin`, which Live.js replaces).

const index = JSON.parse($("index").textContent);
const marks = { failed: "✗", error: "!", flaky: "↻", unfinished: "…", expected_failure: "≈", skipped: "–", passed: "✓" };
const outcomes = Object.keys(marks);
/** What a page has that follows a run while it goes; undefined in a report. */
const live = index.live;
const word = (outcome) => (live && outcome === "unfinished" ? "playing" : outcome.replace("_", " "));
const words = (outcome) => totals.get(outcome).toLocaleString("en") + " " + word(outcome)
  + (totals.get(outcome) > 1 && ["error", "expected_failure"].includes(outcome) ? "s" : "");

/** One case for each scenario, with all attempts at it. */
const cases = [];
const caseOfName = new Map();
const caseOfPlace = new Map();
/** Repetitions that passed as those before them did: counted, and not listed. */
let unlisted = 0;
const totals = new Map();
const idOf = (attempt) => index.files[attempt.file] + "::" + nameOf(attempt);
const nameOf = (attempt) => attempt.title.join(" › ") + (attempt.row === undefined ? "" : ` [${attempt.row}]`)
  + (attempt.repetition === undefined ? "" : ` (repetition ${attempt.repetition})`);

/** Makes the cases of what the index has now. */
function arrange() {
  cases.length = 0;
  caseOfName.clear();
  caseOfPlace.clear();
  index.attempts.forEach((attempt, place) => {
    attempt.place = place;
    attempt.path = index.files[attempt.file];
    attempt.name = nameOf(attempt);
    attempt.outcome ??= "unfinished";
    // How long it took on the wall, where that is known; its own time line may be virtual.
    attempt.span = attempt.ended === undefined ? 0 : attempt.ended - attempt.at;
    attempt.time = attempt.wall ?? attempt.span;
    const id = idOf(attempt);
    const known = attempt.attempt > 1 ? caseOfName.get(id) : undefined;
    if (known) { known.attempts.push(attempt); return; }
    const entry = { attempts: [attempt], order: cases.length, id };
    caseOfName.set(id, entry);
    cases.push(entry);
  });
  for (const entry of cases) {
    const last = entry.attempts[entry.attempts.length - 1];
    const failed = entry.attempts.find((a) => a.problem !== undefined);
    entry.last = last;
    // Of several tries the rate decides, and the last one has the verdict; of other attempts one that failed is a
    // flake.
    entry.passes = last.passes;
    entry.outcome = !last.try && last.outcome === "passed" && entry.attempts.some((a) => a.outcome !== "passed")
      ? "flaky" : last.outcome;
    entry.time = entry.attempts.reduce((sum, a) => sum + a.time, 0);
    entry.tags = last.tags ?? [];
    entry.broken = last.problem !== undefined ? last : failed;
    entry.problem = entry.broken?.problem;
    entry.text = [last.name, last.path, ...entry.tags, entry.problem ?? "", last.reason ?? "",
      last.empty ? "asserted nothing" : "", entry.passes?.verdict ?? ""].join("\n")
      .toLowerCase();
    for (const attempt of entry.attempts) caseOfPlace.set(attempt.place, entry);
  }
  unlisted = index.unlisted.reduce((sum, one) => sum + one.passed, 0);
  for (const outcome of outcomes) totals.set(outcome, cases.filter((c) => c.outcome === outcome).length);
  totals.set("passed", totals.get("passed") + unlisted);
}
arrange();

/** How long an attempt took: on the wall, and on its own time line if that is another. */
function times(attempt) {
  const own = duration(attempt.span);
  if (attempt.wall === undefined) return index.run?.clock === "virtual" ? own + " of virtual time" : own;
  const wall = duration(attempt.wall);
  return index.run?.clock === "virtual" ? `${wall} (${own} of virtual time)` : wall;
}

/** A button that copies a text, and says so. */
function copier(label, text) {
  const element = button("copy", async () => {
    try { await navigator.clipboard.writeText(text()); } catch { prompt("Copy:", text()); return; }
    element.textContent = "copied";
    setTimeout(() => { element.textContent = label; }, 1200);
  }, label);
  return element;
}

const mark = (outcome) => make("span", "mark " + outcome, marks[outcome]);

/** The conversations stand behind this script, so they may still be on their way. */
const whenRead = document.readyState === "loading"
  ? new Promise((go) => document.addEventListener("DOMContentLoaded", go, { once: true })) : Promise.resolve();
async function block(id) {
  if (!$(id)?.nextSibling) await whenRead;
  return JSON.parse($(id).textContent);
}
let sources;
/** Where conversations and scripts come from: the report holds them, and a run that goes is asked for them. */
const origin = {
  conversation: (attempt) => block("a" + attempt.place),
  source: async (file) => (sources ??= await block("sources"))[file],
};
const source = (file) => origin.source(file);
