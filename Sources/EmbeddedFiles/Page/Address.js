/**
 * The address after the # names the scenario by its file and name, so that a link means the same scenario in the report
 * of the next run; attempts but the last and moments of the conversation follow.
 */
function addressOf(entry, attempt, moment) {
  if (!entry) return "#";
  const one = attempt ?? entry.last;
  return "#" + encodeURIComponent(entry.id).replaceAll("%2F", "/").replaceAll("%3A", ":").replaceAll("%20", "+")
    + (one === entry.last ? "" : "&attempt=" + one.attempt) + (moment === undefined ? "" : "&entry=" + (moment + 1));
}
function go(entry, attempt) {
  location.hash = addressOf(entry, attempt);
}

/** Reads an address; a number alone is the place of an attempt in this report. */
function addressed() {
  const [name, ...rest] = location.hash.slice(1).split("&");
  if (/^\d+$/.test(name)) {
    return { entry: caseOfPlace.get(Number(name)), attempt: index.attempts[Number(name)] };
  }
  let id = "";
  try { id = decodeURIComponent(name.replaceAll("+", " ")); } catch { /* No address of ours. */ }
  const entry = caseOfName.get(id);
  const wanted = new Map(rest.map((part) => part.split("=")));
  const attempt = entry?.attempts.find((a) => String(a.attempt) === wanted.get("attempt")) ?? entry?.last;
  const moment = Number(wanted.get("entry")) - 1;
  return { entry, attempt, moment: moment >= 0 ? moment : undefined };
}
function arrive() {
  const { entry, attempt, moment } = addressed();
  selected = entry ?? null;
  document.body.classList.toggle("reading", Boolean(entry));
  document.title = visible(entry ? `${marks[entry.outcome]} ${shortened(entry.last.name, 120)} – repartee`
    : `${headline()} – repartee`);
  reveal();
  if (entry) showCase(entry, attempt, moment);
  else showOverview();
  $("detail").scrollTop = 0;
}
