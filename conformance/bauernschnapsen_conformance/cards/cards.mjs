// Cards in a page: the same drawing as svg.py, letter for letter, from the same faces.json, and the
// elements that let readers choose between French and German cards. No imports.
//
//   <bs-card card="TH" state="legal" width="70"></bs-card>     a card; state: legal, illegal, winner
//   <bs-card back></bs-card>                                   a card that lies face down
//   <bs-chip card="TH"></bs-chip>  <bs-chip suit="H"></bs-chip>  for running text
//   <bs-deck></bs-deck>                                        the choice of cards
//
// An attribute `deck` (french, german) on a card or chip fixes its deck whatever the reader chose;
// with `lazy` it is drawn when it comes near the window, or when the page is printed.
// `faces` is what faces.json says, `words` what words.py gives for the language of the page.

const XMLNS = "http://www.w3.org/2000/svg";
const STORE = "bauernschnapsen.deck";
const DECKS = ["french", "german"];
const SEATS = { 3: ["N", "E", "S"], 4: ["N", "E", "S", "W"] };
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

// ---------------------------------------------------------------------------- drawing

/** A card as SVG. Options: deck, state, width (CSS pixels), label, hidden. */
export function drawCard(faces, words, card, options = {}) {
  const { deck = "french", state = null, width = 90, label = null, hidden = false } = options;
  const said = label ?? withState(words.names[deck][card], state, words);
  return canvas(faces, face(faces, words, card, deck, state), state, width, hidden ? null : said);
}

/** A card that lies face down. Options: width, label. */
export function drawBack(faces, words, { width = 90, label = null } = {}) {
  const drawn = paper(faces, null) + shapes(faces.back, faces.colours);
  return canvas(faces, drawn, null, width, label ?? words.phrases.back);
}

/** A suit sign for running text. Options: deck, size. */
export function drawSign(faces, suit, { deck = "french", size = 14 } = {}) {
  const entry = faces.decks[deck].suits[suit];
  const inner = shapes(entry.sign, { ...faces.colours, ink: entry.ink }, true);
  const shown = number(size);
  return (
    `<svg xmlns="${XMLNS}" viewBox="0 0 20 20" width="${shown}" height="${shown}" ` +
    `aria-hidden="true" focusable="false">${inner}</svg>`
  );
}

/** A trick on the table: [["N", "KH"], ...]. Options: deck, seats, winner, names, width, label. */
export function drawTrick(faces, words, plays, options = {}) {
  const { deck = "french", seats = 4, winner = null, width = 74, label = null } = options;
  const { table, colours, size } = faces;
  const names = options.names ?? words.seats;
  const played = new Map(plays);
  const scale = table.card / size[0];
  const [across, high] = table.size;
  const drawn = [
    `<rect class="bs-felt" x="1" y="1" width="${number(across - 2)}" ` +
      `height="${number(high - 2)}" rx="${number(table.corner)}" fill="${colours.felt}" ` +
      `stroke="${colours["felt-line"]}" stroke-width="1.5"/>`,
  ];
  for (const seat of SEATS[seats]) {
    let [x, y] = table.places[seats][seat];
    let inside;
    if (played.has(seat)) {
      const won = seat === winner;
      inside = face(faces, words, played.get(seat), deck, won ? "winner" : null);
      if (plays.length > 0 && plays[0][0] === seat) inside += badge(faces, "lead");
      if (won) inside += badge(faces, "winner");
    } else {
      inside =
        `<rect class="bs-empty" x="1" y="1" width="${number(size[0] - 2)}" ` +
        `height="${number(size[1] - 2)}" rx="${number(faces.corner)}" ` +
        `fill="none" stroke="${colours.empty}" stroke-width="2" stroke-dasharray="7 6"/>`;
    }
    drawn.push(
      `<g transform="translate(${number(x)} ${number(y)}) scale(${number(scale)})">${inside}</g>`,
    );
    [x, y] = table.names[seats][seat];
    drawn.push(
      `<text class="bs-seat" x="${number(x)}" y="${number(y)}" text-anchor="middle" ` +
        `font-family="Noto Sans,DejaVu Sans,Verdana,sans-serif" font-weight="700" ` +
        `font-size="${number(table.name)}" fill="${colours.seat}">${escape(names[seat])}</text>`,
    );
  }
  const said = plays.map(([seat, card], place) => {
    const remarks = [];
    if (place === 0) remarks.push(words.phrases.led);
    if (seat === winner) remarks.push(words.phrases.wins);
    const more = remarks.length > 0 ? `, ${remarks.join(", ")}` : "";
    return `${names[seat]}: ${words.names[deck][card]}${more}`;
  });
  const named = label ?? (said.join("; ") || words.phrases.empty);
  return svg([0, 0, across, high], width / table.card, named, drawn.join(""));
}

