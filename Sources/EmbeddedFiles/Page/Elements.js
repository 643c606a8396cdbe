// Makes elements, and texts and durations that people read; reports and the page for chats by hand share it.

const $ = (id) => document.getElementById(id);

/** Characters that act instead of showing become visible, as on the console. */
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const visible = (text) =>
  text.replace(acting, (c) => "\\u{" + c.codePointAt(0).toString(16).toUpperCase() + "}");

/** Makes an element; children that are no elements become text. */
function make(name, look, ...children) {
  const element = document.createElement(name);
  if (look) element.className = look;
  for (const child of children) {
    if (child === null || child === undefined || child === "") continue;
    element.append(child instanceof Node ? child : visible(String(child)));
  }
  return element;
}
function button(look, action, ...children) {
  const element = make("button", look, ...children);
  element.type = "button";
  element.addEventListener("click", action);
  return element;
}

const count = (number, what) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
const shortened = (text, length) => text.length > length ? text.slice(0, length) + " …" : text;
function duration(nanoseconds) {
  const ms = Math.max(0, nanoseconds) / 1e6;
  if (ms === 0) return "0s";
  if (ms < 0.9995) return Math.round(ms * 1000) + "µs";
  if (ms < 999.5) return +ms.toPrecision(ms < 10 ? 2 : 3) + "ms";
  const s = ms / 1000;
  if (s < 60) return +s.toFixed(s < 10 ? 2 : 1) + "s";
  const m = Math.floor(Math.round(s) / 60);
  return m < 60 ? `${m}m ${Math.round(s) % 60}s` : `${Math.floor(m / 60)}h ${m % 60}m`;
}
