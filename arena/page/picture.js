// The picture of a position: the server's SVG, shown in two parts, board and side, with a layer of marks above it.
import { makeSvg, nameOf } from "./dom.js";

const SHAPES = new Set(["path", "rect", "circle", "ellipse", "polygon", "line"]);
const GLIDE = { duration: 380, easing: "ease-in-out" };
const LAND = { duration: 320, easing: "ease-in" };
const DOT = 4.5; // radius of the mark of what can be clicked, at most

export class Picture {
  constructor(board, side) {
    this.holders = { board, side };
    this.text = "";
    this.animated = true;
    this.shown = 0;
  }

  // Show a picture; `motion` says what has turned around what, if anything has since the one before.
  async show(text, moves = false, motion = null) {
    const number = ++this.shown;
    if (text === this.text) return;
    const animated = moves && this.animated && this.text && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (animated && motion) await this.turn(motion);
    if (number !== this.shown) return; // another one came meanwhile
    const before = animated ? this.pieces() : null;
    this.text = text;
    this.draw(text);
    if (before) this.glide(before);
  }

  draw(text) {
    const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
    const [left, top, width, height] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    const split = Number(svg.dataset.side || width);
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    const side = svg.cloneNode(true);
    this.place("board", svg, [left, top, split, height]);
    this.place("side", side, [left + split, top, width - split, height]);
    this.svgs = split < width ? [svg, side] : [svg];
  }

  place(name, svg, box) {
    const holder = this.holders[name];
    svg.setAttribute("viewBox", box.join(" "));
    holder.style.setProperty("--shape", `${box[2]} / ${box[3]}`);
    holder.hidden = box[2] <= 0;
    svg.append(makeSvg("g", { class: "marks" }));
    holder.replaceChildren(svg);
  }

  get board() {
    return this.svgs?.[0];
  }

  // The elements of a thing that is no combination of things, in both parts of the picture.
  elements(part) {
    const found = [];
    this.svgs?.forEach((svg) => {
      for (const element of svg.querySelectorAll(`[data-thing="${CSS.escape(part)}"]`)) {
        if (this.svgs.length === 1 || this.isIn(svg, element)) found.push({ svg, element });
      }
    });
    return found;
  }

  // Whether an element lies in the part of the picture that an svg shows.
  isIn(svg, element) {
    const box = boxOf(svg, element), view = svg.viewBox.baseVal;
    const x = box.x + box.width / 2;
    return x >= view.x && x < view.x + view.width;
  }

  isBeside(part) {
    return this.elements(part).every(({ svg }) => svg !== this.board);
  }