/** The card with its mark, at 0, 0 and 100 by 150; raised if it is legal. */
function face(faces, words, card, deck, state) {
  const entry = faces.decks[deck];
  const suit = entry.suits[card[1]];
  const colours = { ...faces.colours, ink: suit.ink, cloth: suit.cloth, trim: suit.trim };
  let drawn = entry.ranks[card[0]].map((item) => layout(faces, item, suit, colours)).join("");
  drawn += ends(faces, index(faces, words.letters[deck][card[0]], suit, colours));
  let inside = paper(faces, state) + drawn;
  if (state === null) return inside;
  const look = faces.states[state];
  if (look.opacity !== 1) inside = `<g opacity="${number(look.opacity)}">${inside}</g>`;
  inside += shapes(faces.marks[state] ?? [], colours);
  if (look.raise) inside = `<g transform="translate(0 ${number(-look.raise)})">${inside}</g>`;
  return inside;
}

function paper(faces, state) {
  const { colours, size } = faces;
  const look = faces.states[state] ?? { edge: "edge", width: 1.5 };
  const half = look.width / 2;
  const kind = state === null || state === "illegal" ? "bs-paper" : "bs-paper bs-may";
  return (
    `<rect class="${kind}" x="${number(half)}" y="${number(half)}" ` +
    `width="${number(size[0] - 2 * half)}" height="${number(size[1] - 2 * half)}" ` +
    `rx="${number(faces.corner)}" fill="${colours.paper}" ` +
    `stroke="${colours[look.edge]}" stroke-width="${number(look.width)}"/>`
  );
}

function layout(faces, item, suit, colours) {
  if (item.ends) {
    return ends(faces, item.ends.map((one) => layout(faces, one, suit, colours)).join(""));
  }
  if (item.sign) return sign(item.sign, suit, colours);
  if (item.season) return shapes(suit.season, colours);
  return shapes(faces.figures[item.draw], colours);
}

function sign([x, y, size], suit, colours) {
  return (
    `<g transform="translate(${number(x - size / 2)} ${number(y - size / 2)}) ` +
    `scale(${number(size / 20)})">${shapes(suit.sign, colours)}</g>`
  );
}

/** Letter or number and sign of the upper left corner. The letters are lines, not text. */
function index(faces, letter, suit, colours) {
  const place = faces.index;
  let across = -place.gap;
  let paths = "";
  for (const character of letter) {
    const [wide, path] = faces.glyphs[faces.same_glyph[character] ?? character];
    const at = across + place.gap;
    paths += at
      ? `<path transform="translate(${number(at)} 0)" d="${path}"/>`
      : `<path d="${path}"/>`;
    across = at + wide;
  }
  const scale = place.height / 20;
  const squeeze = Math.min(scale, place.widest / across);
  return (
    `<g transform="translate(${number(place.x - (across * squeeze) / 2)} ` +
    `${number(place.top)}) scale(${number(squeeze)} ${number(scale)})" fill="none" ` +
    `stroke="${colours.ink}" stroke-width="${number(place.stroke)}">${paths}</g>` +
    sign(place.sign, suit, colours)
  );
}

