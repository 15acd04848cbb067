"""Draw cards as SVG that needs nothing else: no font, no style sheet, no other element of the page.

Colours and lines are attributes, so that a printer of pages (WeasyPrint) draws them as a browser
does; there are no ids, so that any number may stand on one page. `cards.mjs` draws the same from
the same data: a test holds the two against each other, letter for letter.

`width` is always that of a card, in CSS pixels. A state (`legal`, `illegal`, `winner`) is shown by
form as well as colour: frame, height, tick, cross, crown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Literal

from bauernschnapsen.notation import seat_letters

from .faces import Deck, Json, load_faces
from .words import Words

State = Literal["legal", "illegal", "winner"]
Colours = Mapping[str, str]
_XMLNS = "http://www.w3.org/2000/svg"


def draw_card(
    card: str,
    words: Words,
    deck: Deck = "french",
    *,
    state: State | None = None,
    width: float = 90,
    label: str | None = None,
    hidden: bool = False,
) -> str:
    """Return a card as SVG. It is named in full words, or `label`; `hidden`: named elsewhere.

    A card with a state is drawn on a higher canvas, so that cards of all states stand on one line.
    """
    said = label if label is not None else said_of(words.card(card, deck), state, words)
    return _canvas(_face(card, words, deck, state), state, width, said, hidden=hidden)


def draw_back(words: Words, *, width: float = 90, label: str | None = None) -> str:
    """Return a card that lies face down."""
    faces = load_faces()
    shapes = _shapes(faces["back"], faces["colours"])
    said = label if label is not None else words.phrases["back"]
    return _canvas(_paper(None) + shapes, None, width, said)


def draw_sign(suit: str, deck: Deck = "french", *, size: float = 14) -> str:
    """Return a suit sign alone, for running text; it is named by what it stands in."""
    faces = load_faces()
    entry = faces["decks"][deck]["suits"][suit]
    inner = _shapes(entry["sign"], {**faces["colours"], "ink": entry["ink"]}, ink=True)
    shown = _number(size)
    return (
        f'<svg xmlns="{_XMLNS}" viewBox="0 0 20 20" width="{shown}" height="{shown}" '
        f'aria-hidden="true" focusable="false">{inner}</svg>'
    )


def draw_trick(
    plays: Sequence[tuple[str, str]],
    words: Words,
    deck: Deck = "french",
    *,
    seats: int = 4,
    winner: str | None = None,
    names: Mapping[str, str] | None = None,
    width: float = 74,
    label: str | None = None,
) -> str:
    """Return the cards of a trick on the table, in the order played: [("N", "KH"), ...].

    The card led has a 1 on it, the winner's a crown. `names`: what stands beside each seat.
    """
    faces = load_faces()
    table, colours = faces["table"], faces["colours"]
    called = names if names is not None else words.seats
    played = dict(plays)
    scale = table["card"] / faces["size"][0]
    across, high = table["size"]
    drawn = [
        f'<rect class="bs-felt" x="1" y="1" width="{_number(across - 2)}" '
        f'height="{_number(high - 2)}" rx="{_number(table["corner"])}" fill="{colours["felt"]}" '
        f'stroke="{colours["felt-line"]}" stroke-width="1.5"/>'
    ]
    said = []
    for seat in seat_letters(seats):
        x, y = table["places"][str(seats)][seat]
        if seat in played:
            won = seat == winner
            inside = _face(played[seat], words, deck, "winner" if won else None)
            if plays and plays[0][0] == seat:
                inside += _badge("lead", table, faces)
            if won:
                inside += _badge("winner", table, faces)
        else:
            inside = (
                f'<rect class="bs-empty" x="1" y="1" width="{_number(faces["size"][0] - 2)}" '
                f'height="{_number(faces["size"][1] - 2)}" rx="{_number(faces["corner"])}" '
                f'fill="none" stroke="{colours["empty"]}" stroke-width="2" stroke-dasharray="7 6"/>'
            )
        drawn.append(
            f'<g transform="translate({_number(x)} {_number(y)}) scale({_number(scale)})">'
            f"{inside}</g>"
        )
        x, y = table["names"][str(seats)][seat]
        drawn.append(
            f'<text class="bs-seat" x="{_number(x)}" y="{_number(y)}" text-anchor="middle" '
            f'font-family="Noto Sans,DejaVu Sans,Verdana,sans-serif" font-weight="700" '
            f'font-size="{_number(table["name"])}" fill="{colours["seat"]}">'
            f"{escape(called[seat])}</text>"
        )
    for place, (seat, card) in enumerate(plays):
        remarks = [words.phrases["led"]] if place == 0 else []
        remarks += [words.phrases["wins"]] if seat == winner else []
        more = f", {', '.join(remarks)}" if remarks else ""
        said.append(f"{called[seat]}: {words.card(card, deck)}{more}")
    named = label if label is not None else "; ".join(said) or words.phrases["empty"]
    return _svg((0, 0, across, high), width / table["card"], named, "".join(drawn))


# --------------------------------------------------------------------------- parts


def _face(card: str, words: Words, deck: Deck, state: State | None) -> str:
    """The card with its mark, as elements at 0, 0 of size 100 by 150; raised if it is legal."""
    faces = load_faces()
    entry = faces["decks"][deck]
    suit = entry["suits"][card[1]]
    colours = {**faces["colours"], "ink": suit["ink"], "cloth": suit["cloth"], "trim": suit["trim"]}
    drawn = "".join(_item(item, suit, colours) for item in entry["ranks"][card[0]])
    drawn += _ends(_index(words.letter(card, deck), suit, colours))
    inside = _paper(state) + drawn
    if state is None:
        return inside
    look = faces["states"][state]
    if look["opacity"] != 1:
        inside = f'<g opacity="{_number(look["opacity"])}">{inside}</g>'
    inside += _shapes(faces["marks"].get(state, ()), colours)
    if look["raise"]:
        inside = f'<g transform="translate(0 {_number(-look["raise"])})">{inside}</g>'
    return inside


def _paper(state: State | None) -> str:
    faces = load_faces()
    colours = faces["colours"]
    look = faces["states"].get(state, {"edge": "edge", "width": 1.5})
    half = look["width"] / 2
    across, high = faces["size"]
    kind = "bs-paper" if state in (None, "illegal") else "bs-paper bs-may"
    return (
        f'<rect class="{kind}" x="{_number(half)}" y="{_number(half)}" '
        f'width="{_number(across - 2 * half)}" height="{_number(high - 2 * half)}" '
        f'rx="{_number(faces["corner"])}" fill="{colours["paper"]}" '
        f'stroke="{colours[look["edge"]]}" stroke-width="{_number(look["width"])}"/>'
    )


def _item(item: Json, suit: Json, colours: Colours) -> str:
    """One entry of a layout."""
    if "ends" in item:
        return _ends("".join(_item(inner, suit, colours) for inner in item["ends"]))
    if "sign" in item:
        return _sign(item["sign"], suit, colours)
    if "season" in item:
        return _shapes(suit["season"], colours)
    return _shapes(load_faces()["figures"][item["draw"]], colours)


def _sign(place: Sequence[float], suit: Json, colours: Colours) -> str:
    x, y, size = place
    return (
        f'<g transform="translate({_number(x - size / 2)} {_number(y - size / 2)}) '
        f'scale({_number(size / 20)})">{_shapes(suit["sign"], colours)}</g>'
    )


def _index(letter: str, suit: Json, colours: Colours) -> str:
    """Letter or number and sign of the upper left corner. The letters are lines, not text."""
    faces = load_faces()
    index, glyphs = faces["index"], []
    across = -index["gap"]
    for sign in letter:
        wide, path = faces["glyphs"][faces["same_glyph"].get(sign, sign)]
        glyphs.append((across + index["gap"], path))
        across += index["gap"] + wide
    scale = index["height"] / 20
    squeeze = min(scale, index["widest"] / across)
    paths = "".join(
        f'<path d="{path}"/>'
        if not at
        else f'<path transform="translate({_number(at)} 0)" d="{path}"/>'
        for at, path in glyphs
    )
    return (
        f'<g transform="translate({_number(index["x"] - across * squeeze / 2)} '
        f'{_number(index["top"])}) scale({_number(squeeze)} {_number(scale)})" fill="none" '
        f'stroke="{colours["ink"]}" stroke-width="{_number(index["stroke"])}">{paths}</g>'
        + _sign(index["sign"], suit, colours)
    )


def _badge(kind: str, table: Json, faces: Json) -> str:
    x, y = table["badge"][kind]
    shapes = _shapes(faces["badges"][kind], faces["colours"])
    return f'<g transform="translate({_number(x)} {_number(y)})">{shapes}</g>'


def _ends(drawn: str) -> str:
    """The same at both ends of the card."""
    across, high = load_faces()["size"]
    turned = f"rotate(180 {_number(across / 2)} {_number(high / 2)})"
    return f'{drawn}<g transform="{turned}">{drawn}</g>'


def _shapes(shapes: Iterable[Json], colours: Colours, *, ink: bool = False) -> str:
    """Paths with their colours; `ink`: what has the suit's colour is marked for style sheets."""
    drawn = []
    for shape in shapes:
        fill, stroke = shape.get("fill"), shape.get("stroke")
        line = f'<path d="{shape["d"]}" fill="{colours.get(fill, fill) if fill else "none"}"'
        if stroke:
            line += f' stroke="{colours.get(stroke, stroke)}" stroke-width="{shape["width"]}"'
            line += ' stroke-linejoin="round"'
        if shape.get("round"):
            line += ' stroke-linecap="round"'
        if ink and fill == "ink":
            line += ' class="bs-ink"'
        drawn.append(line + "/>")
    return "".join(drawn)


