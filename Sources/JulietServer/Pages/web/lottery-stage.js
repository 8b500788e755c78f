// What is shown of a draw, a picture for each state.

import { animate, h, picture } from "./dom.js";

export const rounds = 10;

/** The parts of the page where the draw is shown. */
export class Stage {
    #stage;
    #card;
    #steps;
    #timer;

    constructor(stage) { this.#stage = stage; }

    /** The next draw, before it starts; below the result of the one before, if this page has shown it. */
    landing(state, { start, result }) {
        const button = h("button", { type: "button", class: "button is-main", click: start }, "Start the Lottery");
        const reason = h("p", { class: "fine" });
        this.#put("landing",
            ...(result ?? [
                picture("lots", "lots"),
                h("h3", {}, "Ten names, the tenth wins"),
                h("p", {}, "Everybody who takes part is equally likely in each round. What decides is sealed already, and this page checks at the end that the draw follows from it."),
            ]),
            state.prize > 0 && h("p", { class: "prize" }, "The prize: ", h("strong", {}, `${state.prize} energy`), "."),
            h("div", { class: "actions" }, button),
            reason);
        const ready = performance.now() + state.wait * 1000;
        const tick = () => {
            const left = Math.ceil((ready - performance.now()) / 1000);
            reason.textContent = whyNot(state, left);
            // Who starts it all the same is told why not.
            button.disabled = reason.textContent !== "";
            if (left <= 0) clearInterval(this.#timer);
        };
        this.#timer = setInterval(tick, 250);
        tick();
    }

    /** The list is frozen, the first name is about to come. */
    loading(state) {
        this.#put("loading",
            h("div", { class: "turning", role: "img", "aria-label": "Loading" }),
            h("h3", {}, "Shuffling the lots"),
            h("p", {}, `The list is frozen: ${entriesInWords(state.entries)}.`));
    }

    /** A name of a round. */
    round(state) {
        if (this.#stage.dataset.state !== "round") {
            this.#card = h("p", { class: "card" });
            this.#steps = h("ol", { class: "steps", "aria-hidden": "true" },
                ...Array.from({ length: rounds }, () => h("li")));
            this.#put("round", h("p", { class: "count" }), this.#card, this.#steps);
        }
        this.#stage.querySelector(".count").textContent = `Round ${state.round} of ${rounds}`;
        this.#card.textContent = state.name;
        animate(this.#card, "is-new");
        [...this.#steps.children].forEach((step, index) => step.classList.toggle("is-done", index < state.round));
    }

    /** The end of a draw. Returns what can be shown again above the next one. */
    result(state, verdict) {
        const isWon = state.state === "winner";
        const content = [
            h("p", { class: "count" }, `Draw ${state.draw}`),
            h("p", { class: `card is-drawn${isWon ? "" : " is-void"}` }, isWon && picture("wax", "wax"), h("span", {}, state.name)),
            h("h3", {}, isWon ? "wins the lottery" : "Nobody wins"),
            isWon
                ? state.prize > 0 && h("p", {}, `${state.prize} energy, credited already.`)
                : h("p", {}, `${state.name} was drawn tenth, and is void.`),
            h("p", { class: "verdict", role: "status" }, verdict),
        ].filter(Boolean);
        this.#put(state.state, ...content);
        return content;
    }

    /** The lottery cannot be shown. */
    failure() {
        this.#put("failure",
            picture("lots", "lots"),
            h("h3", {}, "Out of reach"),
            h("p", {}, "The lottery cannot be shown right now. This page goes on by itself when it can."));
    }

    #put(state, ...content) {
        clearInterval(this.#timer);
        this.#stage.dataset.state = state;
        this.#stage.replaceChildren(...content.filter(Boolean));
    }
}

/** "12 take part", in words for a few. */
export function entriesInWords(count) {
    if (count === 0) return "nobody takes part yet";
    return count === 1 ? "one takes part" : `${count.toLocaleString("en")} take part`;
}

/** Why a draw cannot be started by whoever looks; empty if it can. */
function whyNot({ entries, prize }, seconds) {
    if (seconds > 0) return `The next draw can start in ${seconds} s.`;
    if (entries === 0) return "Nobody takes part yet.";
    if (prize > 0) return "With a prize, those who run this place start the draw.";
    return "";
}
