// Making elements. Text goes in as text, so nothing that a player or the service says is ever markup.

/** The element with an id. */
export const $ = (id) => document.getElementById(id);

/**
 * Makes an element. An attribute that is a function listens to the event of its name; one that is false or missing is
 * left out.
 */
export function h(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(key, value);
        else if (value === true) element.setAttribute(key, "");
        else if (value !== false && value !== undefined) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== undefined && child !== false));
    return element;
}

/** A line that opens to what not everybody wants to read. */
export const more = (text, ...content) => h("details", { class: "more" }, h("summary", {}, text), ...content);

/** A picture of the page's own, by the name of its symbol. */
export function picture(name, className = "") {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("aria-hidden", "true");
    // Its shape, which WebKit does not know from the symbol.
    svg.setAttribute("viewBox", $(name).getAttribute("viewBox"));
    if (className) svg.setAttribute("class", className);
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", `#${name}`);
    svg.append(use);
    return svg;
}

/** Starts an element's animation of this class once more. */
export function animate(element, className) {
    element.classList.remove(className);
    void element.offsetWidth; // the browser starts an animation anew only if it saw the element without it
    element.classList.add(className);
}

/** Whether the operator has something on: `challenges`, `daysGoneBy` or `leagues`. */
export const has = (feature) => (document.documentElement.dataset.has ?? "").split(" ").includes(feature);

/** Has a key that is held down press a button, or send a form, once: the next button may have the focus by then. */
export function pressOnce() {
    document.addEventListener("keydown", (event) => event.key === "Enter" && event.repeat && event.preventDefault(), true);
}

export const movesLess = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
