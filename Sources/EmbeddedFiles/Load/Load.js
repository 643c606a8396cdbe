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
