"""A game as one animated SVG, which plays by itself wherever a picture can stand. Needs the extra `render`.

All positions are merged into one picture: what several of them have in common, the board above all, is in it once. What
comes and goes is hidden and shown by CSS, without a script. Where nothing is animated, the last position is seen.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import groupby
from xml.etree import ElementTree

from ..envs.core.checks import check_number
from ..envs.core.env import BoardGameEnv
from ..envs.core.types import Record
from .replay import Replay, end_of, moves_and_pictures, title_of

NAMESPACE = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?\d+\.\d+")
REFERENCE = re.compile(r"#\w+")
CAPTION = 32  # height of the line below the picture
BAR = 4  # height of what shows how far the game is
LAST = 4.0  # how many times as long as the others the last position stays


@dataclass
class Element:
    """A piece of the merged picture, in the order in which it is drawn."""

    text: str
    shown: set[int] = field(default_factory=set)
    """The positions in which it is seen."""


def animated_svg(env: BoardGameEnv, seconds: float = 1.0, title: str | None = None, loser: int | None = None) -> str:
    """The game that an environment, unwrapped, has played since `reset` or `set_state`, as an animated SVG.

    `seconds`: for each position; the last one stays longer, then it begins again. `title` and `loser` as for
    `replay_html`. Raises ValueError for seconds that are not above 0.
    """
    replay = Replay(env.game, env.origin, env.history)
    return animation(replay, title or title_of(env.game), seconds, end_of(env, replay, loser))


def animation(replay: Replay, title: str, seconds: float = 1.0, last: tuple[str, Record] | None = None) -> str:
    """A game as an animated SVG; `last`: how it ended, and the final record, where no action has ended it."""
    check_number("seconds", seconds)
    if seconds <= 0:
        raise ValueError(f"seconds={seconds!r}; expected a number above 0")
    moves, pictures = moves_and_pictures(replay, last)
    roots = [ElementTree.fromstring(svg) for svg in pictures]
    width, height = (int(float(roots[0].get(name, ""))) for name in ("width", "height"))
    definitions: dict[str, str] = {}
    frames = [elements_of(root, definitions) for root in roots]
    captions = ["", *(f"{number}. {move['who']}: {move['text']}" for number, move in enumerate(moves, start=1))]
    for frame, text in zip(frames, captions, strict=True):
        frame += caption(text, width, height)
    merged = merge(frames)
    defined = "".join(text.replace(" ", f' id="{name}" ', 1) for text, name in definitions.items())
    styles, body = timed(merged, len(frames), seconds)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + CAPTION}" '
            f'viewBox="0 0 {width} {height + CAPTION}" font-family="Roboto, sans-serif" role="img">',
            f"<title>{html.escape(title)}</title>",
            f"<style>{styles}</style>",
            f"<defs>{defined}</defs>",
            *body,
            "</svg>\n",
        ]
    )


def caption(text: str, width: int, height: int) -> list[str]:
    """The line below the picture: what was played last."""
    ground = f'<rect y="{height}" width="{width}" height="{CAPTION}" fill="#f7f4ec"/>'
    bar = f'<rect class="bar" y="{height + CAPTION - BAR}" width="{width}" height="{BAR}" fill="#8b8f92"/>'
    words = f'<text x="16" y="{height + 19}" font-size="17" fill="#33363a">{html.escape(text)}</text>'
    return [ground, bar, words]


# The elements of a picture


def elements_of(root: ElementTree.Element, definitions: dict[str, str]) -> list[str]:
    """What a picture draws, element by element and short; what it defines is added to `definitions`, in place."""
    names: dict[str, str] = {}
    found: list[str] = []
    for child in root:
        if child.tag == f"{NAMESPACE}defs":
            names |= {f"#{each.attrib.pop('id')}": f"#{define(each, definitions)}" for each in child}
        else:
            found += leaves(child, names)
    return found


def define(element: ElementTree.Element, definitions: dict[str, str]) -> str:
    """The id of a definition, which has none yet: the same one in all pictures that have it."""
    return definitions.setdefault(written(element, {}), f"d{len(definitions)}")


def leaves(element: ElementTree.Element, names: dict[str, str]) -> Iterable[str]:
    """What an element draws; groups that are only names for things that can be clicked are taken apart."""
    kept = {name for name in element.attrib if not name.startswith("data-")}
    if element.tag == f"{NAMESPACE}g" and not kept:
        for child in element:
            yield from leaves(child, names)
    elif element.get("fill-opacity") != "0" or "stroke" in kept:  # else it is there for the pointer alone
        yield written(element, names)


def written(element: ElementTree.Element, names: dict[str, str]) -> str:
    """An element with all inside as text, its numbers rounded; `names`: what it refers to is called now."""
    tag = element.tag.removeprefix(NAMESPACE)
    words = [tag, *(f'{name}="{short(value, names)}"' for name, value in element.items() if name[:5] != "data-")]
    inside = html.escape((element.text or "").strip()) + "".join(written(child, names) for child in element)
    return f"<{' '.join(words)}>{inside}</{tag}>" if inside else f"<{' '.join(words)}/>"


def short(value: str, names: dict[str, str]) -> str:
    """The value of an attribute."""
    rounded = NUMBER.sub(lambda found: f"{round(float(found[0]), 2):g}", value)
    return html.escape(REFERENCE.sub(lambda found: names.get(found[0], found[0]), rounded))


# All pictures as one


def merge(frames: Sequence[Sequence[str]]) -> list[Element]:
    """The elements of all frames in one order, which is that of each frame for those that it shows."""
    merged: list[Element] = []
    for number, frame in enumerate(frames):
        merged = with_frame(merged, frame, number)
    return merged


def with_frame(merged: list[Element], frame: Sequence[str], number: int) -> list[Element]:
    """The merged picture with one more frame: what it has in common with those before is shown again."""
    matcher = SequenceMatcher(None, [element.text for element in merged], frame, autojunk=False)
    found: list[Element] = []
    place, first = 0, 0
    for here, there, size in matcher.get_matching_blocks():
        shown = [*(Element(text) for text in frame[first:there]), *merged[here : here + size]]
        for element in shown:
            element.shown.add(number)
        found += [*merged[place:here], *shown]
        place, first = here + size, there + size
    return found


# Their times


def timed(merged: Iterable[Element], count: int, seconds: float) -> tuple[str, list[str]]:
    """The style that shows and hides elements, and the body of the picture."""
    duration = seconds * (count - 1 + LAST)
    classes: dict[tuple[int, ...], str] = {}
    body = []
    for positions, group in groupby(merged, lambda element: tuple(sorted(element.shown))):
        inside = "".join(element.text for element in group)
        if len(positions) < count:
            name = classes.setdefault(positions, f"k{len(classes)}")
            inside = f'<g class="{name}">{inside}</g>'
        body.append(inside)
    styles = [f"[class]{{animation:{duration:g}s step-end infinite}}"]
    styles += [".bar{animation-name:bar;animation-timing-function:linear}@keyframes bar{0%{transform:scaleX(0)}}"]
    for positions, name in classes.items():
        still = "" if count - 1 in positions else "visibility:hidden;"
        styles.append(f".{name}{{{still}animation-name:{name}}}@keyframes {name}{{{keyframes(positions, count)}}}")
    styles.append("@media(prefers-reduced-motion:reduce){[class]{animation:none}}")
    return "".join(styles), body


def keyframes(positions: Sequence[int], count: int) -> str:
    """When an element is seen: from the beginning of each position to its end, in percent of the whole."""
    shown, found, before = set(positions), [], None
    for number in range(count):
        state = "visible" if number in shown else "hidden"
        if state != before:
            found.append(f"{round(100 * number / (count - 1 + LAST), 3):g}%{{visibility:{state}}}")
        before = state
    return "".join(found)
