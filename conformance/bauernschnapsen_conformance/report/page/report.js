// What a reader can do in the report: walk through the steps of a deal, unfold and fold, copy.
(() => {
  "use strict";
  const cards = globalThis.bauernschnapsenCards;
  document.documentElement.classList.add("drawing");

  const button = (text, label, press) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = text;
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", press);
    return made;
  };

  /** The text of an element, with cards in full words. */
  const inWords = (element) => {
    const copy = element.cloneNode(true);
    for (const chip of copy.querySelectorAll("bs-chip")) chip.replaceWith(chip.ariaLabel);
    for (const remark of copy.querySelectorAll("small")) remark.prepend("– ");
    return copy.textContent;
  };

  /** Let a reader step through one deal; it begins at the last step, where the difference is. */
  function walk(place) {
    const data = JSON.parse(place.querySelector("script").textContent);
    const steps = [...place.querySelectorAll("ol.steps > li")];
    const last = data.views.length - 1;
    const stage = place.querySelector(".stage");
    const picture = document.createElement("div");
    const facts = document.createElement("p");
    facts.className = "facts";
    stage.append(picture, facts);
    let now = last;

    const bar = document.createElement("div");
    bar.className = "walker";
    const back = button("◀", "One step back", () => go(now - 1));
    const on = button("▶", "One step on", () => go(now + 1));
    const slider = document.createElement("input");
    slider.type = "range";
    slider.min = 0;
    slider.max = last;
    slider.setAttribute("aria-label", "Step");
    slider.addEventListener("input", () => go(Number(slider.value)));
    const said = document.createElement("span");
    said.setAttribute("role", "status");
    bar.append(back, on, slider, said);
    if (last > 0) place.querySelector(".steps").before(bar);
    picture.className = "picture";

    function go(step) {
      now = Math.min(Math.max(step, 0), last);
      slider.value = now;
      back.disabled = now === 0;
      on.disabled = now === last;
      const told = now === 0 ? "before the first step" : inWords(steps[now - 1]);
      said.textContent = `${now} of ${last}: ${told}`;
      slider.setAttribute("aria-valuetext", said.textContent);
      steps.forEach((step, number) => {
        if (number === now - 1) step.setAttribute("aria-current", "step");
        else step.removeAttribute("aria-current");
      });
      draw();
    }

    function draw() {
      const view = data.views[now];
      const deck = cards.currentDeck("en");
      const { faces, words } = cards;
      picture.innerHTML = cards.drawTrick(faces, words, view.t, {
        deck, seats: data.seats, winner: view.w, width: 62,
      });
      facts.textContent = view.f;
      for (const cell of place.querySelectorAll("td[data-seat]")) {
        for (const card of cell.querySelectorAll("bs-card")) {
          const code = card.getAttribute("card");
          const gone = (data.gone[code] ?? Infinity) <= now;
          const asked = !gone && view.l !== null && cell.dataset.seat === view.a;
          card.toggleAttribute("data-gone", gone);
          if (gone) card.setAttribute("aria-hidden", "true");
          else card.removeAttribute("aria-hidden");
          const state = asked ? (view.l.includes(code) ? "legal" : "illegal") : null;
          if (state === null) card.removeAttribute("state");
          else if (card.getAttribute("state") !== state) card.setAttribute("state", state);
        }
      }
    }

    document.addEventListener("bs-deck", draw);
    go(last);
  }

  /** Prepare what is inside a failure when it is first unfolded. */
  function prepare(failure) {
    if (failure.dataset.ready || !failure.open) return;
    failure.dataset.ready = "yes";
    for (const place of failure.querySelectorAll(".walk")) walk(place);
    offerCopies(failure);
  }

  function offerCopies(place) {
    if (!navigator.clipboard) return;
    for (const command of place.querySelectorAll(".commands pre")) {
      const done = document.createElement("span");
      done.className = "copied";
      done.setAttribute("role", "status");
      const copy = button("Copy", "Copy the command", async () => {
        try {
          await navigator.clipboard.writeText(command.textContent);
          done.textContent = "copied";
        } catch {
          done.textContent = "copying is not allowed here; select the text";
        }
      });
      command.previousElementSibling.append(copy, done);
    }
  }

  offerCopies(document.querySelector("#repeat"));
  const failures = [...document.querySelectorAll("details.failure")];
  for (const failure of failures) {
    failure.addEventListener("toggle", () => prepare(failure));
    prepare(failure);
  }
  const all = document.querySelector("#all-failures");
  if (all !== null) {
    const fold = (open) => () => failures.forEach((failure) => (failure.open = open));
    all.append(button("Unfold all", "", fold(true)), " ", button("Fold all", "", fold(false)));
  }
  const unfold = () => {
    const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    if (target?.matches("details")) target.open = true;
  };
  addEventListener("hashchange", unfold);
  unfold();
  addEventListener("beforeprint", () => failures.forEach((failure) => (failure.open = true)));
})();
