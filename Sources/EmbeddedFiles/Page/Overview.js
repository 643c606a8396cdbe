// What a report shows where no scenario is chosen: how the run went, what broke, and tables of it.

function headline() {
  const bad = totals.get("failed") + totals.get("error");
  const open = totals.get("unfinished");
  if (live?.playing) return `Playing: ${cases.length + unlisted - open} of ${index.run?.planned ?? "?"} have ended`;
  if (index.unfinished) return index.unfinished[0].toUpperCase() + index.unfinished.slice(1);
  const all = cases.length + unlisted;
  if (all === 0) return "No scenarios yet";
  if (bad > 0) return `${bad} of ${count(all, "scenario")} did not pass`;
  if (open > 0) return `${count(open, "scenario")} did not end`;
  const skipped = totals.get("skipped");
  const expected = totals.get("expected_failure");
  const flaky = totals.get("flaky");
  const well = all - skipped - expected;
  const rest = [[flaky, "of them flaky"], [expected, "failed as expected"], [skipped, "skipped"]]
    .filter(([number]) => number > 0).map(([number, what]) => `, ${number} ${what}`).join("");
  return skipped === all ? "Everything was skipped"
    : (well > 0 ? `All ${count(well, "scenario")} passed` : "Nothing else was played") + rest;
}
const caseLink = (entry, attempt) => button("link", () => go(entry, attempt),
  mark(entry.outcome), make("span", "name", shortened(entry.last.name, 200)),
  make("span", "time", duration(entry.time)));

function showOverview() {
  const bar = make("div", "bar");
  const legend = make("p", "legend");
  for (const outcome of outcomes.filter((o) => totals.get(o) > 0)) {
    const part = make("i", outcome);
    part.style.flex = totals.get(outcome);
    bar.append(part);
    legend.append(make("span", "", mark(outcome), " " + words(outcome)));
  }
  const top = make("div", "sheet wide", make("h1", "", headline()), bar, legend,
    button("to-list", () => $("list-pane").scrollIntoView(), "list of scenarios"));
  // A run that is not whole is itself the last case.
  const begun = cases.length + unlisted - (index.unfinished ? 1 : 0);
  const unbegun = (index.run?.planned ?? 0) - begun;
  if (index.end?.interrupted) {
    const why = index.end.time_limit ? `by its time limit, ${index.end.time_limit}, ` : "";
    top.append(make("p", "note", `The run was broken off ${why}before its end.`));
  }
  if (unlisted > 0) {
    top.append(make("p", "note",
      `${count(unlisted, "repetition")} that passed as those before are not listed; run.jsonl has them.`));
  }
  if (index.end && unbegun > 0) top.append(make("p", "note", `${count(unbegun, "scenario")} never began.`));
  if (!index.end && !live) {
    top.append(make("p", "note", "The run had not ended when this report was written: "
      + `${begun} of ${index.run?.planned ?? "?"} planned scenarios had begun.`));
  }
  const page = make("div", "overview", top);
  if (index.comparison) page.append(comparison(index.comparison));
  if (index.robustness) page.append(make("div", "sheet", make("h2", "", "Robustness by mutator"), robustnessTable()));
  if (index.end?.llm) page.append(make("div", "sheet", make("h2", "", "Language models"), usageTable(index.end.llm)));
  const broken = causes();
  if (broken.length > 0) {
    const sheet = make("div", "sheet wide", make("h2", "", `What broke (${count(broken.length, "cause")})`));
    for (const group of broken.slice(0, 40)) sheet.append(causeCard(group));
    if (broken.length > 40) sheet.append(make("p", "note", `and ${broken.length - 40} more causes`));
    page.append(sheet);
  }
  const slow = [...cases].sort((a, b) => b.time - a.time).slice(0, 10).filter((c) => c.time > 0);
  page.append(make("div", "sheet", make("h2", "", "Slowest"), ...slow.map((entry) => caseLink(entry))));
  page.append(make("div", "sheet", make("h2", "", "Files"), fileTable()));
  $("detail").replaceChildren(page);
}

/** What did not pass, by its cause: messages that differ in numbers only have the same one. */
function causes() {
  const groups = new Map();
  for (const entry of cases.filter((c) => ["failed", "error", "flaky"].includes(c.outcome))) {
    const key = entry.outcome + "\n" + (entry.problem ?? "").replace(/\d+(\.\d+)?(h|ms|m|s|us)?/g, "0");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(entry);
  }
  return [...groups.values()].sort((a, b) =>
    outcomes.indexOf(a[0].outcome) - outcomes.indexOf(b[0].outcome) || b.length - a.length);
}
function causeCard(group) {
  const [first] = group;
  const { problem_file: file, problem_line: line, differences } = first.broken ?? {};
  const said = differences && first.problem ? divided(first.problem)[0] : first.problem;
  const place = line === undefined ? null : make("span", "note", `${file ?? first.last.path}:${line}`);
  const times = group.length > 1 ? make("b", "times", `${group.length}×`) : null;
  return make("div", "trouble " + first.outcome,
    make("p", "", times, shortened(said ?? "no reason given", 400)),
    differences ? differenceTable(differences.slice(0, 2)) : null, place,
    ...group.slice(0, 5).map((entry) => caseLink(entry)),
    group.length > 5 ? make("span", "note", `and ${group.length - 5} more`) : null);
}

