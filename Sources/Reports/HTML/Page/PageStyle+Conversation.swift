extension PageStyle {
    /// How a scenario looks: its head, the time line, the conversation and what stands beside it.
    static let conversation = #"""

        .head { padding: .8rem 1.2rem .6rem; background: var(--panel); border-bottom: 1px solid var(--rule); }
        .head h1 { font-size: 1.15rem; margin: 0; overflow-wrap: anywhere; display: flex; gap: .6rem;
          align-items: baseline; }
        .head .line { display: flex; flex-wrap: wrap; gap: .2rem .8rem; color: var(--dim); margin-top: .25rem;
          align-items: baseline; }
        .head code { user-select: all; overflow-wrap: anywhere; }
        .lead { display: flex; gap: .8rem; margin-top: .5rem; padding: .45rem .7rem; border-radius: 8px;
          background: var(--bad-ground); border-left: 3px solid var(--hue); align-items: baseline; }
        .lead span { flex: 1; overflow-wrap: anywhere; font-weight: 600; }
        .stepper { display: flex; gap: .6rem; align-items: center; padding: .35rem 1.2rem; background: var(--panel);
          border-bottom: 1px solid var(--rule); }
        .stepper output { min-width: 9.5rem; color: var(--dim); font-variant-numeric: tabular-nums; white-space: nowrap; }
        .track { flex: 1; min-width: 6rem; display: grid; }
        .track input { width: 100%; margin: 0; accent-color: var(--accent); }
        .strip { display: flex; height: 6px; margin: 0 7px; gap: 1px; }
        .strip i { flex: 1; background: var(--rule); border-radius: 1px; }
        .strip i.said { background: var(--accent); } .strip i.done { background: var(--dim); }
        .strip i.met { background: var(--passed); } .strip i.unmet { background: var(--failed); }
        .work { flex: 1; min-height: 16rem; display: grid; grid-template-columns: minmax(0, 1fr) minmax(18rem, 25rem); }
        .attempts { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(20rem, 1fr); min-height: 0;
          overflow-x: auto; }
        .attempt { min-height: 0; min-width: 0; display: flex; flex-direction: column;
          border-right: 1px solid var(--rule); }
        .attempt > h2 { margin: 0; padding: .35rem 1rem; font-size: 13px; background: var(--raised); display: flex;
          gap: 0 .6rem; flex-wrap: wrap; border-bottom: 1px solid var(--rule); cursor: pointer; font-weight: 500; }
        .attempt.current > h2 { box-shadow: inset 0 -2px var(--accent); }
        .talk { flex: 1; overflow: auto; container-type: inline-size; padding: .4rem 1rem 3rem; scroll-padding: 3.5rem; outline: none; }
        .lanes, .row { display: grid; grid-template-columns: 4.2rem repeat(var(--lanes, 1), minmax(13rem, 1fr));
          column-gap: .8rem; min-width: min-content; }
        .lanes { position: sticky; top: -.4rem; z-index: 1; background: var(--ground); padding: .5rem 0 .3rem;
          border-bottom: 1px solid var(--rule); margin-bottom: .4rem; }
        .lanes b { grid-row: 1; overflow-wrap: anywhere; } .lanes small { color: var(--dim); font-weight: 400; }
        .row { padding: .14rem .3rem; border-radius: 8px; cursor: pointer; align-items: start; }
        .row > time { color: var(--dim); font-size: 11.5px; text-align: right; padding-top: .25rem;
          font-variant-numeric: tabular-nums; }
        .row.now { background: light-dark(#dfe5ee, #232c38); box-shadow: inset 3px 0 var(--accent); }
        .row.later > :not(time) { opacity: .45; }
        .cell { min-width: 0; display: flex; flex-direction: column; align-items: flex-start; }
        .cell.out { align-items: flex-end; }
        .whole { padding-left: calc(var(--depth, 0) * 1rem); }
        .bubble { max-width: 92%; padding: .4rem .7rem; border-radius: 14px; border-bottom-left-radius: 4px;
          background: var(--panel); border: 1px solid var(--rule); overflow-wrap: anywhere; white-space: pre-wrap;
          unicode-bidi: plaintext; }
        .out > .bubble { background: var(--mine); border-color: transparent; border-radius: 14px;
          border-bottom-right-radius: 4px; }
        .bubble.gone { text-decoration: line-through; color: var(--dim); }
        .who { font-size: 11.5px; color: var(--dim); margin: 0 .4rem; }
        .note { color: var(--dim); font-size: 12.5px; overflow-wrap: anywhere; padding: .05rem 0; }
        .cell > .note { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
          unicode-bidi: plaintext; }
        .note b { color: var(--ink); font-weight: 600; }
        .act { font-family: var(--mono); font-size: 12px; border: 1px dashed var(--rule); border-radius: 8px;
          padding: .1rem .5rem; overflow-wrap: anywhere; max-width: 100%; }
        .check { font-size: 12.5px; overflow-wrap: anywhere; }
        .check.met { color: var(--passed); } .check.unmet { color: var(--failed); font-weight: 600; }
        .card { background: var(--panel); border: 1px solid var(--rule); border-radius: 10px; padding: .5rem .7rem;
          margin: .15rem 0; width: min(100%, 24rem); }
        .card h3 { font-size: 13px; margin: 0 0 .3rem; } .card p { margin: .1rem 0; overflow-wrap: anywhere; }
        .out > .card { background: var(--mine); border-color: transparent; }
        .field { display: grid; gap: .1rem; margin-top: .3rem; }
        .field label { font-size: 12px; color: var(--dim); }
        .field > span { border: 1px solid var(--rule); border-radius: 6px; padding: .15rem .5rem; min-height: 1.75em;
          background: var(--raised); overflow-wrap: anywhere; white-space: pre-wrap; }
        .field .wrong { border-color: var(--failed); }
        .buttons { display: flex; flex-wrap: wrap; gap: .3rem; margin-top: .35rem; }
        .buttons span { border: 1px solid var(--accent); color: var(--accent); border-radius: 99px;
          padding: .05rem .6rem; font-size: 13px; }
        .deck { display: flex; gap: .5rem; overflow-x: auto; max-width: 100%; }
        .deck .card { flex: 0 0 13rem; }
        .card td, .card th { border-top: 1px solid var(--rule); padding: .15rem .4rem; text-align: left; }
        .waiting { display: inline-flex; gap: .6rem; align-items: center; }
        .waiting b { font-size: 1.3rem; }
        .dots { display: inline-flex; gap: 3px; align-items: center; height: 1.3em; }
        .dots i { width: 6px; height: 6px; border-radius: 50%; background: var(--dim); }
        .step { font-weight: 600; border-left: 3px solid var(--accent); padding-left: .5rem; margin-top: .3rem; }
        .step.end { font-weight: 400; color: var(--dim); font-size: 12px; margin: 0; }
        .frame { font-family: var(--mono); font-size: 11.5px; color: var(--dim); overflow: hidden; max-width: 100%;
          text-overflow: ellipsis; white-space: nowrap; }
        .fault { grid-column: 2 / -1; background: var(--bad-ground); border: 1px solid var(--hue); border-radius: 10px;
          padding: .6rem .8rem; margin: .3rem 0 .5rem; overflow-x: auto; cursor: auto; }
        .fault .badge { margin-right: .5rem; }
        .fault .facts { display: flex; gap: .8rem; color: var(--dim); font-size: 12px; margin-bottom: .35rem;
          flex-wrap: wrap; }
        .level-error, .level-warning { color: var(--error); }
        #beside { overflow: auto; background: var(--panel); padding: .7rem 1rem 2rem; border-left: 1px solid var(--rule); }
        #beside h2 { font-size: 12px; margin: 1rem 0 .3rem; color: var(--dim); font-weight: 600;
          text-transform: uppercase; letter-spacing: .04em; }
        #beside > h2:first-child { margin-top: 0; }
        #beside .title { font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
        #beside pre { background: var(--raised); border: 1px solid var(--rule); border-radius: 8px; padding: .4rem .6rem;
          max-height: 24rem; overflow: auto; }
        #beside details { margin: .2rem 0; } #beside summary { cursor: pointer; font-size: 12px; overflow-wrap: anywhere;
          font-family: var(--mono); }
        #beside .code { white-space: pre; overflow-wrap: normal; }
        .detail .raw { white-space: pre; overflow-wrap: normal; }
        .code { display: block; } .code .at { background: light-dark(#fff3c4, #46400f); display: block;
          min-width: max-content; }
        .screens { display: grid; gap: .4rem; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); }
        .screen { border: 1px solid var(--rule); border-radius: 10px; padding: .4rem .6rem; background: var(--raised);
          font-size: 12.5px; min-width: 0; }
        .screen.real { grid-column: 1 / -1; background: var(--panel); padding: .5rem .7rem .7rem; border-width: 2px;
          border-radius: 14px; display: grid; gap: .3rem; }
        .screen.real .owner { font-size: 11.5px; color: var(--dim); }
        .screen.real .view { border-bottom: 1px solid var(--rule); padding-bottom: .25rem; font-size: 13px; }
        .screen.real h3 { font-size: 13px; margin: .2rem 0 0; }
        .screen.real .said { display: flex; flex-direction: column; align-items: flex-start; }
        .screen.real .said.out { align-items: flex-end; }
        .screen.real .buttons { margin-top: .1rem; }
        .screen .new { box-shadow: -3px 0 var(--accent); }
        .versus { display: grid; grid-template-columns: repeat(2, minmax(12rem, 1fr)); gap: .3rem .5rem; margin: .4rem 0;
          font-size: 12.5px; }
        .versus > b { color: var(--dim); font-size: 12px; }
        .versus .between { grid-column: 1 / -1; color: var(--dim); text-align: center; font-size: 12px; }
        .side { background: var(--panel); border: 1px solid var(--rule); border-radius: 8px; padding: .25rem .55rem;
          min-width: 0; overflow-wrap: anywhere; unicode-bidi: plaintext; }
        .side .who { margin: 0; } .side .value { font-family: var(--mono); font-size: 12px; white-space: pre-wrap; }
        .side .value .note { font-size: 12px; }
        .side.stored.missing, .side.stored.changed { border-left: 3px solid var(--failed); }
        .side.found.unexpected, .side.found.changed { border-left: 3px solid var(--passed); }
        .side.stored.unexpected, .side.found.missing { background: none; border-style: dashed; }
        .stored mark { background: light-dark(#fbd3d0, #5c2326); color: inherit; border-radius: 3px; }
        .found mark { background: light-dark(#cdeed9, #1c4a30); color: inherit; border-radius: 3px; }
        .mask { border: 1px dashed var(--accent); color: var(--accent); border-radius: 4px; padding: 0 .15rem; }
        .fault details { margin-top: .4rem; } .fault summary { cursor: pointer; color: var(--dim); font-size: 12px; }
        .fault p { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
        .screen p { margin: 0; overflow-wrap: anywhere; } .screen p span { color: var(--dim); }
        @container (max-width: 38rem) {
          .lanes, .row { grid-template-columns: 2.7rem repeat(var(--lanes, 1), minmax(7.5rem, 1fr)); column-gap: .4rem; }
          .bubble { padding: .3rem .55rem; }
        }
        @media (max-width: 80rem) {
          .work { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(20rem, 1fr) 18rem; }
          #beside { border-left: 0; border-top: 1px solid var(--rule); }
        }
        @media (prefers-reduced-motion: no-preference) {
          .row.now .dots i { animation: blink 1s infinite; } .dots i:nth-child(2) { animation-delay: .15s !important; }
          @keyframes blink { 50% { opacity: .2; } }
        }

        """#
}
