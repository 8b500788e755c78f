// What is shown of a draw, a picture for each state.

import { animate, h, more, picture } from "./dom.js";
import { parts, t } from "./texts.js";

export const rounds = 10;

/** The parts of the page where the draw is shown. */
export class Stage {
    #stage;
    #card;
    #steps;

    constructor(stage) { this.#stage = stage; }

    /** The next draw, before it starts; below the result of the one before, if this page has shown it. */
    landing(state, result) {
        this.#put("landing",
            ...(result ?? [
                picture("lots", "lots"),
                h("h3", {}, t("lottery.what")),
                h("p", {}, t("lottery.fair")),
            ]),
            ...(state.prize > 0 ? [
                h("p", { class: "prize" },
                    ...parts("lottery.prize", { prize: h("strong", {}, t("lottery.energy", { count: state.prize })) })),
                h("p", { class: "fine" }, t("lottery.operators")),
            ] : []));
    }

    /** The list is frozen, the first name is about to come. */
    loading(state) {
        this.#put("loading",
            h("div", { class: "turning", role: "img", "aria-label": t("coming") }),
            h("h3", {}, t("lottery.shuffling")),
            h("p", {}, t("lottery.frozen", { entries: entriesInWords(state.entries) })));
    }

    /** A name of a round. */
    round(state) {
        if (this.#stage.dataset.state !== "round") {
            this.#card = h("p", { class: "card" });
            this.#steps = h("ol", { class: "steps", "aria-hidden": "true" },
                ...Array.from({ length: rounds }, () => h("li")));
            this.#put("round", h("p", { class: "count" }), this.#card, this.#steps);
        }
        this.#stage.querySelector(".count").textContent = t("lottery.round", { round: state.round, rounds });
        this.#card.textContent = state.name;
        animate(this.#card, "is-new");
        [...this.#steps.children].forEach((step, index) => step.classList.toggle("is-done", index < state.round));
    }

    /**
     * The end of a draw. `verdict` is what becomes of checking it, and `rounds` a list of its rounds. Returns what can be
     * shown again above the next one.
     */
    result(state, verdict, rounds) {
        const isWon = state.state === "winner";
        const content = [
            h("p", { class: "count" }, t("lottery.draw", { number: state.draw })),
            h("p", { class: `card is-drawn${isWon ? "" : " is-void"}` }, isWon && picture("wax", "wax"), h("span", {}, state.name)),
            h("h3", {}, t(isWon ? "lottery.wins" : "lottery.nobodyWins")),
            isWon
                ? state.prize > 0 && h("p", {}, t("lottery.credited", { count: state.prize }))
                : h("p", {}, t("lottery.void", { name: state.name })),
            h("p", { class: "verdict" }, verdict),
            rounds,
        ].filter(Boolean);
        this.#put(state.state, ...content);
        return content;
    }

    /** The lottery cannot be shown. `again` tries again. */
    failure(again) {
        this.#put("failure",
            picture("lots", "lots"),
            h("h3", {}, t("away.lottery")),
            h("p", {}, t("lottery.awayWhat")),
            again && h("div", { class: "actions" }, h("button", { type: "button", class: "button", click: again }, t("again"))));
    }

    #put(state, ...content) {
        this.#stage.dataset.state = state;
        const parts = content.filter(Boolean);
        // What is shown already comes first, and stays: it may be read, or have the focus.
        for (const part of [...this.#stage.children]) if (!parts.includes(part)) part.remove();
        this.#stage.append(...parts.filter((part) => !part.isConnected));
    }
}

/** Where whoever looks may start the next draw: below all else, and closed, so that nobody starts one by mistake. */
export class Starting {
    #place;
    #button;
    #reason = h("p", { class: "fine", role: "status" });
    #timer;

    /** `start` starts the draw that is shown. */
    constructor(place, start) {
        this.#place = place;
        this.#button = h("button", { type: "button", class: "button", click: start }, t("lottery.start"));
        place.append(more(t("lottery.starting"),
            h("p", { class: "fine" }, t("lottery.startingWhat")), h("div", { class: "actions" }, this.#button), this.#reason));
    }

    /** Shows it for a landing: unless nobody takes part, or there is a prize and so operators start the draw. */
    show({ entries, prize, wait }) {
        this.hide();
        this.#place.hidden = entries === 0 || prize > 0;
        const ready = performance.now() + wait * 1000;
        const tick = () => {
            const left = Math.ceil((ready - performance.now()) / 1000);
            this.#button.disabled = left > 0;
            this.#reason.textContent = left > 0 ? t("lottery.wait", { count: left }) : "";
            if (left <= 0) clearInterval(this.#timer);
        };
        this.#timer = setInterval(tick, 250);
        tick();
    }

    /** Hides it while there is nothing to start. */
    hide() {
        clearInterval(this.#timer);
        this.#place.hidden = true;
    }
}

/** "12 take part", in words for a few. */
export const entriesInWords = (count) => t("lottery.entries", { count });
