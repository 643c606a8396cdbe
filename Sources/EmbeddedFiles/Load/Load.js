// The page of a load test, whose figures are markup: the theme, and the values under the pointer.

"use strict";
(() => {
  const root = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"))
      === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    try { localStorage.setItem("repartee-theme", root.dataset.theme); } catch { /* The choice is not kept. */ }
  });
  // The values under the pointer, at once and readable; without this script browsers show the same after a while.
  const value = document.createElement("div");
  value.id = "value";
  value.hidden = true;
  document.body.append(value);
  const show = (event) => {
    const reading = event.target.closest?.(".reading, .event");
    const text = reading?.dataset.value ?? reading?.querySelector("title")?.textContent;
    value.hidden = text === undefined;
    if (value.hidden) return;
    // A native tip would stand above it.
    reading.querySelector("title")?.remove();
    reading.dataset.value = text;
    const [head, ...rest] = text.split(": ");
    const line = document.createElement("b");
    line.textContent = head;
    value.replaceChildren(line, ...rest.join(": ").split(", ").flatMap((part) => [part, document.createElement("br")]));
    const { innerWidth: width, innerHeight: height } = window;
    const box = value.getBoundingClientRect();
    value.style.left = Math.min(event.clientX + 14, width - box.width - 8) + "px";
    value.style.top = Math.min(event.clientY + 14, height - box.height - 8) + "px";
  };
  addEventListener("pointermove", show);
  addEventListener("pointerdown", show);
  try {
    const kept = localStorage.getItem("repartee-theme");
    if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  } catch { /* Files may not keep anything. */ }
})();
