// Fields for what a command or a form asks for, made of its declaration and read back; for the page for chats by hand.

/** A declared text: what stands between backticks is code. */
const marked = (text) => text.split("`").map((part, place) => (place % 2 ? make("code", "", part) : visible(part)));

/** Makes a field for a value that is declared; `read` gives the value, undefined if there is none. */
function control(declared, others) {
  if (declared.type === "record") return record(declared, others);
  const id = "f" + (control.count = (control.count ?? 0) + 1);
  let input;
  if (declared.type === "choice" || declared.type === "boolean" || declared.type === "actor") {
    const words = declared.words ?? (declared.type === "boolean" ? ["true", "false"] : others());
    input = make("select");
    if (declared.optional || words.length === 0) input.append(new Option("", ""));
    for (const word of words) input.append(new Option(visible(word), word));
  } else if (declared.type === "json" || declared.type === "any" || declared.sends || declared.isLong) {
    input = make("textarea");
    input.rows = declared.sends ? 2 : 1;
    input.spellcheck = Boolean(declared.sends);
  } else {
    input = make("input");
    input.type = declared.secret ? "password" : "text";
    input.autocomplete = "off";
    if (declared.type === "number") input.inputMode = "decimal";
  }
  input.id = id;
  const label = make("label", "", declared.label ?? declared.name, declared.optional ? "" : make("b", "needed", " needed"));
  label.htmlFor = id;
  const hint = make("small", "", ...marked(declared.summary + (declared.type === "json" ? " Written as JSON." : "")));
  hint.id = id + "h";
  input.setAttribute("aria-describedby", hint.id);
  const element = make("div", "entry", label, input, hint);
  return { element, input, declared, read: () => valueOf(input.value, declared) };
}

/** The fields of a table, below a line that opens them; a table without members is not given unless it is needed. */
function record(declared, others) {
  const inner = declared.fields.map((one) => control(one, others));
  const hint = make("small", "", ...marked(declared.summary));
  const element = make("details", "entry", make("summary", "", `${declared.name} (${count(inner.length, "field")})`), hint,
    ...inner.map((one) => one.element));
  element.open = !declared.optional;
  const read = () => {
    const values = valuesOf(inner);
    return declared.optional && Object.keys(values).length === 0 ? undefined : values;
  };
  return { element, input: null, declared, read };
}

/** What was typed, as the value of its type; what is none goes as it is, and is refused with the reason. */
function valueOf(text, declared) {
  if (text === "" && (declared.optional || declared.type !== "text")) return undefined;
  switch (declared.type) {
    case "boolean": return text === "true";
    case "number": return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "json": try { return JSON.parse(text); } catch { return text; }
    case "any": if (/^\s*[[{]|^\s*(true|false|-?\d+(\.\d+)?)\s*$/.test(text)) {
      try { return JSON.parse(text); } catch { return text; }
    } return text;
    default: return text;
  }
}

/** The values of fields by their names. */
function valuesOf(fields) {
  const values = {};
  for (const one of fields) {
    const value = one.read();
    if (value !== undefined) values[one.declared.name] = value;
  }
  return values;
}

/** How a field of a form is asked for: by one of its choices, as a list of them, or as what it holds. */
function askedAs(type, words) {
  if (type === "multi_select") return "json";
  if (words.length > 0) return "choice";
  return type === "number" || type === "boolean" ? type : "text";
}

/** The fields of a form that a server has sent, all of them open; `read` gives what was typed by their keys. */
function answers(form) {
  const inner = listOf(form.fields).filter((one) => isObject(one) && typeof one.key === "string").map((one) => {
    const options = listOf(one.options).map((option) => (isObject(option) ? option.value ?? option.name : option));
    const words = options.map((option) => plain(option));
    const type = askedAs(one.type, words);
    const made = control({ name: one.key, label: plain(one.label || one.key), type, words,
      optional: one.required !== true, isLong: one.multi_line === true, secret: one.type === "password",
      summary: type === "json" ? words.join(", ") + "." : "" }, () => []);
    if (one.value !== undefined) made.input.value = type === "json" ? JSON.stringify(one.value) : plain(one.value);
    if (type !== "choice") return made;
    // A choice may be a number, which a page shows as a text.
    return { ...made, read: () => options[words.indexOf(made.read())] };
  });
  return { element: make("div", "fields", ...inner.map((one) => one.element)), fields: inner, read: () => valuesOf(inner) };
}

/** Fields that are needed stand open, the others below a line that opens them. */
function fieldset(declared, others, sends) {
  const fields = declared.map((one) => control({ ...one, sends: one.name === sends }, others));
  const needed = fields.filter((one) => !one.declared.optional || one.declared.sends
    || (one.declared.type === "record" && fields.length < 3));
  const more = fields.filter((one) => !needed.includes(one));
  const element = make("div", "fields", ...needed.map((one) => one.element));
  if (more.length > 0) {
    const rest = make("details", "", make("summary", "", count(more.length, "more field")),
      ...more.map((one) => one.element));
    element.append(rest);
  }
  return { element, fields };
}