def _canvas(
    drawn: str, state: State | None, width: float, said: str, *, hidden: bool = False
) -> str:
    faces = load_faces()
    across, high = faces["size"]
    room = faces["room"]
    box: tuple[float, float, float, float] = (0, 0, across, high)
    if state is not None:
        box = (
            -room["side"],
            -room["above"],
            across + 2 * room["side"],
            high + room["above"] + room["below"],
        )
    return _svg(box, width / across, None if hidden else said, drawn)


def _svg(box: tuple[float, float, float, float], scale: float, said: str | None, drawn: str) -> str:
    named = (
        'aria-hidden="true" focusable="false"'
        if said is None
        else f'role="img" aria-label="{escape(said)}"'
    )
    title = "" if said is None else f"<title>{escape(said)}</title>"
    return (
        f'<svg xmlns="{_XMLNS}" class="bs-svg" viewBox="{" ".join(map(_number, box))}" '
        f'width="{_number(box[2] * scale)}" height="{_number(box[3] * scale)}" {named}>'
        f"{title}{drawn}</svg>"
    )


def said_of(name: str, state: State | None, words: Words) -> str:
    """Return the name of a card with what is said of its state."""
    phrase = words.phrases.get({"winner": "wins"}.get(state, state)) if state is not None else None
    return f"{name}, {phrase}" if phrase else name


def _number(value: Any) -> str:
    """A coordinate with at most two decimals; `cards.mjs` rounds the same way."""
    rounded = int(abs(value) * 100 + 0.5 + 1e-9) / 100
    shown = f"{rounded:.2f}".rstrip("0").rstrip(".")
    return f"-{shown}" if value < 0 and shown != "0" else shown
