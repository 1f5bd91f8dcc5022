// What a player thinks of a position, what a network sees of it, and the evaluation over the game.
import { by, make, makeSvg } from "./dom.js";

const WIDTH = 300, HEIGHT = 200, EDGE = 10;

export function showAnalysis(found, mark) {
  const figure = (value, digits) => make("td", { class: "figure" }, value == null ? "" : value.toFixed(digits));
  const rows = found.actions.map(({ text, things, visits, share, value }) => {
    const cells = [make("td", {}, text), make("td", { class: "figure" }, visits ? String(visits) : ""), figure(100 * share, 1), figure(value, 2)];
    return make("tr", { onpointerenter: () => mark(things), onpointerleave: () => mark([]) }, ...cells);
  });
  by("considered").replaceChildren(...rows);
  const value = found.value == null ? "" : `, value for the first player ${found.value.toFixed(2)}`;
  by("thought").textContent = `position ${found.number}: ${found.legal} legal actions${value}`;
  by("text").value = found.text;
  by("planes").replaceChildren(...found.planes.map((plane, index) => planeFigure(plane, found.channels[index])));
}

// Forget what was thought of another game.
export function clearAnalysis() {
  for (const name of ["considered", "planes", "thought"]) by(name).replaceChildren();
  by("text").value = "";
}

// A plane of the observation as a small picture: a board, or of a game without rows and columns a strip, eight a line.
function planeFigure(plane, name) {
  const rows = Array.isArray(plane[0]) ? plane : chunks(plane, 8);
  const canvas = make("canvas", { width: Math.max(...rows.map((row) => row.length)), height: rows.length });
  const context = canvas.getContext("2d");
  rows.forEach((row, y) => row.forEach((value, x) => {
    const shade = Math.round(255 * (1 - value));
    context.fillStyle = `rgb(${shade} ${shade} ${shade})`;
    context.fillRect(x, y, 1, 1);
  }));
  return make("figure", { title: name }, canvas, make("figcaption", {}, name));
}

function chunks(list, size) {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) => list.slice(size * index, size * (index + 1)));
}

// The evaluation over the game: up is good for the first player.
export class Chart {
  constructor(go) {
    this.points = new Map();
    this.last = 1;
    by("chart").onclick = (event) => {
      const box = by("chart").getBoundingClientRect();
      const share = ((event.clientX - box.left) / box.width * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
      go(Math.round(share * this.last));
    };
    this.draw(0);
  }

  add(number, last, value) {
    this.last = Math.max(1, last);
    this.points.set(number, value);
  }

  clear() {
    this.points.clear();
  }

  draw(now) {
    const x = (number) => EDGE + (WIDTH - 2 * EDGE) * number / this.last, y = (value) => HEIGHT / 2 - (HEIGHT / 2 - EDGE) * value;
    const points = [...this.points].sort(([one], [other]) => one - other);
    const line = points.map(([number, value]) => `${x(number).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
    by("chart").replaceChildren(
      makeSvg("line", { x1: 0, x2: WIDTH, y1: y(0), y2: y(0), stroke: "#b3ab97" }),
      makeSvg("line", { x1: x(now), x2: x(now), y1: 0, y2: HEIGHT, stroke: "#ffb400", "stroke-width": 2 }),
      makeSvg("polyline", { points: line, fill: "none", stroke: "#2c3136", "stroke-width": 2 }),
      ...points.map(([number, value]) => makeSvg("circle", { cx: x(number), cy: y(value), r: 2.2, fill: "#2c3136" })),
      this.words(4, 14, `${this.sides?.[0] ?? "first player"} wins`),
      this.words(4, HEIGHT - 6, `${this.sides?.[1] ?? "second player"} wins`),
    );
  }

  words(x, y, text) {
    return makeSvg("text", { x, y, "font-size": 11, fill: "#6d7377" }, text);
  }
}
