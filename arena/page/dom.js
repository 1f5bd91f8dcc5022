// Small helpers for the page.

export const by = (id) => document.getElementById(id);

// An element with attributes, listeners (`onclick: ...`) and children; texts are texts, never markup.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const SVG = "http://www.w3.org/2000/svg";

export function makeSvg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// What a thing is called where people read it: `c3`, `ring 3.5`, `piece silver L4`.
export function nameOf(thing) {
  return thing.split("+").map((part) => part.replace(/^square:/, "").replaceAll(":", " ")).join(" ");
}

// Whether a key press belongs to an input, and not to the page.
export function isTyping(event) {
  return event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
}
