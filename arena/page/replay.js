// The page without a server: a game that stands in the page itself.
import { by, isTyping } from "./dom.js";
import { Picture } from "./picture.js";
import { Review } from "./review.js";
import { showNames } from "./tip.js";

const game = JSON.parse(by("game").textContent);
const picture = new Picture(by("board"), by("side"));
const lines = (number) => game.pictures[number].map((line) => game.lines[line]).join("\n");
let shown = 0, timer = null;

const review = new Review((number) => {
  picture.show(lines(number), number === shown + 1);
  shown = number;
  by("words").textContent = number ? `${game.moves[number - 1].who}: ${game.moves[number - 1].text}` : "start";
  if (number === game.moves.length) stop();
});

function stop() {
  clearInterval(timer);
  timer = null;
  by("play").textContent = "Play";
}

function play() {
  if (timer) return stop();
  if (review.now === game.moves.length) review.go(0);
  by("play").textContent = "Stop";
  timer = setInterval(() => review.go(review.now + 1), 800);
}

by("play").onclick = play;
document.addEventListener("keydown", (event) => {
  if (isTyping(event) || review.key(event) || event.key !== " ") return;
  event.preventDefault();
  play();
});
showNames(by("stage"));
review.take(0, game.moves);
review.go(0);
