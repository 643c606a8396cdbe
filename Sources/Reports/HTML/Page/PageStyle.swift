/// The style of a page.
enum PageStyle {
    static let text = Self.frame + PageStyle.conversation

    private static let frame = #"""

        :root { color-scheme: light dark;
          --ground: light-dark(#eef0f4, #0f1318); --panel: light-dark(#ffffff, #181e26);
          --raised: light-dark(#f6f8fa, #1f2731); --ink: light-dark(#1b2129, #e3e8ef);
          --dim: light-dark(#5a6472, #94a0b0); --rule: light-dark(#d8dde5, #2c3542);
          --accent: light-dark(#1f5fae, #79b0f2); --mine: light-dark(#d9e8fb, #1d3a5c);
          --passed: light-dark(#17753f, #5ac488); --failed: light-dark(#bd2525, #ff7b72);
          --error: light-dark(#a2500b, #f0a255); --skipped: light-dark(#667080, #8b96a5);
          --flaky: light-dark(#7440c9, #bd9bff); --unfinished: light-dark(#0b6f80, #58c3d6);
          --bad-ground: light-dark(#fdf0ef, #2c1a1c); --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo,
          Consolas, "DejaVu Sans Mono", monospace; }
        :root[data-theme=light] { color-scheme: light; }
        :root[data-theme=dark] { color-scheme: dark; }
        * { box-sizing: border-box; }
        html, body { height: 100%; margin: 0; }
        body { display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
          font: 14px/1.45 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
        button, select, input { font: inherit; color: inherit; }
        button, select { background: var(--raised); border: 1px solid var(--rule); border-radius: 6px;
          padding: .2rem .6rem; cursor: pointer; }
        button:hover { border-color: var(--dim); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
        pre, code, .mono { font-family: var(--mono); font-size: 12.5px; }
        pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; tab-size: 4; }
        #top { display: flex; align-items: center; gap: 1rem; padding: .5rem 1rem; background: var(--panel);
          border-bottom: 1px solid var(--rule); }
        #home { font-weight: 700; font-size: 1.05rem; color: var(--ink); text-decoration: none; }
        #facts { flex: 1; margin: 0; color: var(--dim); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        #panes { flex: 1; min-height: 0; display: grid; grid-template-columns: minmax(19rem, 25rem) minmax(0, 1fr); }
        #list-pane { display: flex; flex-direction: column; min-height: 0; background: var(--panel);
          border-right: 1px solid var(--rule); }
        #filters { padding: .6rem; border-bottom: 1px solid var(--rule); display: grid; gap: .5rem; }
        #search { width: 100%; padding: .35rem .6rem; border: 1px solid var(--rule); border-radius: 6px;
          background: var(--raised); }
        #outcomes { display: flex; flex-wrap: wrap; gap: .3rem; }
        #outcomes button { border-radius: 99px; padding: .05rem .6rem; font-size: 13px; }
        #outcomes button[aria-pressed=true] { background: var(--hue); border-color: var(--hue); color: var(--panel); }
        #outcomes button[aria-pressed=false] { color: var(--hue); }
        #choices { display: flex; gap: .4rem; align-items: center; font-size: 13px; }
        #choices select { min-width: 0; max-width: 9rem; }
        #shown { margin-left: auto; color: var(--dim); white-space: nowrap; }
        #list { flex: 1; overflow-y: auto; position: relative; contain: strict; }
        #rows { position: relative; }
        .case { position: absolute; inset: 0 0 auto 0; height: 54px; padding: .4rem .8rem; display: grid;
          grid-template-columns: 1.4rem minmax(0, 1fr) auto; column-gap: .3rem; align-content: center;
          border-bottom: 1px solid var(--rule); cursor: pointer; }
        .case:hover { background: var(--raised); }
        .case[aria-selected=true] { background: var(--mine); box-shadow: inset 3px 0 var(--accent); }
        .case .name, .case .where { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .case .where { grid-column: 2; color: var(--dim); font-size: 12px; }
        .case .time { color: var(--dim); font-size: 12px; font-variant-numeric: tabular-nums; }
        .case .where.problem { color: var(--failed); }
        .mark { color: var(--hue); font-weight: 700; }
        .passed { --hue: var(--passed); } .failed { --hue: var(--failed); } .error { --hue: var(--error); }
        .skipped, .expected_failure { --hue: var(--skipped); } .flaky { --hue: var(--flaky); } .unfinished { --hue: var(--unfinished); }
        .badge { color: var(--panel); background: var(--hue); border-radius: 99px; padding: .05rem .6rem;
          font-size: 12px; font-weight: 600; white-space: nowrap; }
        .tag { border: 1px solid var(--rule); border-radius: 99px; padding: 0 .5rem; font-size: 12px;
          color: var(--dim); background: none; }
        #detail { min-width: 0; min-height: 0; display: flex; flex-direction: column; outline: none; overflow: auto; }
        .overview { padding: 1.2rem 1.5rem; display: grid; gap: 1rem; max-width: 76rem; align-content: start;
          grid-template-columns: repeat(2, minmax(0, 1fr)); }
        .overview > .wide { grid-column: 1 / -1; }
        .overview h1 { font-size: 1.5rem; margin: 0 0 .6rem; line-height: 1.25; }
        .overview h2 { font-size: 1rem; margin: 0 0 .5rem; }
        .sheet { background: var(--panel); border: 1px solid var(--rule); border-radius: 10px; padding: .9rem 1rem;
          min-width: 0; }
        .bar { display: flex; height: .7rem; border-radius: 99px; overflow: hidden; gap: 2px; }
        .bar i { background: var(--hue); min-width: 3px; }
        .legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: .5rem 0 0; color: var(--dim); }
        .trouble { border-left: 3px solid var(--hue); padding: .1rem 0 .1rem .7rem; margin: .6rem 0; }
        .trouble p { margin: 0 0 .2rem; font-weight: 600; overflow-wrap: anywhere; }
        .link { display: block; width: 100%; border: 0; background: none; padding: .12rem .3rem; text-align: left;
          color: var(--accent); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .link:hover { text-decoration: underline; }
        .link .time { float: right; color: var(--dim); padding-left: 1rem; font-variant-numeric: tabular-nums; }
        table { border-collapse: collapse; width: 100%; }
        .overview td, .overview th { padding: .12rem .4rem; text-align: right; font-variant-numeric: tabular-nums;
          white-space: nowrap; }
        .overview td:first-child, .overview th:first-child { text-align: left; overflow-wrap: anywhere;
          white-space: normal; width: 100%; }
        .overview th { color: var(--dim); font-weight: 500; font-size: 12px; }
        dialog { border: 1px solid var(--rule); border-radius: 10px; background: var(--panel); color: var(--ink); }
        dialog td { padding: .15rem 1rem .15rem 0; }
        kbd { font-family: var(--mono); border: 1px solid var(--rule); border-bottom-width: 2px; border-radius: 4px;
          padding: 0 .35rem; background: var(--raised); }
        @media (max-width: 60rem) {
          #panes { grid-template-columns: minmax(0, 1fr); }
          body.reading #list-pane { display: none; }
          body:not(.reading) #detail { display: none; }
          .overview { grid-template-columns: minmax(0, 1fr); padding: .8rem; }
        }

        """#
}
