// Elements of a page, made without ever reading text as HTML.

/**
 * An element. Attributes: `class`, `text`, `on` ({click: ...}), `aria-...` and all others as they
 * are written in HTML; true is an attribute without a value, null and false are left out.
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, does] of Object.entries(value)) made.addEventListener(event, does);
    else if (name === "text") made.textContent = value;
    else made.setAttribute(name, value === true ? "" : String(value));
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A button; what `data-key` says finds it again after the page has been drawn anew. */
export function button(key, label, does, attributes = {}) {
  return el("button", { type: "button", class: "bs-btn", "data-key": key, on: { click: does }, ...attributes }, label);
}

/**
 * Put new children into an element and leave the focus where it was: on what has the same
 * `data-key`, else on the first that is marked `data-first`.
 */
export function renew(parent, ...children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset.key;
  parent.replaceChildren(...children.flat(2).filter(Boolean));
  if (!focused) return;
  const found = key && parent.querySelector(`[data-key="${CSS.escape(key)}"]:not([disabled])`);
  (found || parent.querySelector("[data-first]:not([disabled])"))?.focus({ preventScroll: true });
}

/** What is remembered between pages, if the browser remembers anything. */
export function remembered(name, fallback) {
  try {
    return localStorage.getItem(`bauernschnapsen.${name}`) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Remember something; where storage is forbidden it lasts as long as the page. */
export function remember(name, value) {
  try {
    localStorage.setItem(`bauernschnapsen.${name}`, value);
  } catch {
    // As above.
  }
}

/** Whether the reader wants no motion, and so no waiting for it either. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
