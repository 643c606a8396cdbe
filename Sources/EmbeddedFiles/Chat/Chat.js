// The page for chats by hand: who takes part, what each can do, what was said. It uses Elements.js and Bubbles.js of
// reports, and Forms.js.

/** How long the page waits before it asks again: after an answer, and after none. */
const pause = { answered: 30, failed: 1000 };
/** After so many questions without an answer the tool has ended. */
const patience = 3;
let version = 0;
let forms = null;
let actors = [];
/** What has happened, by its number, and the refusals among it. */
let steps = [];
/** The panels of those who play, by their names. */
const panels = new Map();

const ask = async (path) => {
  const answer = await fetch(path, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
};
/** Asks for something to be done; returns why it was not. */
const tell = async (path, message) => {
  try {
    const answer = await fetch(path, { method: "POST", body: JSON.stringify(message) });
    return answer.ok ? "" : await answer.text();
  } catch { return "repartee does not answer; has it ended?"; }
};

const notice = make("p", "problem");
notice.setAttribute("role", "alert");
const say = (text) => { notice.textContent = visible(text); };

// The theme, as on the other pages.
$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"))
    === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  try { localStorage.setItem("repartee-theme", root.dataset.theme); } catch { /* The choice is not kept. */ }
});
try {
  const kept = localStorage.getItem("repartee-theme");
  if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
} catch { /* The browser decides. */ }

const bar = make("section", "tools");
bar.setAttribute("aria-label", "The conversation");
const systems = make("select");
systems.setAttribute("aria-label", "Chat system");
const begin = button("", async () => say(await tell("begin", { system: systems.value })), "Begin");
const save = make("a", "save", "Save as scenario");
save.href = "scenario";
save.download = "by-hand.lua";
save.hidden = true;
bar.append(make("h1", "", "Chat by hand"), systems, begin, save, notice);
const guests = make("section", "guests");
guests.setAttribute("aria-label", "Who comes");
const stage = make("section", "stage");
stage.setAttribute("aria-label", "Who plays");
const empty = make("p", "hint", "Choose a chat system and begin: a simulated server of it starts, and you play its ",
  "visitors and agents.");
$("chat").append(bar, empty, guests, stage);

/** A name that nobody has yet. */
function freeName(wanted) {
  let name = wanted;
  for (let number = 2; actors.some((actor) => actor.name === name); number += 1) name = `${wanted} ${number}`;
  return name;
}
const names = ["Sam", "Ada", "Max", "Eve"];

/** The form by which somebody comes: a client, or a party of a kind. */
function guest(kind, options) {
  const name = control({ name: "Name", type: "text", optional: false, summary: "" }, () => []);
  const suggest = () => freeName(kind ? names.find((one) => !actors.some((a) => a.name === one)) ?? kind
    : forms.clientName);
  name.input.value = suggest();
  const { element, fields } = fieldset(options, () => [], null);
  const form = make("form", "sheet", name.element, element);
  const add = make("button", "primary", kind ? `Take the part of the ${kind}` : `Add a ${forms.clientName}`);
  form.append(add);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const message = { name: name.input.value, options: valuesOf(fields) };
    if (kind) { message.kind = kind; delete message.options; }
    const problem = await tell("join", message);
    say(problem);
    if (problem) return;
    name.input.value = suggest();
    box.open = false;
  });
  const title = make("summary", "", kind ? `Play: ${kind}` : `Play: ${forms.clientName}`);
  const box = make("details", "guest", title, form);
  box.name = "guest";
  return box;
}

/** What can be asked of somebody. */
function declaredFor(actor) {
  if (actor.role === "server") return forms.server;
  return actor.role === "client" ? forms.client : forms.parties[actor.kind];
}

