extension PageScript {
    /// The list: search, filters, order; only the rows in view are elements.
    static let list = #"""

        const chosen = new Set();
        let listed = [];
        let selected = null;
        const rowHeight = 54;

        function filter() {
          const words = $("search").value.toLowerCase().split(/\s+/).filter(Boolean);
          const tag = $("tags").value;
          listed = cases.filter((entry) =>
            (chosen.size === 0 || chosen.has(entry.outcome)) && (tag === "" || entry.tags.includes(tag.slice(1)))
            && words.every((word) => entry.text.includes(word)));
          const orders = {
            trouble: (a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) || a.order - b.order,
            run: (a, b) => a.order - b.order,
            slow: (a, b) => b.time - a.time || a.order - b.order,
            name: (a, b) => (a.last.path < b.last.path ? -1 : a.last.path > b.last.path ? 1
              : a.last.name < b.last.name ? -1 : a.last.name > b.last.name ? 1 : a.order - b.order),
          };
          listed.sort(orders[$("order").value]);
          $("shown").textContent = listed.length === cases.length ? count(cases.length, "scenario")
            : `${listed.length.toLocaleString("en")} of ${cases.length.toLocaleString("en")}`;
          $("rows").style.height = listed.length * rowHeight + "px";
          $("list").scrollTop = 0;
          paint();
        }

        function caseRow(entry, place) {
          const attempts = entry.attempts.length > 1 ? ` · ${entry.attempts.length} attempts` : "";
          const below = entry.outcome === "failed" || entry.outcome === "error" ? entry.problem : undefined;
          const row = make("div", "case", mark(entry.outcome), make("span", "name", shortened(entry.last.name, 200)),
            make("span", "time", entry.outcome === "skipped" ? "skipped" : duration(entry.time)),
            make("span", below ? "where problem" : "where",
              shortened(below ?? entry.last.reason ?? entry.last.path + ":" + entry.last.line, 200) + attempts));
          row.id = "case" + entry.order;
          row.setAttribute("role", "option");
          row.setAttribute("aria-selected", entry === selected);
          row.setAttribute("aria-setsize", listed.length);
          row.setAttribute("aria-posinset", place + 1);
          row.setAttribute("aria-label", `${word(entry.outcome)}: ${shortened(entry.last.name, 200)}`);
          row.style.transform = `translateY(${place * rowHeight}px)`;
          row.addEventListener("click", () => go(entry));
          return row;
        }