/** What changed since the run that this one is compared with. */
function comparison(data) {
  const sheet = make("div", "sheet wide", make("h2", "", "Since the run before"));
  sheet.id = "comparison";
  const changes = new Map();
  for (const item of data.items) {
    if (!changes.has(item.change)) changes.set(item.change, []);
    changes.get(item.change).push(item);
  }
  const looks = { broke: "failed", fixed: "passed", "became flaky": "flaky", "fails differently": "failed" };
  for (const [change, items] of changes) {
    const group = make("div", "trouble " + (looks[change] ?? "skipped"),
      make("p", "", `${change} (${items.length.toLocaleString("en")})`));
    for (const item of items.slice(0, 200)) {
      const entry = caseOfName.get(item.id);
      const was = item.before === undefined ? "" : `before: ${item.before} after ${duration(item.time)}`
        + (item.message === undefined ? "" : `, ${shortened(item.message, 200)}`);
      group.append(entry ? caseLink(entry) : make("span", "note", item.path + "  " + item.name));
      if (was) group.append(make("div", "note", was));
    }
    if (items.length > 200) group.append(make("span", "note", `and ${items.length - 200} more`));
    sheet.append(group);
  }
  if (data.rates) sheet.append(make("p", "", `pass rates (${data.rates.length.toLocaleString("en")})`));
  for (const rate of (data.rates ?? []).slice(0, 200)) {
    const entry = caseOfName.get(rate.id);
    sheet.append(make("div", "trouble " + ({ fell: "failed", rose: "passed" }[rate.change] ?? "skipped"),
      entry ? caseLink(entry) : make("span", "note", rate.path + "  " + rate.name), make("div", "note", rate.verdict),
      make("div", "note", `before: ${rate.before}`), make("div", "note", `after: ${rate.after}`)));
  }
  sheet.append(make("p", "note", `${count(data.unchanged, "scenario")} as before`));
  return sheet;
}

/** A path breaks after its slashes only. */
function pathCell(path) {
  const cell = make("td", "path");
  for (const part of shortened(path, 200).split(/(?<=\/)/)) cell.append(visible(part), make("wbr"));
  return cell;
}

/** How many scenarios passed whose rows try the bot with the same mutator; errors and skipped ones are no evidence. */
function robustnessTable() {
  const rows = index.robustness.slice(0, 100).map((one) => {
    const bad = make("td", one.passed < one.played ? "mark failed" : "", `${one.passed} of ${one.played}`);
    const rate = one.rate === undefined ? "·" : `${Math.floor(one.rate * 1000) / 10} %`;
    return make("tr", "", make("td", "", shortened(one.mutator, 60)), bad, make("td", "", rate),
      make("td", "", one.errors ?? "·"), make("td", "", one.skipped ?? "·"));
  });
  const heads = ["mutator", "passed", "rate", "errors", "skipped"].map((text) => make("th", "", text));
  return make("table", "", make("thead", "", make("tr", "", ...heads)), make("tbody", "", ...rows));
}

/** What the answers of language models took: tokens, cost, time to first token. */
function usageTable(usage) {
  const seconds = (nanoseconds) => `${Math.round(nanoseconds / 1e6) / 1e3} s`;
  const rows = [["answers", usage.answers], ["tokens in", usage.input_tokens], ["tokens out", usage.output_tokens]];
  if (usage.cost !== undefined) rows.push(["cost", usage.cost], ["answers with a cost", usage.priced]);
  const first = usage.time_to_first_token;
  if (first) {
    rows.push(["time to first token, mean", seconds(first.sum / first.count)], ["time to first token, longest", seconds(first.max)]);
  }
  return make("table", "", make("tbody", "", ...rows.map(([name, value]) =>
    make("tr", "", make("th", "", name), make("td", "", `${value}`)))));
}

function fileTable() {
  const files = new Map();
  for (const entry of cases) {
    const row = files.get(entry.last.path) ?? { passed: 0, other: 0, skipped: 0, time: 0 };
    row[["skipped", "expected_failure"].includes(entry.outcome) ? "skipped" : ["passed", "flaky"].includes(entry.outcome) ? "passed"
      : "other"] += 1;
    row.time += entry.time;
    files.set(entry.last.path, row);
  }
  for (const one of index.unlisted) {
    const row = files.get(index.files[one.file]);
    if (row) { row.passed += one.passed; row.time += one.time; }
  }
  const cell = (value) => make("td", "", value === 0 ? "·" : value);
  const rows = [...files].sort((a, b) => b[1].other - a[1].other).slice(0, 100).map(([path, row]) => {
    const bad = cell(row.other);
    if (row.other > 0) bad.className = "mark failed";
    return make("tr", "", pathCell(path), bad, cell(row.passed), cell(row.skipped),
      make("td", "", duration(row.time)));
  });
  const heads = ["file", "bad", "passed", "skipped", "time"].map((text) => make("th", "", text));
  return make("table", "", make("thead", "", make("tr", "", ...heads)), make("tbody", "", ...rows));
}
