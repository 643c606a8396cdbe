// How entries of a conversation look: bubbles, forms, cards and notes; the page for chats by hand has them, too.

const textLimit = 2000;
const plain = (value) => (typeof value === "string" ? value : JSON.stringify(value) ?? "");
const brief = (value) => shortened(plain(value), 160);
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const listOf = (value) => (Array.isArray(value) ? value : []);
const titled = (value) => (isObject(value) && typeof value.name === "string" && value.name !== ""
  ? brief(value.name) : brief(value));
const members = (object) => Object.entries(object ?? {}).map(([name, value]) => `${name}: ${titled(value)}`)
  .join(", ");
const long = (text) => (text.length > textLimit
  ? `${text.slice(0, textLimit)} … (${text.length.toLocaleString("en")} characters, all of them at the side)`
  : text);

/** The values of an entry in one line: what was said, if something was. */
function summed(fields) {
  if (typeof fields.text === "string" && fields.text !== "") return brief(fields.text);
  if (isObject(fields.json)) return shortened(members(fields.json), 160);
  const short = Object.entries(fields).filter(([, value]) => !isObject(value) && !Array.isArray(value));
  return shortened(members(Object.fromEntries(short)), 160);
}

function bubble(text, look) { return make("div", "bubble " + (look ?? ""), long(text)); }
function buttons(actions) {
  const labels = listOf(actions).map((a) => (isObject(a) ? a.label ?? a.text ?? a.title ?? a.type : a));
  return labels.length === 0 ? null
    : make("div", "buttons", ...labels.slice(0, 60).map((label) => make("span", "", brief(label))));
}
function field(label, value, look) {
  const box = make("span", look ?? "", shortened(plain(value ?? ""), 600));
  return make("div", "field", make("label", "", shortened(plain(label ?? ""), 200)), box);
}
function form(value) {
  const card = make("div", "card", make("h3", "", brief(value.title ?? plain(value.kind ?? "form").replaceAll("_", " "))));
  if (typeof value.intro === "string") card.append(make("p", "", long(value.intro)));
  for (const item of listOf(value.fields).slice(0, 200).filter(isObject)) {
    const label = plain(item.label ?? item.key ?? "") + (item.required === true ? " *" : "");
    const options = listOf(item.options).map((o) => (isObject(o) ? o.label ?? o.name ?? o.value : o));
    const shown = item.value ?? item.default ?? (options.length ? options.map(plain).join(" / ") : "");
    card.append(field(label, shown, item.error ? "wrong" : ""));
    if (item.error) card.append(make("p", "check unmet", brief(item.error)));
  }
  const below = buttons(value.actions);
  if (below) card.append(below);
  return card;
}
function filled(values, title) {
  const card = make("div", "card", make("h3", "", title));
  for (const [name, value] of Object.entries(values).slice(0, 200)) card.append(field(name, value));
  return card;
}
function cards(list) {
  return make("div", "deck", ...list.slice(0, 60).map((c) => make("div", "card",
    make("h3", "", brief(c?.title ?? "card")), c?.description ? make("p", "", long(plain(c.description))) : null,
    c?.image_url ? make("p", "note", "image " + brief(c.image_url)) : null,
    c?.url ? make("p", "note", brief(c.url)) : null, buttons(c?.actions))));
}
function table(headings, rows) {
  const line = (name, cells) => make("tr", "", ...listOf(cells).slice(0, 40).map((c) => make(name, "", brief(c))));
  return make("div", "card", make("table", "", line("th", headings),
    ...rows.slice(0, 100).map((row) => line("td", row))));
}

/** The fields that `contents` shows, by how it does. */
const textFields = ["header", "text", "footer"];
const buttonFields = ["actions", "global_actions", "suggestions", "buttons"];
const contentFields = [...textFields, "cards", "rows", "headings", "form", "forms", "attachment", "location",
  ...buttonFields];

/** What a message shows: its texts, and what stands below them. */
function contents(fields) {
  const parts = [];
  for (const name of textFields) {
    if (typeof fields[name] === "string" && fields[name] !== "") parts.push(bubble(fields[name]));
  }
  if (Array.isArray(fields.cards)) parts.push(cards(fields.cards));
  if (Array.isArray(fields.rows)) parts.push(table(fields.headings, fields.rows));
  if (isObject(fields.form)) parts.push(form(fields.form));
  for (const value of listOf(fields.forms).filter(isObject)) parts.push(form(value));
  if (isObject(fields.attachment)) {
    const file = fields.attachment;
    parts.push(make("div", "card", make("h3", "", `${brief(file.type ?? "file")} ${brief(file.title ?? "")}`),
      make("p", "note", brief(file.url ?? file.name ?? ""))));
  }
  if (isObject(fields.location)) parts.push(make("div", "card", "location " + members(fields.location)));
  for (const name of buttonFields) {
    const row = buttons(fields[name]);
    if (row) parts.push(row);
  }
  return parts;
}

const writer = (fields) => brief(fields.name ?? fields.person?.name ?? fields.from ?? fields.person?.type ?? "");
const dots = () => make("span", "dots", make("i"), make("i"), make("i"));