/** The panel of somebody: what they see and say, and what they can do. */
function panel(actor) {
  const { commands } = declaredFor(actor);
  const talk = make("div", "talk");
  talk.setAttribute("role", "log");
  talk.setAttribute("aria-label", `What ${actor.name} sees`);
  talk.tabIndex = 0;
  const state = make("p", "state");
  const problem = make("p", "problem");
  problem.setAttribute("role", "alert");
  const chooser = make("select");
  chooser.setAttribute("aria-label", `What ${actor.name} does`);
  for (const command of commands) chooser.append(new Option(command.name, command.name));
  const summary = make("p", "hint");
  const place = make("div");
  const go = make("button", "primary", "Do");
  let fields = [];
  const others = () => actors.filter((other) => other.name !== actor.name && other.role !== "server")
    .sort((a, b) => (b.role === "client") - (a.role === "client")).map((other) => other.name);
  const choose = () => {
    const command = commands.find((one) => one.name === chooser.value);
    if (!command) return;
    summary.replaceChildren(...marked(command.summary));
    const made = fieldset(command.fields, others, command.sends);
    fields = made.fields;
    place.replaceChildren(made.element);
    go.textContent = command.sends ? "Send" : "Do";
  };
  chooser.addEventListener("change", choose);
  /** Lets a person answer a form instead of writing the values as JSON; null if no command takes them. */
  const answer = (sent) => {
    const takes = (one) => one.type === "json" && !one.optional;
    if (!commands.some((one) => one.name === sent.submit && one.fields.some(takes))) return null;
    return () => {
      chooser.value = sent.submit;
      choose();
      const place = fields.findIndex((one) => takes(one.declared));
      const made = answers(sent);
      fields[place].element.replaceWith(made.element);
      fields[place] = { declared: fields[place].declared, input: null, read: made.read };
      made.fields[0]?.input.focus();
    };
  };
  const form = make("form", "composer", chooser, summary, place, go, problem);
  const act = async () => {
    const command = commands.find((one) => one.name === chooser.value);
    const reason = await tell("perform",
      { actor: actor.name, command: command.name, arguments: valuesOf(fields) });
    problem.textContent = visible(reason);
    if (reason || !command.sends) return;
    const text = fields.find((one) => one.declared.sends);
    text.input.value = "";
    text.input.focus();
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); act(); });
  // Enter sends, as chats do; with Shift it begins a line.
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || !(event.target instanceof HTMLTextAreaElement)) {
      return;
    }
    event.preventDefault();
    act();
  });
  if (commands.length === 0) form.replaceChildren(make("p", "hint", "Nothing is declared that it could do."));
  choose();
  const refresh = () => {
    for (const one of fields) {
      if (one.declared.type !== "actor") continue;
      const kept = one.input.value;
      one.input.replaceChildren(...(one.declared.optional ? [new Option("", "")] : []),
        ...others().map((name) => new Option(visible(name), name)));
      if (others().includes(kept)) one.input.value = kept;
    }
  };
  const element = make("article", "player " + actor.role,
    make("h2", "", actor.name, " ", make("small", "", actor.kind ?? "simulated server")), state, talk, form);
  element.setAttribute("aria-label", visible(actor.name));
  const made = { element, talk, state, refresh, answer, isAtEnd: true };
  // Who reads what was said before stays there; the others see what comes, also when the form below grows.
  talk.addEventListener("scroll", () => {
    made.isAtEnd = talk.scrollTop + talk.clientHeight >= talk.scrollHeight - 40;
  }, { passive: true });
  new ResizeObserver(() => { if (made.isAtEnd) toEnd(made); }).observe(talk);
  return made;
}

