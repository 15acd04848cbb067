"""Make the built pages small: what every page repeats goes into files that all pages share.

A page of the theme carries each icon as a drawing, the same scripts, and its table of contents
twice. Here an icon becomes a class, drawn by one style sheet; a script that is the same on all
pages becomes a file; what only works with scripts (the search, the choice of light or dark, the
settings of the theme, the table of contents) is put into the page by a script of its language,
`shell.js`. What no reader loads is removed. A language built alone, with plain `mkdocs build`, is
without all this.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from bauernschnapsen.errors import SpecError

from .publish import OWN_ASSETS

SHELL = "shell.js"
WORDS = "words.js"
OF_A_LANGUAGE = (SHELL, WORDS, "play-words.js")
"""Files among the assets that say something in a language, which no other can share."""
_STYLES = ("fonts.css", "cards.css", "rulebook.css", "play.css")
_SCRIPTS = ("cards.js", "rulebook.js", "play.js")
_KEPT = {"lunr.stemmer.support.min.js", "lunr.multi.min.js"}
_ICON = re.compile(
    r'<svg xmlns="http://www\.w3\.org/2000/svg" viewBox="0 0 24 24">(<path d="[^"]+"/>)</svg>'
)
# Twice: in the drawer of a phone, then beside the page.
_CONTENTS = re.compile(
    r'(for="__toc">.*?)<nav class="md-nav md-nav--secondary".*?</nav>', re.DOTALL
)
_ENTRIES = re.compile(
    r'(<ul class="md-nav__list" data-md-component="toc"[^>]*>).*?(</ul>\s*</nav>(?:\s*</div>){3})',
    re.DOTALL,
)
_LINKED = re.compile(r'<a class="headerlink" href="#[^"]*">#</a>')
_ARTICLE = re.compile(r"(<article.*?</article>)", re.DOTALL)
_BETWEEN = re.compile(
    r"(?<=>)(?<!</span>)\n+(?=</?(?:a|button|div|footer|head|header|input|label|li|link|main|meta|nav|ol|"
    r"script|span|svg|title|ul|body)\b)"
)
_AROUND = re.compile(r"(?<=>)\n(?=[^\n<])|(?<=[^\n>])\n(?=</)")
_USELESS = re.compile(
    r'<meta name="(?:author|generator)"[^>]*>\n?|<link rel="alternate"[^>]*>\n?'
    r"|<script>var target=document.getElementById.*?</script>"
    r'|<script src="[^"]*iframe-worker\.js"></script>\n?'
)
_CONFIG = re.compile(r'<script id="__config" type="application/json">(.*?)</script>')
_SCOPE = re.compile(r'<script>(__md_scope=new URL\(")([./]+)(",location\),.*?)</script>')
_PALETTE = re.compile(r"<script>(var palette=.*?)</script>")
_IMPLIED = re.compile(
    r"</li>(?=\s*(?:<li|</[ou]l>))|</t[dh]>(?=\s*(?:<t[dh]|</tr>))|</tr>(?=\s*(?:<tr|</t(?:head|body)>))"
    r"|</thead>(?=\s*<tbody)|</tbody>(?=\s*</table>)|</d[dt]>(?=\s*(?:<d[dt]|</dl>))"
    r"|</p>(?=\s*(?:<(?:p|div|ul|ol|dl|table|details|h[1-6])\b|</(?:div|details|li|td)>))"
)
"""End tags that may be left out in HTML, since what follows implies them."""
_PLAYED = re.compile(
    r'(class="bs-example-box" id="([^"]+)">(?:(?!<bs-example).)*<bs-example) data-scenario="\2">',
    re.DOTALL,
)
_PARTS = {
    "palette": re.compile(r'<form class="md-header__option".*?</form>', re.DOTALL),
    "search": re.compile(
        r'<div class="md-search" .*?</ol>(?:\s*</div>){4}\s*</div>(?=\s*</nav>)', re.DOTALL
    ),
}
"""What a page has only for its scripts, and what is the same on all pages of a language."""


def slim(folder: Path, languages: Sequence[str]) -> None:
    """Remove what no reader loads: source maps, search support of languages that are not ours."""
    # It would be served for addresses of any language, with links that suit none.
    (folder / "404.html").unlink(missing_ok=True)
    for path in folder.rglob("*.map"):
        path.unlink()
    # The comment that names a source map makes browsers ask for it.
    for path in (*folder.rglob("*.min.js"), *folder.rglob("*.min.css")):
        text = path.read_text("utf-8")
        cut = re.sub(r"\n?(//# sourceMappingURL=\S+|/\*# sourceMappingURL=\S+ \*/)\s*$", "\n", text)
        if cut != text:
            path.write_text(cut, encoding="utf-8")
    # In UTF-8 as it is, a Cyrillic letter takes two bytes and not six.
    index = folder / "search" / "search_index.json"
    data = json.loads(index.read_bytes())
    index.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
    kept = _KEPT | {f"lunr.{language}.min.js" for language in languages}
    for path in (folder / "assets" / "javascripts" / "lunr").rglob("*.js"):
        if path.name not in kept:
            path.unlink()


def share_repeated(folders: Sequence[Path], shared: Path) -> None:
    """Take out of all pages what they repeat: into `shared`, or assets/shell.js of a language.

    `shared` is the folder of assets that all languages have in common. Our own style sheets become
    one, and so do our scripts: a page asks for fewer files.
    """
    pages = {
        path: (folder, path.read_text("utf-8"))
        for folder in folders
        for path in sorted(folder.rglob("*.html"))
    }
    drawn = {
        found
        for _, text in pages.values()
        for outside in _ARTICLE.split(text)[::2]
        for found in _ICON.findall(outside)
    }
    icons = {drawing: f"i{_digest(drawing)}" for drawing in sorted(drawn)}
    _joined(shared, _STYLES, "book.css", _icon_style(icons))
    _joined(shared, _SCRIPTS, "book.js")
    shells: dict[Path, dict[str, str]] = {folder: {} for folder in folders}
    for path, (folder, text) in pages.items():
        up = "../" * (len(path.relative_to(folder).parts) - 1)
        slimmed = _slimmed(text, up, f"{up}../../assets/{shared.name}/", icons, shells[folder])
        path.write_text(slimmed, encoding="utf-8")
    for folder, parts in shells.items():
        data = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
        script = (OWN_ASSETS / SHELL).read_text("utf-8").replace("{parts}", data)
        (folder / "assets" / SHELL).write_text(script, encoding="utf-8")
        _joined(folder / "assets", (WORDS, "play-words.js"), WORDS)


def _joined(folder: Path, names: Sequence[str], target: str, more: str = "") -> None:
    """Make one file of several, and remove them."""
    for name in names:
        if not (folder / name).exists():
            raise SpecError(f"the file {name} is not the same in all languages")
    texts = [(folder / name).read_text("utf-8") for name in names]
    for name in names:
        (folder / name).unlink()
    (folder / target).write_text("".join([*texts, more]), encoding="utf-8")


def _slimmed(text: str, up: str, away: str, icons: Mapping[str, str], parts: dict[str, str]) -> str:
    """Return a page without what is shared; `parts` takes what is the same in its language."""
    own = "|".join(map(re.escape, (*_STYLES, *_SCRIPTS, *OF_A_LANGUAGE)))
    loads = re.compile(
        rf'<link rel="stylesheet" href="[./]*assets/(?:{shared_name(away)}/)?(?:{own})">\n?'
        rf'|<script src="[./]*assets/(?:{shared_name(away)}/)?(?:{own})"></script>\n?'
    )
    head = (
        f'<link rel="stylesheet" href="{away}book.css"><script src="{up}assets/{SHELL}"></script>'
    )
    foot = f'<script src="{up}assets/{WORDS}"></script><script src="{away}book.js"></script>'
    pieces = _ARTICLE.split(text)
    for place in range(0, len(pieces), 2):
        piece = _ICON.sub(lambda found: f'<svg class="{icons[found[1]]}"></svg>', pieces[place])
        if "md-nav--primary" in piece:
            piece = _ENTRIES.sub(r"\1\2", _CONTENTS.sub(r"\1", piece, count=1), count=1)
        piece = loads.sub("", _USELESS.sub("", piece))
        piece = _SCOPE.sub(lambda found: _scoped(found, head, parts), piece)
        piece = _PALETTE.sub(lambda found: _called("chosen", found[1], parts), piece)
        piece = _CONFIG.sub(lambda found: _configured(found[1], parts), piece)
        for name, pattern in _PARTS.items():
            found = pattern.search(piece)
            if found is not None:
                call = _called(name, found[0], parts)
                piece = piece[: found.start()] + call + piece[found.end() :]
        if place + 1 < len(pieces):
            # The first was for the search index, which is made; `shell.js` makes the second.
            article = pieces[place + 1].replace(" data-search-exclude", "")
            # An example has the name of the box it stands in.
            pieces[place + 1] = _PLAYED.sub(r"\1>", _LINKED.sub("", article))
        pieces[place] = _AROUND.sub(
            "", _BETWEEN.sub("", piece.replace("</body>", f"{foot}</body>"))
        )
    return _IMPLIED.sub("", "".join(pieces))


def shared_name(away: str) -> str:
    """Return the name of the folder that all languages share, as a pattern."""
    return re.escape(away.rstrip("/").rpartition("/")[2])


def _scoped(found: re.Match[str], head: str, parts: dict[str, str]) -> str:
    """Return the first call, after what makes it possible."""
    script = f"{found[1]}@{found[3]}"
    if parts.setdefault("scope", script) != script:
        raise SpecError("the scope of the theme differs between the pages of one language")
    return f'{head}<script>shell("scope","{found[2]}")</script>'


def _called(name: str, part: str, parts: dict[str, str]) -> str:
    """Return the call that puts a part back; the part itself where this page has another."""
    if parts.setdefault(name, part) != part:
        raise SpecError(f"the part {name!r} of the theme differs between the pages of a language")
    return f'<script>shell("{name}")</script>'


def _configured(config: str, parts: dict[str, str]) -> str:
    """Return the call that makes the settings of the theme; a page differs in `base` alone."""
    settings = json.loads(config)
    base = settings.pop("base")
    settings["search"] = re.sub(r"^[./]*(?=\.\./\.\./assets/)", "", settings["search"])
    same = json.dumps(settings, ensure_ascii=False, separators=(",", ":"))
    if parts.setdefault("config", same) != same:
        raise SpecError("the settings of the theme differ between the pages of one language")
    return f'<script>shell("config","{base}")</script>'


def _icon_style(named: Mapping[str, str]) -> str:
    rules = ["svg[class^=i]:empty{background:currentcolor;mask:var(--i) center/contain no-repeat}"]
    for drawing, name in named.items():
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">{drawing}</svg>'
        address = quote(svg, safe=" /:=<>,;'\"").replace('"', "'")
        rules.append(f'.{name}{{--i:url("data:image/svg+xml,{address}")}}')
    return "\n".join(rules) + "\n"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
