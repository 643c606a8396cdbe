// What the page of a load test has besides Load.js while the test goes: it asks the tool for what is new.

(() => {
  /** How long the page waits before it asks again: after an answer, and after none. */
  const pause = { answered: 250, failed: 1000 };
  /** After so many questions without an answer the tool has ended. */
  const patience = 3;
  const part = (name, text) => {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    return element;
  };
  const bar = part("section");
  bar.id = "live";
  bar.setAttribute("aria-label", "The run");
  const stop = part("button", "stop");
  stop.type = "button";
  const state = part("span", "no user has begun yet");
  state.setAttribute("role", "status");
  bar.append(stop, state);
  document.getElementById("top").after(bar);
  stop.addEventListener("click", async () => {
    stop.disabled = true;
    try {
      const answer = await fetch("stop", { method: "POST", body: "{}" });
      state.textContent = answer.ok ? "stopping: users who play may finish" : await answer.text();
    } catch { state.textContent = "repartee does not answer; has it ended?"; }
  });

  /** Puts what is new in place of what was shown; what was opened stays open. */
  function take({ playing, page }) {
    if (!stop.disabled || !playing) {
      state.textContent = playing ? "users are playing" : "the run has ended";
      stop.disabled = !playing;
    }
    if (!page) return;
    document.title = page.title;
    document.getElementById("facts").textContent = page.facts;
    const shown = document.querySelector(".overview");
    const open = [...shown.querySelectorAll("details")].map((one) => one.open);
    // Scripts in a text that is parsed so do not run, and the markup is that of the report.
    const parsed = new DOMParser().parseFromString(page.body, "text/html");
    shown.replaceChildren(...parsed.body.childNodes);
    shown.querySelectorAll("details").forEach((one, place) => { if (place in open) one.open = open[place]; });
  }

  (async () => {
    let version = -1;
    let unanswered = 0;
    while (unanswered < patience) {
      try {
        const answer = await fetch("changes?after=" + version, { cache: "no-store" });
        if (!answer.ok) throw new Error(await answer.text());
        const news = await answer.json();
        version = news.version;
        take(news);
        unanswered = 0;
      } catch { unanswered += 1; }
      await new Promise((go) => setTimeout(go, unanswered > 0 ? pause.failed : pause.answered));
    }
    stop.disabled = true;
    state.textContent = "repartee has ended; load.html has what the run came to";
  })();
})();