        /** Makes the rows that are in view, and a few around them. */
        function paint() {
          const list = $("list");
          const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 5);
          const last = Math.min(listed.length, first + Math.ceil(list.clientHeight / rowHeight) + 10);
          const rows = [];
          for (let place = first; place < last; place += 1) rows.push(caseRow(listed[place], place));
          $("rows").replaceChildren(...rows);
          if (selected) list.setAttribute("aria-activedescendant", "case" + selected.order);
          else list.removeAttribute("aria-activedescendant");
        }

        /** Brings the selected row into view. */
        function reveal() {
          const place = listed.indexOf(selected);
          const list = $("list");
          if (place >= 0) {
            const top = place * rowHeight;
            if (top < list.scrollTop) list.scrollTop = top;
            if (top + rowHeight > list.scrollTop + list.clientHeight) {
              list.scrollTop = top + rowHeight - list.clientHeight;
            }
          }
          paint();
        }

        /** Selects the case that many places below. */
        function move(by) {
          if (listed.length === 0) return;
          const place = listed.indexOf(selected);
          const next = place < 0 ? (by > 0 ? 0 : listed.length - 1) : place + by;
          go(listed[Math.max(0, Math.min(listed.length - 1, next))]);
        }

        /** The address after the # names the attempt, so that a case can be shared and the browser can go back. */
        function go(entry, attempt) {
          location.hash = entry ? "#" + (attempt ?? entry.last).place : "";
        }
        function arrive() {
          const place = Number.parseInt(location.hash.slice(1), 10);
          const entry = caseOfPlace.get(place);
          selected = entry ?? null;
          document.body.classList.toggle("reading", Boolean(entry));
          reveal();
          if (entry) showCase(entry, index.attempts[place]);
          else showOverview();
        }

        function setUpList() {
          for (const outcome of outcomes.filter((o) => totals.get(o) > 0)) {
            const chip = button(outcome, () => {
              if (!chosen.delete(outcome)) chosen.add(outcome);
              chip.setAttribute("aria-pressed", chosen.has(outcome));
              filter();
            }, `${marks[outcome]} ${words(outcome)}`);
            chip.setAttribute("aria-pressed", "false");
            $("outcomes").append(chip);
          }
          const tags = new Map();
          for (const entry of cases) for (const tag of entry.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
          const option = (value, text) => {
            const element = make("option", "", text);
            element.value = value;
            return element;
          };
          $("tags").append(option("", "all tags"), ...[...tags].sort((a, b) => (a[0] < b[0] ? -1 : 1))
            .map(([tag, number]) => option("#" + tag, `${shortened(tag, 40)} (${number})`)));
          $("tags").hidden = tags.size === 0;
          $("search").addEventListener("input", filter);
          $("tags").addEventListener("change", filter);
          $("order").addEventListener("change", filter);
          $("list").addEventListener("scroll", paint, { passive: true });
          addEventListener("resize", paint);
          addEventListener("hashchange", arrive);
        }

        /** Chooses one tag as if in the list. */
        function chooseTag(tag) {
          $("tags").value = "#" + tag;
          filter();
        }

        """#

    /// The page before a scenario is chosen: what broke, what was slow, where.
    static let overview = #"""

        function headline() {
          const bad = totals.get("failed") + totals.get("error");
          const open = totals.get("unfinished");
          if (index.unfinished) return index.unfinished[0].toUpperCase() + index.unfinished.slice(1);
          if (cases.length === 0) return "No scenarios yet";
          if (bad > 0) return `${bad} of ${count(cases.length, "scenario")} did not pass`;
          if (open > 0) return `${count(open, "scenario")} did not end`;
          const skipped = totals.get("skipped");
          const expected = totals.get("expected_failure");
          const flaky = totals.get("flaky");
          const well = cases.length - skipped - expected;
          const rest = [[flaky, "of them flaky"], [expected, "failed as expected"], [skipped, "skipped"]]
            .filter(([number]) => number > 0).map(([number, what]) => `, ${number} ${what}`).join("");
          return skipped === cases.length ? "Everything was skipped"
            : (well > 0 ? `All ${count(well, "scenario")} passed` : "Nothing else was played") + rest;
        }
        const caseLink = (entry, attempt) => button("link", () => go(entry, attempt),
          make("span", "time", duration(entry.time)), mark(entry.outcome), " " + shortened(entry.last.name, 200));

        function showOverview() {
          const bar = make("div", "bar");
          const legend = make("p", "legend");
          for (const outcome of outcomes.filter((o) => totals.get(o) > 0)) {
            const part = make("i", outcome);
            part.style.flex = totals.get(outcome);
            bar.append(part);
            legend.append(make("span", "", mark(outcome), " " + words(outcome)));
          }
          const top = make("div", "sheet wide", make("h1", "", headline()), bar, legend);
          // A run that is not whole is itself the last case.
          const begun = cases.length - (index.unfinished ? 1 : 0);
          const unbegun = (index.run?.planned ?? 0) - begun;
          if (index.end?.interrupted) {
            const why = index.end.time_limit ? `by its time limit, ${index.end.time_limit}, ` : "";
            top.append(make("p", "note", `The run was broken off ${why}before its end.`));
          }
          if (index.end && unbegun > 0) top.append(make("p", "note", `${count(unbegun, "scenario")} never began.`));
          if (!index.end) {
            top.append(make("p", "note", "The run had not ended when this report was written: "
              + `${begun} of ${index.run?.planned ?? "?"} planned scenarios had begun.`));
          }
          const page = make("div", "overview", top);
          if (index.comparison) page.append(comparison(index.comparison));
          const groups = new Map();
          for (const entry of cases.filter((c) => ["failed", "error", "flaky"].includes(c.outcome))) {
            const key = entry.outcome + "\n" + entry.problem;
            if (!groups.has(key)) groups.set(key, []);
            groups.get(key).push(entry);
          }
          if (groups.size > 0) {
            const sheet = make("div", "sheet wide", make("h2", "", "What broke"));
            const sorted = [...groups.values()].sort((a, b) =>
              outcomes.indexOf(a[0].outcome) - outcomes.indexOf(b[0].outcome) || b.length - a.length);
            for (const group of sorted.slice(0, 40)) {
              const all = group.length > 1 ? ` (${group.length} times)` : "";
              sheet.append(make("div", "trouble " + group[0].outcome,
                make("p", "", shortened(group[0].problem ?? "no reason given", 400) + all),
                ...group.slice(0, 5).map((entry) => caseLink(entry)),
                group.length > 5 ? make("span", "note", `and ${group.length - 5} more`) : null));
            }
            if (sorted.length > 40) sheet.append(make("p", "note", `and ${sorted.length - 40} more reasons`));
            page.append(sheet);
          }
          const slow = [...cases].sort((a, b) => b.time - a.time).slice(0, 10).filter((c) => c.time > 0);
          page.append(make("div", "sheet", make("h2", "", "Slowest"), ...slow.map((entry) => caseLink(entry))));
          page.append(make("div", "sheet", make("h2", "", "Files"), fileTable()));
          $("detail").replaceChildren(page);
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
          sheet.append(make("p", "note", `${count(data.unchanged, "scenario")} as before`));
          return sheet;
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
          const cell = (value) => make("td", "", value === 0 ? "·" : value);
          const rows = [...files].sort((a, b) => b[1].other - a[1].other).slice(0, 100).map(([path, row]) => {
            const bad = cell(row.other);
            if (row.other > 0) bad.className = "mark failed";
            return make("tr", "", make("td", "", shortened(path, 200)), bad, cell(row.passed), cell(row.skipped),
              make("td", "", duration(row.time)));
          });
          const heads = ["file", "bad", "passed", "skipped", "time"].map((text) => make("th", "", text));
          return make("table", "", make("thead", "", make("tr", "", ...heads)), make("tbody", "", ...rows));
        }

        """#
}