function observed(entry) {
  const { kind, fields } = entry;
  const number = `#${entry.number}`;
  if (entry.repeats && !entry.guilty) {
    const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== "text"));
    return ["", make("div", "note", make("b", "", kind.replaceAll("_", " ")), ` ${number}  the text above  `,
      shortened(summed(rest), 200))];
  }
  const name = kind.replaceAll("_", " ");
  const note = (...parts) => make("div", "note", make("b", "", name), " ", ...parts);
  // What an event looks like follows from its fields, and from how its name ends; so it is for systems not yet known.
  const isSent = kind.endsWith("_sent");
  if (typeof fields.active === "boolean" && kind.startsWith("typing")) {
    const look = isSent ? "out" : "";
    if (!fields.active) return [look, make("div", "note", `${writer(fields)} stopped typing`)];
    const shape = make("div", "bubble", dots());
    shape.setAttribute("aria-label", "typing");
    return [look, make("div", "who", writer(fields)), shape];
  }
  if (typeof fields.position === "number" && fields.text === undefined) {
    return ["", make("div", "card waiting", make("b", "", brief(fields.position)), name)];
  }
  if (kind.endsWith("_deleted")) return ["", bubble(plain(fields.text ?? fields.id ?? ""), "gone")];
  const isMessage = kind === "message";
  if (isMessage || isSent || Array.isArray(fields.messages) || fields.from !== undefined) {
    const parts = contents(fields);
    for (const old of listOf(fields.messages).filter(isObject).slice(0, 200)) {
      parts.push(make("div", "who", writer(old)), ...contents(old));
    }
    if (isMessage && parts.length === 0) parts.push(bubble(members(fields)));
    const words = isMessage ? "" : kind === "message_sent" ? "sent ✓ " : name + " ";
    if (parts.length > 0) {
      return [isSent || fields.from === "self" ? "out" : "", make("div", "who", `${words}${writer(fields)} ${number}`),
        ...parts];
    }
  }
  if (isObject(fields.json) && (fields.text === undefined || /^\s*\{/.test(plain(fields.text)))) {
    return ["", ...decoded(fields.json, kind, number)];
  }
  if (kind === "frame") {
    return ["", make("div", "who", `${brief(fields.type)} frame ${number}`),
      bubble(plain(fields.text ?? fields.json ?? fields.base64 ?? members(fields)))];
  }
  const parts = contents(fields);
  // Headers are many and seldom what it is about; they stand at the side.
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) =>
    name !== "headers" && (!contentFields.includes(name) || parts.length === 0)));
  const isForm = isObject(fields.form) && fields.form.kind === kind && Object.keys(rest).length === 0;
  return ["", isForm ? null : note(shortened(members(rest), 400)), ...parts];
}

/** A value that came as JSON: what it says in a bubble, the rest in a line; not a second time as text. */
function decoded(value, kind, number) {
  const name = ["text", "message", "content"].find((key) => typeof value[key] === "string" && value[key] !== "");
  const title = typeof value.type === "string" ? value.type : typeof value.event === "string" ? value.event : kind;
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) =>
    key !== name && !(["type", "event"].includes(key) && value[key] === title)));
  const values = shortened(members(rest), 400);
  if (!name) return [make("div", "note", make("b", "", brief(title)), ` ${number}  ${values}`)];
  return [make("div", "who", `${brief(title)} ${number}`), bubble(value[name]), values === "" ? null
    : make("div", "note", values)];
}

/** The object that a text is, if it is one as JSON. */
function jsonOf(text) {
  if (!/^\s*\{/.test(text)) return undefined;
  try { return JSON.parse(text); } catch { return undefined; }
}

/** What a body says in the ways in which chatbots are asked: a text, or the last of a list of messages. */
function saidIn(body) {
  if (!isObject(body)) return undefined;
  const last = listOf(body.messages).findLast((message) => typeof message?.content === "string");
  return [last?.content, body.text, body.message].find((text) => typeof text === "string" && text !== "");
}

function commanded(entry) {
  const { name, arguments: given } = entry;
  if (isObject(given.value) && Object.keys(given).length === 1) {
    return ["out", ...decoded(given.value, name, `${entry.actor} · ${name}`)];
  }
  if (typeof given.text === "string") {
    const value = jsonOf(given.text);
    if (value) return ["out", ...decoded(value, name, `${entry.actor} · ${name}`)];
    return ["out", make("div", "who", name === "say" ? entry.actor : `${entry.actor} · ${name}`),
      bubble(given.text)];
  }
  const said = saidIn(given.body);
  if (said !== undefined) return ["out", make("div", "who", `${entry.actor} · ${name}`), bubble(said)];
  if (isObject(given.values)) return ["out", filled(given.values, name.replaceAll("_", " "))];
  if (name === "typing") {
    return ["out", given.active === false ? make("div", "note", "stops typing") : make("div", "bubble", dots())];
  }
  return ["out", make("div", "act", `${name}(${shortened(members(given), 300)})`)];
}
