// Puts into a page, at the place of the call, what is the same on all pages of this language.
(() => {
  "use strict";
  const parts = {parts};
  const script = (text, attributes = {}) =>
    Object.assign(document.createElement("script"), { textContent: text, ...attributes });

  // The table of contents: what each heading says, a rule by its number and its first words.
  const LABEL = 44;
  const label = (heading) => {
    const number = heading.querySelector(".bs-no");
    const said = heading.nextElementSibling?.querySelector(".bs-text");
    if (!number || !said) return heading.textContent.replace(/#$/, "");
    let words = said.textContent.trim();
    if (words.length > LABEL) {
      words = `${words.slice(0, LABEL).replace(/[\s,;:]+\S*$/, "")} …`;
    }
    return `${number.textContent} ${words.replace(/\.$/, "")}`;
  };
  const entry = (heading) => {
    const item = document.createElement("li");
    item.className = "md-nav__item";
    const link = document.createElement("a");
    link.className = "md-nav__link";
    link.href = `#${heading.id}`;
    const text = document.createElement("span");
    text.className = "md-ellipsis";
    text.textContent = label(heading);
    link.append(text);
    item.append(link);
    return item;
  };
  const contents = () => {
    const list = document.querySelector(".md-sidebar--secondary [data-md-component=toc]");
    let under = list;
    for (const heading of document.querySelectorAll("article :is(h1, h2, h3)[id]")) {
      const link = document.createElement("a");
      link.className = "headerlink";
      link.href = `#${heading.id}`;
      link.textContent = "#";
      heading.append(link);
    }
    if (!list) return;
    for (const heading of document.querySelectorAll("article :is(h2, h3)[id]")) {
      const item = entry(heading);
      if (heading.tagName === "H2") {
        list.append(item);
        under = item;
      } else {
        let inner = under.querySelector?.("ul");
        if (!inner && under !== list) {
          const nav = document.createElement("nav");
          nav.className = "md-nav";
          nav.setAttribute("aria-label", under.textContent);
          inner = document.createElement("ul");
          inner.className = "md-nav__list";
          nav.append(inner);
          under.append(nav);
        }
        (inner ?? list).append(item);
      }
    }
    // The drawer of a phone has it, too.
    const here = document.querySelector("#__toc")?.parentElement;
    here?.append(list.closest("nav").cloneNode(true));
  };

  globalThis.shell = (name, base) => {
    const call = document.currentScript;
    if (name === "scope") {
      call.replaceWith(script(parts.scope.replace("@", () => base)));
    } else if (name === "chosen") {
      call.replaceWith(script(parts.chosen));
    } else if (name === "config") {
      const settings = JSON.parse(parts.config);
      const whole = { ...settings, base, search: `${base}/${settings.search}` };
      contents();
      call.replaceWith(script(JSON.stringify(whole), { id: "__config", type: "application/json" }));
    } else {
      call.outerHTML = parts[name];
    }
  };
})();
