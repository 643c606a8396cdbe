// What stands at the side of a conversation for the entry that is chosen: its values, its line in the script, screens
// and bytes.

const pretty = (text) => {
  try { return JSON.stringify(JSON.parse(text), null, 2); } catch { return text; }
};

/** A text of any length: the start at once, more of it on request, for browsers are slow with long lines. */
function longText(text) {
  let shown = 20000;
  const pre = make("pre", "", text.slice(0, shown));
  if (text.length <= shown) return pre;
  const label = () => `show more (${(text.length - shown).toLocaleString("en")} characters)`;
  const more = button("", () => {
    pre.append(visible(text.slice(shown, shown + 100000)));
    shown += 100000;
    if (shown < text.length) more.textContent = label(); else more.remove();
  }, label());
  return make("div", "", pre, more);
}

/** What an actor did and saw last, up to a place, for those whose screens are not recorded. */
function screens(one, place) {
  const all = new Map(one.actors.map(([name]) => [name, new Map()]));
  for (const { type, actor, name, kind, fields, arguments: given } of one.entries.slice(0, place + 1)) {
    const screen = all.get(actor);
    if (!screen || (type !== "commanded" && type !== "observed")) continue;
    const label = type === "commanded" ? "→ " + name : kind.replaceAll("_", " ");
    screen.delete(label);
    screen.set(label, summed(type === "commanded" ? given : fields));
  }
  return all;
}

async function showDetail(one, place) {
  const entry = one.entries[place];
  const parts = [];
  const title = { commanded: `${entry.actor} → ${entry.name}`,
    observed: `${entry.actor} ← #${entry.number} ${entry.kind}`, joined: `${entry.actor} joins`,
    wire: `${entry.connection} ${entry.direction}`, step: `step ${entry.name}`, logged: `log ${entry.level}`,
    expected: `${entry.actor ?? "value"} ${entry.met ? "meets" : "does not meet"} an expectation` }[entry.type]
    ?? entry.type;
  const since = place > 0 ? entry.at - one.entries[place - 1].at : 0;
  parts.push(make("h2", "", "This entry"), make("div", "title", shortened(title, 300)),
    make("div", "note", `${duration(entry.at - one.attempt.at)} after the start, +${duration(since)}`));
  if (entry.type === "expected") parts.push(make("p", "", long(entry.description)));
  if (entry.text !== undefined) parts.push(longText(entry.text));
  if (entry.path !== undefined) parts.push(make("p", "", `${entry.name}: ${entry.path} (${entry.mediaType})`));
  const values = entry.fields ?? entry.arguments;
  if (values && Object.keys(values).length > 0) parts.push(longText(JSON.stringify(values, null, 2)));
  if (entry.type === "wire") parts.push(make("p", "mono", entry.summary), bytesOf(entry));
  if (one.streams.has(place)) parts.push(make("p", "note", "one piece of a streamed answer"));
  const script = make("div", "");
  parts.push(script, make("h2", "", "Screens at this moment"), screensOf(one, place));
  if (entry.raw !== undefined) parts.push(make("h2", "", "As it came"), longText(pretty(entry.raw)));
  parts.push(...wireOf(one, place));
  $("beside").replaceChildren(...parts);
  $("beside").scrollTop = 0;
  const acting = entry.line ? place
    : one.entries.findLastIndex((e, i) => i <= place && e.type === "commanded" && e.line);
  if (acting < 0) return;
  const line = one.entries[acting].line;
  const text = await source(one.attempt.file);
  script.append(make("h2", "", acting === place ? "The line" : "The line that acted last"),
    make("div", "note", `${one.attempt.path}:${line}`));
  if (typeof text === "string") script.append(excerpt(text, line));
}