/** Fields of an event in a line. */
const inLine = (fields) => Object.entries(fields).filter(([, value]) => value !== null)
  .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`).join("  ·  ");

/** One thing that happened, as its actor sees it. */
function row(step) {
  const time = make("time", "", step.at.toFixed(1) + "s");
  if (step.what === "joined") return make("div", "cell", make("p", "note", step.actor === "server" ? "listens" : "comes"), time);
  if (step.what === "commanded") {
    const isText = typeof step.text === "string";
    const values = isObject(step.fields.values) ? step.fields.values : null;
    return make("div", "cell out", isText ? make("p", "bubble", step.text)
      : values ? filled(values, step.name.replaceAll("_", " "))
      : make("p", "act", `${step.name}(${inLine(step.fields)})`), time);
  }
  const { text, form: sent } = step.fields;
  if (typeof text === "string" && step.name === "message" && isEcho(step)) {
    return make("div", "cell out", make("p", "note", "✓ told by the server: ", text), time);
  }
  const [look, ...parts] = observed({ kind: step.name, fields: step.fields, number: step.number });
  const start = isObject(sent) ? panels.get(step.actor)?.answer(sent) : null;
  return make("div", "cell " + look, ...parts, start ? button("answer", start, "Fill it in") : null, time);
}

const toEnd = (home) => { if (home) home.talk.scrollTop = home.talk.scrollHeight; };

/** Some servers tell those who speak what they said: the last who said this is the one who hears it. */
function isEcho(step) {
  const said = steps.findLast((one) => one?.what === "commanded" && one.text === step.fields.text);
  return said?.actor === step.actor;
}

function showSteps(news) {
  for (const step of news) {
    steps[step.number] = step;
    if (step.what === "refused") {
      const refused = steps[step.step];
      refused?.row?.classList.add("refused");
      refused?.row?.append(make("p", "problem", step.message));
      toEnd(panels.get(refused?.actor));
      continue;
    }
    const home = panels.get(step.actor);
    if (!home) continue;
    step.row = row(step);
    home.talk.append(step.row);
    if (home.isAtEnd) toEnd(home);
  }
}

/** Takes in what has changed and shows it. */
async function take(news) {
  version = news.version;
  if (!news.actors) return;
  if (news.all) {
    forms = await ask("forms");
    steps = [];
    panels.clear();
    stage.replaceChildren();
    actors = [];
  }
  actors = news.actors;
  if (news.all) {
    guests.replaceChildren(guest(null, forms.client.options),
      ...Object.keys(forms.parties).map((kind) => guest(kind, [])));
    guests.firstChild.open = actors.length < 2;
  }
  for (const name of [...panels.keys()].filter((name) => !actors.some((actor) => actor.name === name))) {
    panels.get(name).element.remove();
    panels.delete(name);
  }
  // The server comes last: people play the others.
  for (const actor of actors) {
    if (panels.has(actor.name)) continue;
    const made = panel(actor);
    panels.set(actor.name, made);
    const last = actor.role === "server" ? null : stage.querySelector(".server");
    stage.insertBefore(made.element, last);
  }
  for (const actor of actors) {
    const { state, refresh } = panels.get(actor.name);
    state.textContent = visible(Object.entries(actor.state)
      .map(([name, value]) => `${name.replaceAll("_", " ")}: ${value}`).join("  ·  "));
    refresh();
  }
  showSteps(news.steps);
  $("facts").textContent = visible([news.system, news.origin].filter(Boolean).join("  ·  "));
  begin.textContent = "Begin another one";
  save.hidden = false;
  empty.hidden = actors.length > 1;
  empty.textContent = "The server listens. Add a visitor, or take an agent of the desk.";
}

async function follow() {
  const known = await ask("systems");
  for (const name of known.systems) systems.append(new Option(name, name));
  if (known.first) systems.value = known.first;
  let unanswered = 0;
  while (unanswered < patience) {
    try {
      await take(await ask("changes?after=" + version));
      unanswered = 0;
    } catch (error) {
      // What was told and not shown is told again, with all before it.
      version = 0;
      unanswered += 1;
      say(`no answer: ${error.message}`);
    }
    await new Promise((go) => setTimeout(go, unanswered > 0 ? pause.failed : pause.answered));
  }
  begin.disabled = true;
  say("repartee has ended; load this page again when it runs");
}
follow();
