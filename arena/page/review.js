// The record of a game, and going through it: Init, Prev, Next, Last, a slider, and a list of all that was played.
import { by, make } from "./dom.js";

export class Review {
  // `show(number)` is asked to show the position after so many moves.
  constructor(show) {
    this.showPosition = show;
    this.moves = [];
    this.now = 0;
    by("first").onclick = () => this.go(0);
    by("previous").onclick = () => this.go(this.now - 1);
    by("next").onclick = () => this.go(this.now + 1);
    by("last").onclick = () => this.go(this.moves.length);
    by("slider").oninput = () => this.go(Number(by("slider").value));
    this.start = make("li", { class: "move", "data-number": 0, onclick: () => this.go(0) }, "start");
    by("moves").replaceChildren(this.start);
  }

  // Take over the moves from `first` on; what was there before stays.
  take(first, moves) {
    this.moves = [...this.moves.slice(0, first), ...moves];
    const list = by("moves");
    while (list.children.length > first + 1) list.lastChild.remove();
    moves.forEach((move, index) => list.append(this.entry(move, first + index + 1)));
    by("slider").max = this.moves.length;
  }

  entry(move, number) {
    const parts = [
      make("span", { class: "number" }, String(number)),
      make("span", { class: `side side${move.player}` }, move.who),
      make("span", { class: "text" }, move.text),
    ];
    if (move.digits) parts.push(make("span", { class: "digits", title: "in the original's digits" }, move.digits));
    return make("li", { class: "move", "data-number": number, onclick: () => this.go(number) }, ...parts);
  }

  go(number) {
    this.at(number);
    this.showPosition(this.now);
  }

  // Mark a position as the one that is shown.
  at(number) {
    const list = by("moves");
    list.querySelector(".now")?.classList.remove("now");
    this.now = Math.max(0, Math.min(this.moves.length, number));
    by("slider").value = this.now;
    by("number").textContent = `${this.now} / ${this.moves.length}`;
    const entry = list.children[this.now];
    entry.classList.add("now");
    const box = list.getBoundingClientRect(), line = entry.getBoundingClientRect();
    if (line.top < box.top) list.scrollTop += line.top - box.top;
    if (line.bottom > box.bottom) list.scrollTop += line.bottom - box.bottom;
    by("first").disabled = by("previous").disabled = this.now === 0;
    by("next").disabled = by("last").disabled = this.now === this.moves.length;
  }

  // Whether a key goes through the game; `arrows`: whether these are free for it.
  key(event, arrows = true) {
    const steps = { Home: -this.now, PageUp: -1, PageDown: 1, End: this.moves.length - this.now };
    if (arrows) Object.assign(steps, { ArrowLeft: -1, ArrowRight: 1 });
    if (!(event.key in steps)) return false;
    event.preventDefault();
    this.go(this.now + steps[event.key]);
    return true;
  }
}
