// The table: what the server tells is shown, what people do is said to it.
import { Choice } from "./choose.js";
import { Connection } from "./connection.js";
import { by, isTyping, make, nameOf } from "./dom.js";
import { Picture } from "./picture.js";
import { Chart, clearAnalysis, showAnalysis } from "./research.js";
import { Review } from "./review.js";
import { offer, options, seatSelect, showKept } from "./start.js";
import { showNames } from "./tip.js";

const place = new URLSearchParams(location.hash.slice(1)); // table, seat and token, which no server sees
const token = place.get("token");
const setting = (name, standard) => JSON.parse(localStorage.getItem(name) ?? JSON.stringify(standard));

let table = null; // what the server says of the table
let live = null; // the position that is played from
let sent = null; // the position in which something was submitted, until the server has answered
let pending = null; // the things that are complete, until they are submitted

const picture = new Picture(by("board"), by("side"));
const review = new Review((number) => look(number));
const chart = new Chart((number) => table && review.go(Math.min(number, table.last)));
const choice = new Choice(picture, choiceChanged, choiceDone);
const connection = new Connection(token, heard, (now) => { by("gone").hidden = !now; });
const say = (what, values) => connection.say(what, values);

// What the server tells

const HEARD = {
  welcome: ({ games, players }) => {
    offer(games, players, say);
    by("thinker").replaceChildren(...options(players.map((name) => [name, name])));
    by("thinker").value = "mcts:200";
    if (place.get("table")) join(place.get("table"));
    else showStart();
  },
  tables: ({ tables }) => showKept(tables, say, join),
  table: (message) => showTable(message),
  position: ({ position }) => showPosition(position, false),
  preview: (message) => showPreview(message),
  thinking: ({ who, done, of }) => think(`${who} thinks: ${done} of ${of}`),
  idle: () => think(""),
  analysing: ({ done, of }) => { by("thought").textContent = `${done} of ${of}`; },
  analysis: (found) => showAnalysis(found, consider),
  graph: ({ number, last, value }) => {
    chart.add(number, last, value);
    chart.draw(review.now);
    by("graphed").textContent = `${number} of ${last}`;
  },
  graphed: () => { by("graphed").textContent = ""; },
  refusal: ({ text }) => note(text),
  error: ({ text }) => {
    sent = null;
    note(text);
    if (!table) showStart();
  },
  loaded: ({ number, games }) => games > 1 && note(`game number ${number} of the ${games} in the file, from 0`),
  file: ({ name, text, kind }) => {
    const url = URL.createObjectURL(new Blob([text], { type: kind }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  },
};

function heard(message) {
  HEARD[message.is]?.(message);
}

function note(text) {
  by(by("start").hidden ? "note" : "told").textContent = text; // what is hidden tells nobody
}

function think(text) {
  by("hurry").hidden = !text;
  if (text) by("words").textContent = text;
  else if (live) by("words").textContent = live.words;
}

// The first page

function showStart() {
  table = live = null;
  choice.none();
  for (const name of ["home", "save", "export", "share"]) by(name).hidden = true;
  by("title").textContent = document.title = "The table";
  by("table").hidden = true;
  by("start").hidden = false;
  setPlace(null);
}

function setPlace(name) {
  if (name) place.set("table", name);
  else for (const key of ["table", "seat"]) place.delete(key);
  history.replaceState(null, "", `#${place}`);
}

function join(name) {
  const seat = place.get("seat");
  say("join", seat === null ? { table: name } : { table: name, seat: Number(seat) });
}

by("home").onclick = () => {
  showStart();
  say("leave");
};
by("file").onchange = async () => {
  const [file] = by("file").files;
  if (file) say("load", { text: await file.text(), number: Number(by("which").value) });
  by("file").value = "";
};

// The table

function showTable(message) {
  const same = table?.table === message.table, number = message.position.number;
  const following = !same || review.now === table.last;
  const step = same && number === live?.number + 1;
  if (!same) {
    chart.clear();
    clearAnalysis();
  }
  table = message;
  chart.sides = message.sides;
  live = message.position;
  setPlace(message.table);
  by("start").hidden = true;
  by("table").hidden = false;
  for (const name of ["home", "save", "export", "share"]) by(name).hidden = false;
  by("title").textContent = by("title").title = document.title = message.title;
  review.take(message.from, message.moves);
  by("table").classList.toggle("over", message.over);
  by("auto").setAttribute("aria-pressed", message.auto);
  by("auto").textContent = message.auto ? "Stop" : "Auto";
  by("resign").disabled = by("auto").disabled = message.over;
  by("undo").disabled = message.last === 0 && !message.over;
  by("hurry").hidden = true;
  note("");
  showSeats(message.seats);
  if (following || review.now > message.last) {
    review.at(number);
    showPosition(live, step);
  } else review.at(review.now);
}

function showPosition(position, step) {
  if (position.number !== review.now) return;
  pending = null;
  choice.none();
  by("stage").classList.remove("previewing");
  const isLive = position.number === table.last;
  by("words").textContent = position.words;
  by("branch").disabled = isLive && !table.over && table.seats.every((seat) => seat === "human");
  chart.draw(review.now);
  picture.show(position.picture, step, step ? position.motion : null).then(() => {
    if (position !== live || review.now !== table.last || !position.choices) return;
    choice.begin(position.choices, remembered(position.number));
    if (choice.complete) choiceDone([...choice.chosen]);
  });
}

function look(number) {
  note("");
  if (number === table.last && live) showPosition(live, false);
  else say("look", { number });
}

// What was chosen is remembered until it is played, so that a reload goes on in the middle of a turn.

function remembered(number) {
  const kept = JSON.parse(sessionStorage.getItem("chosen") ?? "null");
  return kept?.table === table.table && kept.number === number ? kept.things : [];
}

function remember() {
  if (live) sessionStorage.setItem("chosen", JSON.stringify({ table: table.table, number: live.number, things: choice.chosen }));
}

function choiceChanged(choice) {
  if (!choice.active) {
    by("cancel").disabled = !canTakeBack();
    by("submit").disabled = true;
    return;
  }
  remember();
  if (pending && !choice.complete) {
    pending = null;
    by("stage").classList.remove("previewing");
    by("words").textContent = live.words;
    picture.show(live.picture);
    choice.draw();
    return;
  }
  by("cancel").disabled = choice.chosen.length === 0 && !canTakeBack();
  by("submit").disabled = !choice.complete;
  const held = choice.held ? `: ${nameOf(choice.shown)}` : "";
  const words = [...choice.chosen.map(nameOf), choice.focus ? nameOf(choice.focus) : ""].filter(Boolean).join(", ");
  by("under").textContent = words + held;
}

// Whether the last action belongs to the turn of whoever is to act, so that Cancel can take it back.
function canTakeBack() {
  return Boolean(table && live?.choices && review.now === table.last && table.last > 0 && review.moves.at(-1).player === table.toAct && table.midTurn);
}

function choiceDone(things) {
  pending = things;
  if (setting("atonce", false)) submit();
  else say("preview", { number: live.number, things });
}

function showPreview({ number, things, picture: drawn, goesOn, text, motion }) {
  if (!pending || number !== live?.number || things.join() !== pending.join()) return;
  if (goesOn) return submit(); // the turn is submitted as a whole; until then it can be taken back
  by("words").textContent = `${table.sides[table.toAct]}: ${text}`;
  if (!drawn) return;
  by("stage").classList.add("previewing");
  picture.show(drawn, true, motion).then(() => {
    if (!pending) return; // taken back meanwhile
    for (const thing of things) for (const part of thing.split("+")) picture.mark(part, "chosen");
  });
}

function submit() {
  if (!choice.complete || sent === live) return;
  sent = live;
  say("play", { number: live.number, things: choice.chosen });
}

function cancel() {
  note("");
  if (choice.active && choice.back()) return;
  if (canTakeBack()) say("undo");
}

// Beside the board

by("turn").onclick = () => choice.turn();
by("flip").onclick = () => choice.flip();
by("cancel").onclick = cancel;
by("submit").onclick = submit;
by("hurry").onclick = () => say("hurry");
by("undo").onclick = () => say("undo");
by("auto").onclick = () => say("auto", { on: !table.auto });
by("resign").onclick = () => confirm("Resign this game?") && say("resign");
by("restart").onclick = () => confirm("Begin this game again?") && say("restart");
by("branch").onclick = () => say("branch", { number: review.now });
by("save").onclick = () => say("save");
by("export").onclick = () => say("export");
by("evaluate").onclick = () => {
  chart.clear();
  say("graph", { simulations: Number(by("simulations").value) });
};
by("analyse").onclick = () => say("analyse", { number: review.now, player: by("thinker").value });
by("copy").onclick = () => copy(by("text"));
by("goon").onclick = () => say("text", { text: by("text").value });

for (const tab of document.querySelectorAll("[data-tab]")) {
  tab.onclick = () => {
    for (const other of document.querySelectorAll("[data-tab]")) {
      other.setAttribute("aria-selected", other === tab);
      by(`tab-${other.dataset.tab}`).hidden = other !== tab;
    }
  };
}

function consider(things) {
  document.querySelectorAll(".marks .considered").forEach((mark) => mark.remove());
  for (const thing of things) for (const part of thing.split("+")) picture.mark(part, "considered");
}

// Settings

function showSeats(seats) {
  const selects = seats.map((seat, index) => seatSelect(`seat${index}`, seat));
  by("seats").replaceChildren(
    ...selects.map((select, index) => make("label", {}, table.sides[index], select)),
    make("button", {}, "Change who plays"),
  );
  by("seats").onsubmit = (event) => {
    event.preventDefault();
    say("seats", { seats: selects.map((select) => select.value) });
  };
}

function applySettings() {
  document.body.classList.toggle("marked", setting("legal", true));
  picture.animated = setting("animated", true);
}

for (const [name, standard] of [["atonce", false], ["legal", true], ["animated", true]]) {
  by(name).checked = setting(name, standard);
  by(name).onchange = () => {
    localStorage.setItem(name, by(name).checked);
    applySettings();
  };
}
applySettings();
window.addEventListener("hashchange", () => location.reload());
by("options").onclick = () => by("settings").showModal();
by("help").onclick = () => by("keys").showModal();
for (const button of document.querySelectorAll("[data-close]")) button.onclick = () => by(button.dataset.close).close();

by("share").onclick = () => {
  const local = ["127.0.0.1", "localhost"].includes(location.hostname);
  by("linknote").textContent = !token
    ? "Others in the network cannot come in: the server was started without --network. On this machine the link works in another window."
    : local
      ? "Put this machine's address, as the terminal shows it, in place of this one."
      : "Whoever has the link can play.";
  by("linkseat").replaceChildren(...options([["", "both sides"], ["0", table.sides[0]], ["1", table.sides[1]]]));
  const show = () => {
    const there = new URLSearchParams({ table: table.table });
    if (by("linkseat").value) there.set("seat", by("linkseat").value);
    if (token) there.set("token", token);
    by("linktext").value = `${location.origin}/#${there}`;
  };
  by("linkseat").onchange = show;
  show();
  by("link").showModal();
};
by("linkcopy").onclick = () => copy(by("linktext"));

// Copy a text; where the browser does not allow that, as in a network without encryption, it is selected at least.
function copy(input) {
  input.select();
  navigator.clipboard?.writeText(input.value);
}

// Pointer and keys

showNames(by("stage"));

// A click on what cannot be chosen: the server says why not.
by("stage").addEventListener("click", (event) => {
  if (event.target.closest(".can") || !live) return;
  if (review.now !== table.last) return note("This position is past: Branch goes on from it.");
  const thing = document.elementsFromPoint(event.clientX, event.clientY).map((each) => each.closest("[data-thing]")).find(Boolean);
  if (!thing) return;
  if (choice.complete) return submit();
  note("");
  say("why", { number: live.number, things: [...choice.chosen, thing.dataset.thing] });
});

document.addEventListener("keydown", (event) => {
  if (!table || isTyping(event) || document.querySelector("dialog[open]")) return;
  const onButton = event.target.tagName === "BUTTON" && (event.key === "Enter" || event.key === " ");
  if (event.key === "Escape") cancel();
  else if (event.key === "Enter" && choice.complete && !onButton) submit();
  else if (event.key.toLowerCase() === "u") say("undo");
  else if (!onButton && !choice.key(event)) review.key(event, !choice.active);
});
