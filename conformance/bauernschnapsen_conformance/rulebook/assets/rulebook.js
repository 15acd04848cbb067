// Small things around the book: the cards learn whether the page is dark, and the choice of
// languages leads to the same place of the same page.
(() => {
  "use strict";
  const root = document.documentElement;
  const scheme = () => {
    const named = document.body.getAttribute("data-md-color-scheme");
    // A book of one file names none; there the reader's device decides.
    if (named !== null) root.dataset.bsScheme = named === "slate" ? "dark" : "light";
  };
  scheme();
  new MutationObserver(scheme).observe(document.body, {
    attributes: true,
    attributeFilter: ["data-md-color-scheme"],
  });

  // Code that is wider than the page is scrolled with the keyboard, too; on a device without a
  // mouse the theme takes the way to it away.
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target.matches("pre > code:not([tabindex])")) target.tabIndex = 0;
  }).observe(document.body, { subtree: true, attributeFilter: ["tabindex"] });

  // A hand of cards: plain text becomes cards, which are drawn when they come near the window.
  customElements.define(
    "bs-hand",
    class extends HTMLElement {
      static observedAttributes = ["cards"];
      connectedCallback() {
        this.show();
      }
      attributeChangedCallback() {
        if (this.isConnected) this.show();
      }
      show() {
        const { names } = globalThis.bauernschnapsenCards.words;
        const cards = (this.getAttribute("cards") ?? "").split(" ").filter((card) => card in names.french);
        this.replaceChildren(
          ...cards.map((card) => {
            const drawn = document.createElement("bs-card");
            drawn.setAttribute("card", card);
            drawn.setAttribute("width", this.getAttribute("width") ?? "46");
            drawn.setAttribute("role", "img");
            drawn.setAttribute("aria-label", names.french[card]);
            drawn.setAttribute("lazy", "");
            return drawn;
          }),
        );
        this.toggleAttribute("drawn", true);
      }
    },
  );

  // The choice of editions, which the theme puts here, says aloud which one this is.
  const topic = document.querySelector(".md-header__topic");
  const sayEdition = (watcher) => {
    const chosen = topic.querySelector(".md-version__current");
    if (!chosen || chosen.ariaLabel.startsWith(chosen.textContent.trim())) return;
    chosen.ariaLabel = `${chosen.textContent.trim()}, ${chosen.ariaLabel}`;
    watcher.disconnect();
  };
  if (topic) {
    const watcher = new MutationObserver(() => sayEdition(watcher));
    watcher.observe(topic, { childList: true, subtree: true });
    sayEdition(watcher);
  }

  // On paper an example shows who held what: the table it is played at is for the screen.
  addEventListener("beforeprint", () => {
    const { examples, words } = globalThis.bauernschnapsenPlay ?? {};
    const { seats } = globalThis.bauernschnapsenCards.words;
    for (const example of document.querySelectorAll("bs-example[data-scenario]")) {
      const data = examples?.[example.dataset.scenario];
      if (!data || example.querySelector(".bs-on-paper")) continue;
      for (const deal of data.deals) {
        const lines = document.createElement("ul");
        lines.className = "bs-on-paper";
        const held = Object.entries(deal.hands).map(([seat, cards]) => [seats[seat], cards.split(" ")]);
        if (deal.talon) held.push([words["play.talon"], deal.talon]);
        for (const [owner, cards] of held) {
          const line = document.createElement("li");
          line.append(owner, words["mark.colon"]);
          for (const card of cards) {
            const chip = document.createElement("bs-chip");
            chip.setAttribute("card", card);
            line.append(chip, " ");
          }
          lines.append(line);
        }
        example.append(lines);
      }
    }
  });

  const aim = () => {
    for (const link of document.querySelectorAll(".bs-language")) {
      link.href = link.href.split("#")[0] + location.hash;
    }
  };
  aim();
  addEventListener("hashchange", aim);
  document.addEventListener("pointerdown", aim, true);

  // A rule or example that is folded away opens when it is linked to.
  const open = () => {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = id && document.getElementById(id);
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  open();
  addEventListener("hashchange", open);
})();
