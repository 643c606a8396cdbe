const $ = (id) => document.getElementById(id);

/** Characters that act instead of showing become visible, as on the console. */
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const visible = (text) =>
  text.replace(acting, (c) => "\\u{" + c.codePointAt(0).toString(16).toUpperCase() + "}");

/** Makes an element; children that are no elements become text. */
function make(name, look, ...children) {
  const element = document.createElement(name);
  if (look) element.className = look;
  for (const child of children) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child instanceof Node ? child : visible(String(child)));
  }
  return element;
}
function button(look, action, ...children) {
  const element = make("button", look, ...children);
  element.type = "button";
  element.addEventListener("click", action);
  return element;
}

const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
const shortened = (text, length) => text.length > length ? text.slice(0, length) + " …" : text;
function duration(nanoseconds) {
  const ms = Math.max(0, nanoseconds) / 1e6;
  if (ms === 0) return "0s";
  if (ms < 0.9995) return Math.round(ms * 1000) + "µs";
  if (ms < 999.5) return +ms.toPrecision(ms < 10 ? 2 : 3) + "ms";
  const s = ms / 1000;
  if (s < 60) return +s.toFixed(s < 10 ? 2 : 1) + "s";
  const m = Math.floor(Math.round(s) / 60);
  return m < 60 ? `${m}m ${Math.round(s) % 60}s` : `${Math.floor(m / 60)}h ${m % 60}m`;
}

const index = JSON.parse($("index").textContent);
const marks = { failed: "✗", error: "!", flaky: "↻", unfinished: "…", expected_failure: "≈", skipped: "–", passed: "✓" };
const outcomes = Object.keys(marks);
const word = (outcome) => outcome.replace("_", " ");
const words = (outcome) => totals.get(outcome).toLocaleString("en") + " " + word(outcome)
  + (totals.get(outcome) > 1 && ["error", "expected_failure"].includes(outcome) ? "s" : "");

/** One case for each scenario, with all attempts at it. */
const cases = [];
const caseOfName = new Map();
index.attempts.forEach((attempt, place) => {
  attempt.place = place;
  attempt.path = index.files[attempt.file];
  attempt.name = attempt.title.join(" › ") + (attempt.row === undefined ? "" : ` [${attempt.row}]`)
    + (attempt.repetition === undefined ? "" : ` (repetition ${attempt.repetition})`);
  attempt.outcome ??= "unfinished";
  // How long it took on the wall, where that is known; its own time line may be virtual.
  attempt.span = attempt.ended === undefined ? 0 : attempt.ended - attempt.at;
  attempt.time = attempt.wall ?? attempt.span;
  const id = attempt.path + "::" + attempt.name;
  const known = attempt.attempt > 1 ? caseOfName.get(id) : undefined;
  if (known) { known.attempts.push(attempt); return; }
  const entry = { attempts: [attempt], order: cases.length, id };
  caseOfName.set(id, entry);
  cases.push(entry);
});
const caseOfPlace = new Map();
for (const entry of cases) {
  const last = entry.attempts[entry.attempts.length - 1];
  const failed = entry.attempts.find((a) => a.problem !== undefined);
  entry.last = last;
  entry.outcome = last.outcome === "passed" && entry.attempts.some((a) => a.outcome !== "passed")
    ? "flaky" : last.outcome;
  entry.time = entry.attempts.reduce((sum, a) => sum + a.time, 0);
  entry.tags = last.tags ?? [];
  entry.broken = last.problem !== undefined ? last : failed;
  entry.problem = entry.broken?.problem;
  entry.text = [last.name, last.path, ...entry.tags, entry.problem ?? "", last.reason ?? "",
    last.empty ? "asserted nothing" : ""].join("\n")
    .toLowerCase();
  for (const attempt of entry.attempts) caseOfPlace.set(attempt.place, entry);
}
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

/** Repetitions that passed as those before them did: counted, and not listed. */
const unlisted = index.unlisted.reduce((sum, one) => sum + one.passed, 0);
const totals = new Map(outcomes.map((o) => [o, cases.filter((c) => c.outcome === o).length]));
totals.set("passed", totals.get("passed") + unlisted);
const mark = (outcome) => make("span", "mark " + outcome, marks[outcome]);

/** The conversations stand behind this script, so they may still be on their way. */
const whenRead = document.readyState === "loading"
  ? new Promise((go) => document.addEventListener("DOMContentLoaded", go, { once: true })) : Promise.resolve();
async function block(id) {
  if (!$(id)?.nextSibling) await whenRead;
  return JSON.parse($(id).textContent);
}
let sources;
const source = async (file) => (sources ??= await block("sources"))[file];
