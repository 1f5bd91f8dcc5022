"""A game as one HTML file: every position as a picture, to step through in any browser. Needs the extra `render`."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from string import Template

from ..envs.core.agents import agent_name
from ..envs.core.env import BoardGameEnv
from ..envs.core.types import Record

PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
body { font-family: Roboto, sans-serif; background: #f7f4ec; color: #2c3136; margin: 1rem auto; max-width: 1150px; }
main { display: flex; gap: 1rem; align-items: flex-start; }
#picture { flex: 1 1 auto; }
#picture svg { width: 100%; height: auto; }
#bar { display: flex; gap: .4rem; align-items: center; }
#slider { flex: 1; }
#moves { flex: 0 0 15rem; max-height: 80vh; overflow-y: auto; margin: 0; padding: 0; list-style: none; }
#moves li { padding: .1rem .5rem; cursor: pointer; white-space: pre; }
#moves .now { background: #ffb400; }
</style>
</head>
<body>
<h1>$title</h1>
<main>
<div id="picture"></div>
<ol id="moves"></ol>
</main>
<div id="bar">
<button id="first" title="Home">&#x23EE;</button><button id="back" title="Left">&#x25C0;</button>
<button id="play" title="Space">&#x25B6;&#x25B6;</button>
<button id="next" title="Right">&#x25B6;</button><button id="last" title="End">&#x23ED;</button>
<input id="slider" type="range" min="0" value="0"><span id="number"></span>
</div>
<script id="positions" type="application/json">$positions</script>
<script>
const positions = JSON.parse(document.getElementById("positions").textContent);
const end = positions.length - 1, by = (id) => document.getElementById(id), slider = by("slider");
let now = 0, timer = null;
slider.max = end;
positions.forEach((position, number) => {
  const move = document.createElement("li");
  move.textContent = position.text;
  move.onclick = () => show(number);
  by("moves").append(move);
});
function show(number) {
  by("moves").children[now].className = "";
  now = Math.max(0, Math.min(end, number));
  by("picture").innerHTML = positions[now].svg;
  by("number").textContent = now + " / " + end;
  slider.value = now;
  const move = by("moves").children[now];
  move.className = "now";
  move.scrollIntoView({ block: "nearest" });
  if (now === end) stop();
}
function stop() { clearInterval(timer); timer = null; }
function play() {
  if (timer) return stop();
  if (now === end) show(0);
  timer = setInterval(() => show(now + 1), 800);
}
const go = { first: () => show(0), back: () => show(now - 1), next: () => show(now + 1), last: () => show(end), play };
for (const [id, action] of Object.entries(go)) by(id).onclick = action;
slider.oninput = () => show(Number(slider.value));
const keys = { Home: "first", ArrowLeft: "back", ArrowRight: "next", End: "last", " ": "play" };
document.addEventListener("keydown", (event) => {
  if (event.key in keys) { event.preventDefault(); go[keys[event.key]](); }
});
show(0);
</script>
</body>
</html>
""")


def replay_html(env: BoardGameEnv, title: str | None = None) -> str:
    """The game that an environment, unwrapped, has played since `reset` or `set_state`, as a page that needs no other.

    `title`: the game's name and parameters by default.
    """
    positions = json.dumps(list(all_positions(env))).replace("</", "<\\/")  # a tag would end the script
    return PAGE.substitute(title=html.escape(title or str(env.game)), positions=positions)


def all_positions(env: BoardGameEnv) -> Iterator[dict[str, str]]:
    """`text`, what was done, and `svg`, the position after it: of the start, every action, and a forfeited game."""
    again = BoardGameEnv(env.game)
    again.set_state(env.origin)
    before = again.get_state()
    actions: list[int] = []
    yield picture("start", env, again.get_state(), before, actions)
    for action in env.history:
        state = again.get_state()
        if state.turns != before.turns:
            before, actions = state, []
        text = f"{agent_name(state.player)}  {again.action_to_text(action)}"
        again.step(action)
        actions.append(action)
        yield picture(text, env, again.get_state(), before, actions)
    if again.result != env.result:
        yield picture("illegal action", env, env.get_state(), before, actions)


def picture(text: str, env: BoardGameEnv, state: Record, before: Record, actions: list[int]) -> dict[str, str]:
    """One position."""
    return {"text": text, "svg": env.game.drawing.draw(state, before, actions).as_svg()}