function badge(faces, kind) {
  const [x, y] = faces.table.badge[kind];
  const drawn = shapes(faces.badges[kind], faces.colours);
  return `<g transform="translate(${number(x)} ${number(y)})">${drawn}</g>`;
}

function ends(faces, drawn) {
  const [across, high] = faces.size;
  const turned = `rotate(180 ${number(across / 2)} ${number(high / 2)})`;
  return `${drawn}<g transform="${turned}">${drawn}</g>`;
}

function shapes(list, colours, ink = false) {
  const colour = (name) => colours[name] ?? name;
  let drawn = "";
  for (const shape of list) {
    drawn += `<path d="${shape.d}" fill="${shape.fill ? colour(shape.fill) : "none"}"`;
    if (shape.stroke) {
      drawn += ` stroke="${colour(shape.stroke)}" stroke-width="${shape.width}"`;
      drawn += ' stroke-linejoin="round"';
    }
    if (shape.round) drawn += ' stroke-linecap="round"';
    if (ink && shape.fill === "ink") drawn += ' class="bs-ink"';
    drawn += "/>";
  }
  return drawn;
}

function canvas(faces, drawn, state, width, said) {
  const [across, high] = faces.size;
  const { side, above, below } = faces.room;
  const box =
    state === null
      ? [0, 0, across, high]
      : [-side, -above, across + 2 * side, high + above + below];
  return svg(box, width / across, said, drawn);
}

function svg(box, scale, said, drawn) {
  const named =
    said === null
      ? 'aria-hidden="true" focusable="false"'
      : `role="img" aria-label="${escape(said)}"`;
  const title = said === null ? "" : `<title>${escape(said)}</title>`;
  return (
    `<svg xmlns="${XMLNS}" class="bs-svg" viewBox="${box.map(number).join(" ")}" ` +
    `width="${number(box[2] * scale)}" height="${number(box[3] * scale)}" ${named}>` +
    `${title}${drawn}</svg>`
  );
}

/** A card for running text: sign and letter. */
function chipInside(faces, words, card, deck) {
  const letter = escape(words.letters[deck][card[0]]);
  const drawn = drawSign(faces, card[1], { deck });
  return `${drawn}<span aria-hidden="true">${letter}</span>`;
}

function withState(name, state, words) {
  const phrase = words.phrases[state === "winner" ? "wins" : state];
  return state !== null && phrase ? `${name}, ${phrase}` : name;
}