function excerpt(text, line) {
  const pre = make("pre", "code");
  const lines = text.split("\n");
  for (let number = Math.max(1, line - 3); number <= Math.min(lines.length, line + 2); number += 1) {
    pre.append(make("span", number === line ? "at" : "",
      `${String(number).padStart(4)}  ${shortened(lines[number - 1], 300)}${number === line ? "" : "\n"}`));
  }
  return pre;
}

/** The screens that were recorded up to an entry, each with the one before it. */
function recorded(one, place) {
  let until = place;
  while (one.entries[until + 1]?.type === "showed") until += 1;
  const all = new Map();
  for (const entry of one.entries.slice(0, until + 1)) {
    if (entry.type !== "showed") continue;
    all.set(entry.actor, { lines: entry.screen, before: all.get(entry.actor)?.lines ?? [], entry });
  }
  for (const shown of all.values()) {
    // What changed is marked at the entry that changed it.
    const at = one.entries.indexOf(shown.entry);
    if (at < place) shown.before = shown.lines;
  }
  return all;
}

function drawn(name, { lines, before }) {
  const known = new Set(before.map((line) => JSON.stringify(line)));
  const parts = [];
  let pressed = null;
  for (const line of lines) {
    const [kind, text, label] = line;
    const isNew = known.size > 0 && !known.has(JSON.stringify(line));
    const part = {
      title: () => make("p", "view", make("b", "", text), label ? make("small", "", " " + label) : null),
      heading: () => make("h3", "", text),
      said: () => make("div", "said", label ? make("div", "who", label) : null, bubble(text)),
      own: () => make("div", "said out", label ? make("div", "who", label) : null, bubble(text)),
      field: () => field(label, text), button: () => make("span", "", brief(text)),
      notice: () => make("p", "note", text), fault: () => make("p", "check unmet", text),
    }[kind]?.() ?? make("p", "", label ? make("span", "note", label + " ") : null, text);
    if (isNew) part.classList.add("new");
    if (kind === "button") {
      if (!pressed) parts.push(pressed = make("div", "buttons"));
      pressed.append(part);
    } else {
      pressed = null;
      parts.push(part);
    }
  }
  return make("div", "screen real", make("div", "owner", shortened(name, 60)), ...parts);
}

function screensOf(one, place) {
  const grid = make("div", "screens");
  const real = recorded(one, place);
  for (const [name, shown] of real) grid.append(drawn(name, shown));
  for (const [name, screen] of screens(one, place)) {
    const isParty = one.actors.find(([known]) => known === name)?.[1].role;
    if (real.has(name) || (screen.size === 0 && !isParty)) continue;
    const rows = [...screen].slice(-6).map(([label, text]) =>
      make("p", "", make("span", "", label + " "), text));
    grid.append(make("div", "screen", make("b", "", shortened(name, 60)),
      ...(rows.length ? rows : [make("p", "note", "nothing yet")])));
  }
  return grid;
}

function bytesOf(entry) {
  if (entry.bytes === undefined) return make("p", "note", "the bytes were not captured");
  const part = make("div", "", longText(entry.form === "text" ? pretty(entry.bytes) : entry.bytes));
  if (entry.form === "base64") part.prepend(make("p", "note", "Base64"));
  if (entry.cut) part.append(make("p", "note", "only the first bytes were captured"));
  return part;
}

/** The bytes since the last entry that was not bytes. */
function wireOf(one, place) {
  let first = place;
  while (first > 0 && one.entries[first - 1].type === "wire") first -= 1;
  const frames = one.entries.slice(first, place).filter((e) => e.type === "wire");
  if (frames.length === 0) return [];
  return [make("h2", "", `On the wire just before (${frames.length})`), ...frames.slice(-40).map((frame) => {
    const arrow = frame.direction === "sent" ? "▲" : "▼";
    const details = make("details", "",
      make("summary", "", `${arrow} ${frame.connection}  ${shortened(frame.summary, 160)}`));
    details.addEventListener("toggle", () => details.append(bytesOf(frame)), { once: true });
    return details;
  })];
}
