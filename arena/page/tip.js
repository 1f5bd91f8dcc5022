// The name of what the pointer is on, beside the pointer.
import { by, nameOf } from "./dom.js";

const ASIDE = 14; // pixels

export function showNames(stage) {
  stage.addEventListener("pointermove", (event) => {
    const thing = event.pointerType === "mouse" ? event.target.closest("[data-part], [data-thing]") : null;
    const tip = by("tip");
    tip.hidden = !thing;
    if (!thing) return;
    tip.textContent = nameOf(thing.dataset.part ?? thing.dataset.thing);
    const left = Math.min(event.clientX + ASIDE, innerWidth - tip.offsetWidth - 4);
    tip.style.translate = `${left}px ${Math.max(4, event.clientY - tip.offsetHeight - ASIDE / 2)}px`;
  });
  stage.addEventListener("pointerleave", () => { by("tip").hidden = true; });
}