  // The middle of a thing, in the coordinates of the picture.
  middle(part) {
    const [first] = this.elements(part);
    if (!first) return null;
    const box = boxOf(first.svg, first.element);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2, area: box.width * box.height };
  }

  clear() {
    this.svgs?.forEach((svg) => svg.querySelector(".marks").replaceChildren());
  }

  // Mark a thing: an outline of the class `kind` on each of its elements. Returns the marks.
  mark(part, kind, dotted = false) {
    return this.elements(part).map(({ svg, element }) => {
      const group = makeSvg("g", { class: kind, "data-part": part, "aria-label": nameOf(part) });
      group.append(...outlineOf(svg, element));
      if (dotted) {
        const box = boxOf(svg, element), radius = Math.min(DOT, Math.min(box.width, box.height) / 5);
        const place = { cx: box.x + box.width / 2, cy: box.y + box.height * 0.8, r: radius };
        group.append(makeSvg("circle", { ...place, class: "dot" }));
      }
      svg.querySelector(".marks").append(group);
      return group;
    });
  }

  // Animation of what has changed

  // The pieces that have a name, with their boxes.
  pieces() {
    const found = new Map();
    for (const element of this.board.querySelectorAll("[data-piece]")) {
      found.set(element.dataset.piece, { element, box: boxOf(this.board, element) });
    }
    return found;
  }

  // Let pieces go to their new places, new ones land, and those that are gone fade.
  glide(before) {
    const after = this.pieces();
    const came = [...after.keys()].filter((name) => !before.has(name)), went = [...before.keys()].filter((name) => !after.has(name));
    for (const [name, { element, box }] of after) {
      const source = before.has(name) ? name : alone(name, came) && alone(name, went);
      const old = before.get(source);
      before.delete(source);
      if (!old) {
        element.animate([{ transform: "translate(0px, -70px)", opacity: 0 }, { opacity: 1 }], { ...LAND, composite: "add" });
        continue;
      }
      const dx = old.box.x - box.x, dy = old.box.y - box.y;
      if (Math.hypot(dx, dy) > 1) {
        const keys = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "translate(0px, 0px)" }];
        element.animate(keys, { ...GLIDE, composite: "add" });
      }
    }
    for (const { element } of before.values()) {
      this.board.append(element);
      element.animate([{ opacity: 1 }, { opacity: 0 }], GLIDE).finished.then(() => element.remove(), () => element.remove());
    }
  }

  // Turn things around the middle of another one, before the next picture is shown.
  async turn({ about, degrees, things }) {
    const centre = this.middle(about);
    if (!centre) return;
    const group = makeSvg("g");
    this.board.append(group);
    for (const thing of things) {
      for (const { svg, element } of this.elements(thing)) if (svg === this.board) group.append(element);
    }
    group.style.transformOrigin = `${centre.x}px ${centre.y}px`;
    const keys = [{ transform: "rotate(0deg)" }, { transform: `rotate(${degrees}deg)` }];
    await group.animate(keys, { ...GLIDE, fill: "forwards" }).finished.catch(() => {});
  }
}

// Of all names, the only one of the same kind: a marker that came where another one went is the same marker.
function alone(name, names) {
  const kind = (each) => each.slice(0, each.lastIndexOf(":"));
  const found = names.filter((each) => kind(each) === kind(name));
  return found.length === 1 ? found[0] : null;
}

// The box of an element in the coordinates of its picture.
export function boxOf(svg, element) {
  const box = element.getBBox(), matrix = between(svg, element);
  const corners = [[box.x, box.y], [box.x + box.width, box.y], [box.x, box.y + box.height], [box.x + box.width, box.y + box.height]];
  const points = corners.map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix));
  const xs = points.map((point) => point.x), ys = points.map((point) => point.y);
  const x = Math.min(...xs), y = Math.min(...ys);
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

// From the coordinates of an element to those of its picture, wherever an animation has it at the moment.
function between(svg, element) {
  let matrix = new DOMMatrix();
  for (let each = element; each !== svg; each = each.parentNode) {
    const own = each.transform.baseVal.consolidate();
    if (own) matrix = DOMMatrix.fromMatrix(own.matrix).multiply(matrix);
  }
  return matrix;
}

// What lies exactly over an element: copies of the shapes that it is made of, above a box that takes the clicks between
// them, unless they are circles; or its box alone, where it is text.
function outlineOf(svg, element) {
  const inside = [element, ...element.querySelectorAll("*")].filter((each) => SHAPES.has(each.localName));
  const copies = inside.map((each) => copyOf(svg, each));
  if (inside.length === 1 || (inside.length > 0 && inside.every((each) => each.localName === "circle"))) return copies;
  const box = boxOf(svg, element), place = { x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6, rx: 5 };
  return [makeSvg("rect", { ...place, class: copies.length > 0 ? "hit" : "shape" }), ...copies];
}

function copyOf(svg, element) {
  const shape = makeSvg(element.localName, { class: "shape" });
  for (const name of ["d", "x", "y", "width", "height", "rx", "cx", "cy", "r", "points"]) {
    if (element.hasAttribute(name)) shape.setAttribute(name, element.getAttribute(name));
  }
  const m = between(svg, element);
  if (!m.isIdentity) shape.setAttribute("transform", `matrix(${m.a} ${m.b} ${m.c} ${m.d} ${m.e} ${m.f})`);
  return shape;
}
