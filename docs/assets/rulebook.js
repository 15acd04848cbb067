// Small things around the book: the cards learn whether the page is dark, and the choice of
// languages leads to the same place of the same page.
(() => {
  "use strict";
  const root = document.documentElement;
  const scheme = () => {
    root.dataset.bsScheme =
      document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";
  };
  scheme();
  new MutationObserver(scheme).observe(document.body, {
    attributes: true,
    attributeFilter: ["data-md-color-scheme"],
  });

  const aim = () => {
    for (const link of document.querySelectorAll(".md-select__link[hreflang]")) {
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
