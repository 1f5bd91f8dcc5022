// Choosing an action thing by thing. Knows no game: what can be clicked is what the server says, an automaton of nodes
// that each map a thing to the node behind it; node 0 is the end. A thing made of several, `a+b`, can be clicked on each.
import { by, make, nameOf } from "./dom.js";

const END = 0;
const NEAR = 2; // pixels of the picture within which two shapes count as the same

export class Choice {
  // `changed(choice)` is told whenever something was chosen or taken back; `done(things)` when nothing is left to choose.
  constructor(picture, changed, done) {
    this.picture = picture;
    this.changed = changed;
    this.done = done;
    this.grip = null; // how the shape that was shown last lies around the square that holds it
    this.none();
  }

  none() {
    this.nodes = null;
    this.chosen = [];
    this.focus = null;
    this.held = null; // the part that a shape is held by, and the shapes that could lie there
    this.draw();
  }

  // Begin to choose in a position; `chosen`: what was chosen there before, as far as it still can be.
  begin({ start, nodes }, chosen = []) {
    this.start = start;
    this.nodes = nodes;
    this.chosen = [];
    this.held = null;
    for (const thing of chosen) {
      if (!(thing in this.node)) break;
      this.chosen.push(thing);
    }
    this.draw();
  }

  get node() {
    return this.chosen.reduce((node, thing) => this.nodes[node[thing]], this.nodes[this.start]);
  }

  get active() {
    return this.nodes !== null;
  }

  get complete() {
    return this.active && this.chosen.length > 0 && Object.keys(this.node).length === 0;
  }

  // Which things can be chosen now by each part that can be clicked.
  get parts() {
    const found = new Map();
    if (!this.active) return found;
    for (const thing of Object.keys(this.node)) {
      for (const part of thing.split("+")) found.set(part, [...(found.get(part) ?? []), thing]);
    }
    return found;
  }

  // Drawing

  draw() {
    const { picture } = this, parts = this.parts;
    picture.clear();
    by("beside").replaceChildren();
    for (const thing of this.chosen) for (const part of thing.split("+")) picture.mark(part, "chosen");
    const sized = [...parts.keys()].map((part) => ({ part, middle: picture.middle(part) }));
    sized.sort((one, other) => (other.middle?.area ?? 0) - (one.middle?.area ?? 0)); // small ones lie above large ones
    const narrow = matchMedia("(max-width: 46rem)").matches; // there, what lies beside the board is off the screen
    for (const { part, middle } of sized) {
      if (middle) this.drawPart(part);
      if (!middle || (narrow && picture.isBeside(part))) this.drawButton(part);
    }
    if (!parts.has(this.focus)) this.focus = null;
    this.drawFocus();
    this.drawHeld();
    this.changed(this);
  }