function escape(text) {
  return text.replace(/[&<>"']/g, (one) => ESCAPES[one]);
}

/** A coordinate with at most two decimals; svg.py rounds the same way. */
function number(value) {
  const rounded = Math.floor(Math.abs(value) * 100 + 0.5 + 1e-9) / 100;
  const shown = rounded.toFixed(2).replace(/\.?0+$/, "");
  return value < 0 && shown !== "0" ? `-${shown}` : shown;
}

// ---------------------------------------------------------------------------- the reader's choice

let chosen = null;
const drawnElements = new Set();

/** The cards to show where nothing is said: the reader's choice, else those of the language. */
export function currentDeck(language) {
  if (chosen === null) {
    let kept = null;
    try {
      kept = localStorage.getItem(STORE);
    } catch {
      // Storage may be forbidden; then the choice lasts as long as the page.
    }
    chosen = DECKS.includes(kept) ? kept : undefined;
  }
  return chosen ?? (language === "de" ? "german" : "french");
}

/** Choose the cards, for this page and, where the browser keeps it, for all to come. */
export function chooseDeck(deck) {
  chosen = DECKS.includes(deck) ? deck : undefined;
  try {
    localStorage.setItem(STORE, deck);
  } catch {
    // As above.
  }
  redraw();
}

function redraw() {
  for (const element of drawnElements) element.draw();
  document.dispatchEvent(new CustomEvent("bs-deck", { detail: chosen }));
}

/** Make the elements known to the page. Once per page: a page has one language. */
export function defineCards(faces, words) {
  const deckOf = (element) => {
    const fixed = element.getAttribute("deck");
    return DECKS.includes(fixed) ? fixed : currentDeck(words.language);
  };
  const known = (card) => card !== null && Object.hasOwn(words.names.french, card);

  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (entry.isIntersecting) entry.target.start();
    },
    { rootMargin: "400px" },
  );

  class Drawn extends HTMLElement {
    connectedCallback() {
      if (this.hasAttribute("lazy")) watcher.observe(this);
      else this.start();
    }
    start() {
      watcher.unobserve(this);
      drawnElements.add(this);
      this.draw();
    }
    disconnectedCallback() {
      watcher.unobserve(this);
      drawnElements.delete(this);
    }
    attributeChangedCallback() {
      if (drawnElements.has(this)) this.draw();
    }
    show(inside, said) {
      this.innerHTML = inside;
      this.setAttribute("role", "img");
      this.setAttribute("aria-label", said);
      this.setAttribute("title", said);
      this.toggleAttribute("drawn", true);
    }
  }

  class Card extends Drawn {
    static observedAttributes = ["card", "state", "width", "deck", "back"];
    draw() {
      const width = Number(this.getAttribute("width")) || 70;
      if (this.hasAttribute("back")) {
        const inside = drawBack(faces, words, { width }).replace(/<title>.*?<\/title>/, "");
        this.show(inside, words.phrases.back);
        return;
      }
      const card = this.getAttribute("card");
      if (!known(card)) return;
      const deck = deckOf(this);
      const given = this.getAttribute("state");
      const state = given !== null && Object.hasOwn(faces.states, given) ? given : null;
      const inside = drawCard(faces, words, card, { deck, state, width, hidden: true });
      this.show(inside, withState(words.names[deck][card], state, words));
    }
  }

  class Chip extends Drawn {
    static observedAttributes = ["card", "suit", "state", "deck"];
    draw() {
      const deck = deckOf(this);
      const card = this.getAttribute("card");
      const suit = this.getAttribute("suit");
      this.classList.add("bs-chip");
      if (known(card)) {
        const state = this.getAttribute("state");
        if (state !== null) this.dataset.state = state;
        else delete this.dataset.state;
        this.dataset.suit = card[1];
        const said = withState(words.names[deck][card], state, words);
        this.show(chipInside(faces, words, card, deck), said);
      } else if (suit !== null && Object.hasOwn(words.suits[deck], suit)) {
        this.dataset.suit = suit;
        this.show(drawSign(faces, suit, { deck }), words.suits[deck][suit]);
      }
    }
  }

  class Deck extends HTMLElement {
    connectedCallback() {
      drawnElements.add(this);
      this.setAttribute("role", "group");
      this.setAttribute("aria-label", words.phrases.deck);
      this.replaceChildren(
        ...DECKS.map((deck) => {
          const button = document.createElement("button");
          button.type = "button";
          button.dataset.deck = deck;
          button.innerHTML = drawSign(faces, "S", { deck, size: 16 });
          const name = document.createElement("span");
          name.textContent = words.decks[deck];
          button.append(name);
          button.addEventListener("click", () => chooseDeck(deck));
          return button;
        }),
      );
      this.draw();
    }
    disconnectedCallback() {
      drawnElements.delete(this);
    }
    draw() {
      for (const button of this.children) {
        const pressed = button.dataset.deck === currentDeck(words.language);
        button.setAttribute("aria-pressed", String(pressed));
      }
    }
  }

  customElements.define("bs-card", Card);
  customElements.define("bs-chip", Chip);
  customElements.define("bs-deck", Deck);
  addEventListener("beforeprint", () => {
    for (const element of document.querySelectorAll("[lazy]:not([drawn])")) element.start();
  });
  addEventListener("storage", (event) => {
    if (event.key !== STORE) return;
    chosen = null;
    redraw();
  });
}
