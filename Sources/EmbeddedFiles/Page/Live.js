// What a page has besides a report where it follows a run while it goes: it asks the tool for what is new, and has
// controls of the run.

/** How long the page waits before it asks again: after an answer, and after none. */
const pause = { answered: 100, failed: 1000 };
/** After so many questions without an answer the tool has ended. */
const patience = 3;
/** The attempts that the page was told of, by their numbers. */
const told = new Map();
let version = 0;
/** What stands in the address of a conversation that is shown, and how much of it there was. */
let shownUntil = "";

const ask = async (path) => {
  const answer = await fetch(path, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
};
const tell = async (path, message) => {
  try {
    const answer = await fetch(path, { method: "POST", body: JSON.stringify(message) });
    live.show(answer.ok ? "" : await answer.text());
  } catch { live.show("repartee does not answer; has it ended?"); }
};
/** A conversation that cannot be had, such as one that is too long for this page, has the reason in its place. */
origin.conversation = (attempt) => ask("conversations/" + attempt.number).catch((error) => (
  { entries: [["l", attempt.at, "warning", `The conversation is not shown: ${error.message}`]], texts: [] }));
origin.source = (file) => ask("sources/" + file);
live.play = (attempts) => tell("play", attempts ? { attempts } : {});

/** Of a scenario that was played again, only the attempts of its last run count. */
function newest() {
  const runs = new Map();
  for (const attempt of told.values()) {
    const id = idOf(attempt);
    if (!(runs.get(id) > attempt.run)) runs.set(id, attempt.run);
  }
  return [...told.values()].filter((attempt) => runs.get(idOf(attempt)) === attempt.run)
    .sort((a, b) => a.number - b.number);
}

/** Takes in what has changed and shows it. */
function take(news) {
  version = news.version;
  if (news.all) told.clear();
  for (const [number, run, attempt] of news.attempts) told.set(number, Object.assign(attempt, { number, run }));
  Object.assign(index, { run: news.run ?? undefined, end: news.end, elapsed: news.elapsed ?? undefined,
    started_at: news.started_at, files: news.files, unlisted: news.unlisted });
  Object.assign(live, { playing: news.playing, watching: news.watching, steps: news.steps, held: news.held });
  index.attempts = newest();
  arrange();
  const scroll = $("list").scrollTop;
  showChoices();
  filter();
  $("list").scrollTop = scroll;
  showFacts();
  showControls(news.problem ?? "");
  showAgain();
}

/** Shows the overview or the conversation anew if it is another one now; who reads keeps the place. */
function showAgain() {
  const { entry, attempt, moment } = addressed();
  selected = entry ?? null;
  if (!entry) {
    const scroll = $("detail").scrollTop;
    shownUntil = "";
    document.title = visible(`${headline()} – repartee`);
    showOverview();
    $("detail").scrollTop = scroll;
    return;
  }
  const until = [entry.id, attempt.number, attempt.entries, attempt.outcome].join();
  paint();
  if (until === shownUntil) return;
  shownUntil = until;
  document.title = visible(`${marks[entry.outcome]} ${shortened(entry.last.name, 120)} – repartee`);
  const shown = showCase(entry, attempt, moment);
  if (attempt.outcome === "unfinished" && moment === undefined) shown.then(toEnd);
}

/** What is said now stands in view. */
function toEnd() {
  if (!view || view.attempt.outcome !== "unfinished") return;
  extend(view, view.entries.length);
  view.rows.get(view.cursor)?.scrollIntoView({ block: "nearest" });
}

const bar = make("section", "");
bar.id = "live";
bar.setAttribute("aria-label", "The run");
const playAll = button("", () => live.play(), "play all");
const playFailed = button("", () => live.play(cases.filter((c) => ["failed", "error", "flaky"].includes(c.outcome))
  .map((c) => c.last.number)), "play what broke");
const stop = button("", () => tell("stop", {}), "stop");
const goOn = button("", () => tell("step", {}), "step");
goOn.title = "lets what is held go on by one";
const holding = make("input");
holding.type = "checkbox";
holding.id = "holding";
holding.addEventListener("change", () => tell("hold", { on: holding.checked }));
const watching = make("input");
watching.type = "checkbox";
watching.id = "watching";
watching.addEventListener("change", () => tell("watch", { on: watching.checked }));
const trouble = make("span", "problem");
trouble.setAttribute("role", "status");
bar.append(playAll, playFailed, stop, make("label", "", watching, " watch files"),
  make("label", "", holding, " step by step"), goOn, trouble);
$("top").after(bar);
live.show = (text) => { trouble.textContent = visible(text); };

function showControls(problem) {
  playAll.disabled = live.playing;
  playFailed.disabled = live.playing || totals.get("failed") + totals.get("error") + totals.get("flaky") === 0;
  stop.disabled = !live.playing;
  watching.checked = live.watching;
  holding.checked = live.held;
  holding.disabled = live.playing && !live.steps;
  goOn.disabled = !(live.playing && live.held && live.steps);
  live.show(problem);
}

async function follow() {
  let unanswered = 0;
  while (unanswered < patience) {
    try {
      take(await ask("changes?after=" + version));
      unanswered = 0;
    } catch (error) {
      // What was told and not shown is told again, with all before it.
      version = 0;
      unanswered += 1;
      live.show(`no answer: ${error.message}`);
    }
    await new Promise((go) => setTimeout(go, unanswered > 0 ? pause.failed : pause.answered));
  }
  for (const control of [playAll, playFailed, stop, watching, holding, goOn]) control.disabled = true;
  live.playing = false;
  live.show("repartee has ended; load this page again when it runs, or read report.html");
}
follow();