  drawPart(part) {
    for (const mark of this.picture.mark(part, "can", true)) {
      mark.setAttribute("role", "button");
      mark.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && this.hover(part));
      mark.addEventListener("click", () => this.click(part));
      mark.addEventListener("wheel", (event) => {
        if (!this.held) return;
        event.preventDefault();
        this.turn(event.deltaY > 0 ? 1 : -1);
      });
    }
  }

  drawButton(part) {
    by("beside").append(make("button", { "data-part": part, onclick: () => this.click(part) }, nameOf(part)));
  }

  drawFocus() {
    for (const mark of document.querySelectorAll(".marks .can")) {
      mark.classList.toggle("focus", mark.dataset.part === this.focus);
    }
  }

  drawHeld() {
    document.querySelectorAll(".marks .preview").forEach((mark) => mark.remove());
    if (this.held) for (const part of this.shown.split("+")) this.picture.mark(part, "preview");
    by("turn").hidden = by("flip").hidden = !this.held || this.held.things.length < 2;
  }

  // Choosing

  get shown() {
    return this.held.things[this.held.index];
  }

  // Show what a part could stand for, the way the last shape lay.
  hold(part) {
    const things = this.parts.get(part) ?? [];
    if (things.length === 0 || !things[0].includes("+")) {
      this.held = null;
    } else if (this.held?.part !== part) {
      const index = things.findIndex((thing) => this.grip && same(this.gripOf(thing, part), this.grip));
      this.held = { part, things, index: Math.max(0, index) };
    }
    this.drawHeld();
  }

  hover(part) {
    this.hold(part);
  }

  // A click chooses what the part stands for: at once, where there is no doubt or it is shown already.
  click(part) {
    const things = this.parts.get(part);
    if (!things) return;
    if (this.held && this.shown.split("+").includes(part)) return this.choose(this.shown);
    if (things.length === 1) return this.choose(things[0]);
    this.focus = part;
    this.hold(part);
    this.drawFocus();
    this.changed(this);
  }

  choose(thing) {
    if (thing.includes("+") && this.held) this.grip = this.gripOf(thing, this.held.part);
    this.held = null;
    this.chosen.push(thing);
    this.draw();
    if (this.complete) this.done([...this.chosen]);
  }

  // Take the last thing back; whether there was one.
  back() {
    if (this.held && !matchMedia("(hover: hover)").matches) {
      this.held = null;
      this.drawHeld();
      return true;
    }
    if (this.chosen.length === 0) return false;
    this.held = null;
    this.focus = this.chosen.pop().split("+")[0];
    this.draw();
    return true;
  }

  // Shapes

  // Where the parts of a shape are as seen from the one that holds it.
  gripOf(thing, part) {
    const centre = this.picture.middle(part);
    return thing.split("+").map((each) => {
      const middle = this.picture.middle(each);
      return { x: middle.x - centre.x, y: middle.y - centre.y };
    });
  }

  // The next shape that could lie there.
  turn(step = 1) {
    if (!this.held) return;
    const count = this.held.things.length;
    this.held.index = (this.held.index + step + count) % count;
    this.keepGrip();
  }

  // The mirror image, if it fits; else the next one.
  flip() {
    if (!this.held) return;
    const wanted = this.gripOf(this.shown, this.held.part).map(({ x, y }) => ({ x: -x, y }));
    const index = this.held.things.findIndex((thing) => same(this.gripOf(thing, this.held.part), wanted));
    if (index < 0 || index === this.held.index) return this.turn();
    this.held.index = index;
    this.keepGrip();
  }

  keepGrip() {
    this.grip = this.gripOf(this.shown, this.held.part);
    this.drawHeld();
    this.changed(this);
  }

  // Keys: arrows go from part to part, Enter and Space choose, R and F turn and flip. Whether the key was for us.
  key(event) {
    if (!this.active) return false;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in steps && !this.complete) this.move(...steps[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && this.focus && !this.complete) this.click(this.focus);
    else if (event.key.toLowerCase() === "r" && this.held) this.turn(event.shiftKey ? -1 : 1);
    else if (event.key.toLowerCase() === "f" && this.held) this.flip();
    else return false;
    event.preventDefault();
    return true;
  }

  // Move the focus to the nearest part in a direction.
  move(right, down) {
    const places = [...this.parts.keys()].map((part) => ({ part, ...this.picture.middle(part) })).filter(({ x }) => x !== undefined);
    const from = places.find(({ part }) => part === this.focus);
    const cost = ({ x, y }) => {
      const along = (x - from.x) * right + (y - from.y) * down, across = Math.abs((x - from.x) * down) + Math.abs((y - from.y) * right);
      return along > 1 ? along + 2.5 * across : Infinity;
    };
    const best = from ? places.reduce((one, other) => (cost(other) < cost(one) ? other : one), from) : places[0];
    if (!best) return by("beside").querySelector("button")?.focus();
    this.focus = best.part;
    this.hold(best.part);
    this.drawFocus();
    this.changed(this);
  }
}

// Whether two shapes lie alike.
function same(one, other) {
  const found = (a) => other.some((b) => Math.abs(a.x - b.x) < NEAR && Math.abs(a.y - b.y) < NEAR);
  return one.length === other.length && one.every(found);
}
