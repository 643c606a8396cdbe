/**
 * The pieces of streamed answers, joined: entries of one actor that follow each other and are pieces of one answer are
 * one bubble that grows as one steps through them.
 */
function streamsOf(entries) {
  const streams = new Map();
  let open = null;
  entries.forEach((entry, place) => {
    if (["wire", "showed", "expected"].includes(entry.type)) return;
    const { kind, fields } = entry;
    const isPiece = entry.type === "observed" && Number.isInteger(fields.number)
      && (typeof fields.text === "string" || fields.data !== undefined);
    const goesOn = isPiece && open && open.kind === kind && open.actor === entry.actor
      && open.request === fields.request && fields.number > open.last;
    if (isPiece && !goesOn) {
      open = { kind, actor: entry.actor, request: fields.request, places: [], entries: [] };
    }
    if (!isPiece) { open = null; return; }
    open.last = fields.number;
    open.places.push(place);
    open.entries.push(entry);
    streams.set(place, open);
  });
  for (const [place, stream] of streams) if (stream.places.length < 2) streams.delete(place);
  const said = new Map();
  entries.forEach((entry, place) => {
    const stream = streams.get(place);
    const whole = said.get(entry.actor);
    if (stream) said.set(entry.actor, stream.entries.map(pieceText).join(""));
    else if (entry.type === "observed") entry.repeats = Boolean(whole) && entry.fields.text === whole;
  });
  return streams;
}

const pieceText = ({ fields }) => (typeof fields.text === "string" ? fields.text : "");

/** The bubble of a stream, with its pieces on demand. */
function streamed(stream) {
  const said = make("span", "");
  const unsaid = make("span", "unsaid");
  const [first] = stream.entries;
  const all = stream.entries.map(pieceText).join("");
  const name = stream.kind.replaceAll("_", " ");
  const head = make("div", "who", `${count(stream.entries.length, name)} #${first.number}–#${
    stream.entries[stream.entries.length - 1].number}`);
  stream.grow = (place) => {
    const until = stream.places.filter((p) => p <= place).length;
    const text = stream.entries.slice(0, until).map(pieceText).join("");
    said.textContent = visible(long(text));
    unsaid.textContent = visible(long(all.slice(text.length)));
  };
  stream.grow(Infinity);
  const pieces = make("details", "pieces", make("summary", "", "pieces"));
  pieces.addEventListener("click", (event) => event.stopPropagation());
  pieces.addEventListener("toggle", () => {
    if (pieces.childElementCount > 1) return;
    stream.entries.slice(0, 500).forEach((entry, place) => {
      const gap = place === 0 ? "" : "+" + duration(entry.at - stream.entries[place - 1].at);
      pieces.append(make("div", "piece mono", make("span", "note", gap), pieceText(entry) || members(entry.fields)));
    });
  });
  const bubbleOf = all === "" ? make("div", "note", "no text") : make("div", "bubble", said, unsaid);
  return [head, bubbleOf, pieces];
}
