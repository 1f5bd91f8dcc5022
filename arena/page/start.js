// The first page: a new game, games that were begun, a recorded game.
import { by, make } from "./dom.js";

let offered = { games: [], players: [] };

export function offer(games, players, say) {
  offered = { games, players };
  const game = make("select", { name: "game", onchange: () => showParameters(form) }, ...options(games.map((each) => [each.name, each.title])));
  const form = by("choose");
  form.replaceChildren(
    make("label", {}, "game", game),
    make("fieldset", { id: "parameters" }, make("legend", {}, "variant")),
    ...["first", "second"].map((name) => make("label", {}, `${name} player`, seatSelect(name))),
    make("label", { id: "seed" }, "seed", make("input", { name: "seed", type: "number", min: 0, placeholder: "fresh" })),
    make("button", { class: "main" }, "Play"),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    say("new", chosen(form));
  };
  showParameters(form);
}

export function options(pairs) {
  return pairs.map(([value, text]) => make("option", { value }, text));
}

export function seatSelect(name, seat = name === "second" ? "mcts:200" : "human") {
  const names = [...new Set(["human", ...offered.players, seat])];
  const select = make("select", { name }, ...options(names.map((each) => [each, each])));
  select.value = seat;
  return select;
}

function showParameters(form) {
  const game = offered.games.find((each) => each.name === form.elements.game.value);
  const inputs = game.parameters.map(({ name, default: value, choices }) => {
    const texts = choices.map((choice) => [JSON.stringify(choice), String(choice)]);
    const input = choices.length
      ? make("select", { "data-parameter": name }, ...options(texts))
      : make("input", { "data-parameter": name, type: typeof value === "string" ? "text" : "number", value, placeholder: "as in the rules" });
    return make("label", {}, name.replaceAll("_", " "), input);
  });
  by("parameters").replaceChildren(make("legend", {}, "variant"), ...inputs);
  by("parameters").hidden = inputs.length === 0;
  by("seed").hidden = !game.chance;
}

function chosen(form) {
  const parameters = {};
  for (const input of form.querySelectorAll("[data-parameter]")) {
    if (input.value !== "") parameters[input.dataset.parameter] = input.type === "text" ? input.value : JSON.parse(input.value);
  }
  const { game, first, second, seed } = form.elements;
  const found = { game: game.value, parameters, seats: [first.value, second.value] };
  return seed.value === "" ? found : { ...found, seed: Number(seed.value) };
}

export function showKept(tables, say, open) {
  const rows = tables.map(({ name, game, seats, played, ended }) => {
    const remove = make("button", { onclick: (event) => { event.stopPropagation(); say("remove", { table: name }); } }, "Remove");
    const words = ended ? `over (${ended.replaceAll("_", " ")})` : "running";
    const cells = [game.replaceAll("_", " "), seats.join(" against "), `${played} played`, words].map((text) => make("td", {}, text));
    return make("tr", { onclick: () => open(name) }, ...cells, make("td", {}, make("button", { onclick: () => open(name) }, "Open"), " ", remove));
  });
  by("kept").replaceChildren(...(rows.length ? rows : [make("tr", {}, make("td", { class: "quiet" }, "none"))]));
}
