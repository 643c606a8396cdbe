// Why an attempt did not pass, above its conversation: the cause, and the sections that the failure has.

/** What happened, and what therefore did not: the first is what people look for. */
function divided(message) {
  const parts = /^(.*?); (it did not observe .*|(?:a )?\S+ did not come to its end: .*)$/s;
  const [, happened, symptom] = parts.exec(message) ?? [null, message];
  return [happened, symptom];
}

const sectionOf = (evidence, heading) => listOf(evidence.sections).filter(isObject).find((s) => s.heading === heading);

/** The numbers of the events that a problem is about. */
function culprits(problem) {
  const evidence = problem.evidence ?? {};
  const numbers = listOf(evidence.sections).map((section) => section?.event).concat(evidence.nearest?.event);
  return new Set(numbers.filter((number) => Number.isInteger(number)));
}

/** The entries that stand for a problem: what was said before, and the event that should have been another one. */
function concerned(one, problem) {
  const actor = problem.evidence?.actor;
  if (actor === undefined) return [];
  const numbers = culprits(problem);
  const place = one.entries.findLastIndex((e) => e.type === "observed" && e.actor === actor && numbers.has(e.number));
  const until = place < 0 ? one.entries.length : place;
  const before = one.entries.findLastIndex((e, i) => i < until && e.type === "commanded" && e.actor === actor);
  return [before, place].filter((p) => p >= 0);
}

function framePart(frame) {
  const part = make("div", "source");
  const name = frame.function ? ` in ${frame.function}` : "";
  part.append(make("div", "note mono", `${frame.file}:${frame.line}${name}`));
  const lines = listOf(frame.excerpt);
  if (lines.length === 0) return part;
  const pre = make("pre", "code");
  lines.forEach((line) => {
    const row = /^([> ]) ( *\d+ )\| ?(.*)$/s.exec(plain(line));
    if (!row) return;
    pre.append(make("span", row[1] === ">" ? "at" : "", `${row[2]} ${row[3]}`, row[1] === ">" ? null : "\n"));
  });
  part.append(pre);
  return part;
}

/** Everything that says why it did not pass, for the first look: once, and in the order in which people ask. */
function failurePanel(one, problem) {
  const look = problem.category === "error" ? "error" : "failed";
  const evidence = isObject(problem.evidence) ? problem.evidence : undefined;
  const [happened, symptom] = divided(problem.message);
  const panel = make("section", "cause " + look, make("h2", "", long(happened)),
    symptom && !listOf(problem.evidence?.differences).length ? make("p", "symptom", long(symptom)) : null);
  panel.setAttribute("aria-label", "Why it did not pass");
  const text = detail(shortened(problem.detail ?? problem.message, 100000));
  const whole = make("details", "whole-text", make("summary", "", "as text"), text);
  const stored = listOf(problem.differences);
  if (stored.length > 0) { panel.append(transcriptDiff(stored), whole); return panel; }
  if (!evidence) { panel.append(text); return panel; }
  const left = make("div", "what");
  const right = make("div", "where-it-is");
  const expected = sectionOf(evidence, "expected");
  if (listOf(evidence.differences).length > 0) {
    left.append(differenceTable(evidence.differences));
  } else if (expected) {
    left.append(make("div", "differs", make("div", "side-name", "expected"),
      make("div", "wanted mono", ...listOf(expected.lines).map((line) => make("div", "", shortened(line, 600))))));
  }
  for (const remark of listOf(evidence.nearest?.remarks)) left.append(make("p", "note", remark));
  const bubbles = make("div", "exchange");
  for (const place of concerned(one, problem)) {
    const entry = one.entries[place];
    const cell = make("div", "cell");
    cell.append(...contentsOf(entry, cell));
    if (entry.type === "observed") cell.classList.add("culprit");
    const jump = button("link", () => choose(one, place), "show in the conversation");
    bubbles.append(cell, cell.classList.contains("culprit") ? jump : "");
  }
  if (bubbles.childElementCount > 0) left.append(bubbles);
  const more = (side, headings) => {
    for (const section of headings.map((heading) => sectionOf(evidence, heading)).filter(Boolean)) {
      side.append(make("div", "more", make("span", "side-name", section.heading),
        make("div", "mono", ...listOf(section.lines).slice(0, 20)
          .map((line) => make("div", "", shortened(line, 400))))));
    }
  };
  const isQuoted = (heading) => bubbles.childElementCount > 0 && sectionOf(evidence, heading)?.event !== undefined;
  more(left, ["answer", "broken by", "unexpected", "remedy"].filter((heading) => !isQuoted(heading)));
  for (const frame of listOf(evidence.frames).filter(isObject)) right.append(framePart(frame));
  const callers = sectionOf(evidence, "called from");
  if (callers) {
    right.append(make("details", "", make("summary", "", "called from"),
      ...listOf(callers.lines).map((line) => make("div", "note mono", line))));
  }
  more(right, ["pending", "limit", "network", "row"]);
  panel.append(make("div", "halves", left, right), whole);
  return panel;
}
