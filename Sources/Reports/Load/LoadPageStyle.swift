/// What the page of a load run has beside the style of all pages.
enum LoadPageStyle {
    static let text =
        PageStyle.text + #"""
            :root { --c0: light-dark(#1f5fae, #79b0f2); --c1: light-dark(#c2571a, #f2a35e);
              --c2: light-dark(#1d7f4e, #63c795); --c3: light-dark(#8a3fbf, #c79af0);
              --c4: light-dark(#b0243f, #f5838f); --c5: light-dark(#5c6b00, #c4cf5a); }
            main { flex: 1; min-height: 0; overflow: auto; }
            .overview { margin: 0 auto; }
            .overview h1 .badge { vertical-align: .25rem; margin-left: .4rem; }
            .valid { --hue: var(--passed); } .degraded { --hue: var(--error); } .invalid { --hue: var(--failed); }
            .not_evaluated { --hue: var(--error); }
            td.valid, td.degraded, td.invalid, td.passed, td.failed, td.not_evaluated, td.changed { color: var(--hue);
              font-weight: 600; }
            td.changed { --hue: var(--flaky); } td.slower { --hue: var(--failed); } td.faster { --hue: var(--passed); }
            .overview td.change { text-align: left; padding-left: 1.2rem; color: var(--dim); }
            .overview td.change.changed, .overview td.change.slower, .overview td.change.faster { color: var(--hue);
              font-weight: 600; }
            .overview td.left, .overview td.said { text-align: left; white-space: normal; overflow-wrap: anywhere; }
            .overview td.said { color: var(--dim); }
            .wide-table { overflow-x: auto; }
            .overview .wide-table td:first-child, .overview .wide-table th:first-child { width: auto;
              min-width: 11rem; }
            .overview td.said:last-child { width: 60%; min-width: 14rem; padding-left: 1.2rem; }
            .chart { display: block; width: 100%; height: auto; overflow: visible; }
            .chart text { font-size: 11px; fill: var(--dim); }
            .chart .end { text-anchor: end; } .chart .middle { text-anchor: middle; }
            .grid { stroke: var(--rule); fill: none; } .axis { stroke: var(--dim); fill: none; }
            .line { fill: none; stroke: var(--curve); stroke-width: 1.6; stroke-linejoin: round; }
            .dot { fill: var(--curve); }
            .c0 { --curve: var(--c0); } .c1 { --curve: var(--c1); } .c2 { --curve: var(--c2); }
            .c3 { --curve: var(--c3); } .c4 { --curve: var(--c4); } .c5 { --curve: var(--c5); }
            .median { --curve: var(--ink); } .tail { --curve: var(--c1); }
            .legend i { display: inline-block; width: .9rem; height: .2rem; border-radius: 2px; vertical-align: middle;
              background: var(--curve); }
            p.legend { margin: 0 0 .3rem; }
            .phase { fill: var(--dim); fill-opacity: .07; } .event { fill: var(--failed); fill-opacity: .22; }
            .event.moment { fill-opacity: .8; } .chart text.name { fill: var(--failed); }
            .heat { fill: var(--accent); } .reading { fill: transparent; }
            .reading:hover { fill: var(--dim); fill-opacity: .16; }
            .pair { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); gap: 1rem; align-items: end; }
            .pair h3 { margin: 0 0 .3rem; font-size: 12px; font-weight: 500; color: var(--dim); }
            .figures { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; margin: 0 0 .7rem; }
            .figures div { display: flex; flex-direction: column; }
            .figures b { font-size: 1.15rem; font-variant-numeric: tabular-nums; }
            .figures span { color: var(--dim); font-size: 12px; }
            .saying { margin: .2rem 0; } .saying b { color: var(--hue); display: inline-block; min-width: 1rem; }
            .note { color: var(--dim); margin: .4rem 0 0; }
            ul.reasons { margin: .3rem 0 0; padding-left: 1.2rem; }
            @media (max-width: 60rem) { .pair { grid-template-columns: minmax(0, 1fr); }
              .overview .sheet { overflow-x: auto; } .chart.broad { min-width: 46rem; overflow: hidden; }
              .overview .wide-table td:first-child, .overview .wide-table th:first-child { min-width: 9.5rem; } }
            @media print { body { display: block; } main { overflow: visible; } #theme { display: none; }
              .sheet { break-inside: avoid; } }

            """#

    /// Switches between light and dark; the page shows all without it.
    static let script = #"""

        "use strict";
        (() => {
          const root = document.documentElement;
          document.getElementById("theme").addEventListener("click", () => {
            const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"))
              === "dark";
            root.dataset.theme = isDark ? "light" : "dark";
            try { localStorage.setItem("repartee-theme", root.dataset.theme); } catch { /* The choice is not kept. */ }
          });
          try {
            const kept = localStorage.getItem("repartee-theme");
            if (kept === "light" || kept === "dark") root.dataset.theme = kept;
          } catch { /* Files may not keep anything. */ }
        })();

        """#
}
