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

/** What a message shows besides its text. */
function contents(fields) {
  const parts = [];
  for (const name of ["header", "text", "footer"]) {
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
  for (const name of ["actions", "global_actions", "suggestions", "buttons"]) {
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
  const note = (...parts) => make("div", "note", make("b", "", kind.replaceAll("_", " ")), " ", ...parts);
  if (kind === "typing" || kind === "typing_sent") {
    const look = kind === "typing" ? "" : "out";
    if (fields.active === false) return [look, make("div", "note", `${writer(fields)} stopped typing`)];
    const shape = make("div", "bubble", dots());
    shape.setAttribute("aria-label", "typing");
    return [look, make("div", "who", writer(fields)), shape];
  }
  if (kind === "queue") {
    return ["", make("div", "card waiting", make("b", "", brief(fields.position ?? "?")), "in the queue")];
  }
  if (["message", "auto_message", "message_updated", "message_sent", "history"].includes(kind)) {
    const parts = contents(fields);
    for (const old of listOf(fields.messages).filter(isObject).slice(0, 200)) {
      parts.push(make("div", "who", writer(old)), ...contents(old));
    }
    const look = kind === "message_sent" || fields.from === "self" ? "out" : "";
    const words = { message: "", message_sent: "sent ✓ ", message_updated: "changed ", history: "earlier ",
      auto_message: "automatic " }[kind];
    if (parts.length === 0) parts.push(bubble(members(fields)));
    return [look, make("div", "who", `${words}${writer(fields)} ${number}`), ...parts];
  }
  if (kind === "message_deleted") return ["", bubble(plain(fields.text ?? fields.id ?? ""), "gone")];
  if (kind === "frame") {
    return ["", make("div", "who", `${brief(fields.type)} frame ${number}`),
      bubble(plain(fields.text ?? fields.json ?? fields.base64 ?? members(fields)))];
  }
  const parts = contents(fields);
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) =>
    !["header", "text", "footer", "cards", "rows", "headings", "form", "forms", "attachment", "location",
      "actions", "global_actions", "suggestions", "buttons"].includes(name) || !parts.length));
  const isForm = isObject(fields.form) && fields.form.kind === kind && Object.keys(rest).length === 0;
  return ["", isForm ? null : note(shortened(members(rest), 400)), ...parts];
}

function commanded(entry) {
  const { name, arguments: given } = entry;
  if (typeof given.text === "string") {
    return ["out", make("div", "who", name === "say" ? entry.actor : `${entry.actor} · ${name}`),
      bubble(given.text)];
  }
  if (isObject(given.values)) return ["out", filled(given.values, name.replaceAll("_", " "))];
  if (name === "typing") {
    return ["out", given.active === false ? make("div", "note", "stops typing") : make("div", "bubble", dots())];
  }
  return ["out", make("div", "act", `${name}(${shortened(members(given), 300)})`)];
}
