// What is shown of a draw, a picture for each state.

import { animate, h, picture } from "./dom.js";
import { parts, t } from "./texts.js";

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
        const button = h("button", { type: "button", class: "button is-main", click: start }, t("lottery.start"));
        const reason = h("p", { class: "fine" });
        this.#put("landing",
            ...(result ?? [
                picture("lots", "lots"),
                h("h3", {}, t("lottery.what")),
                h("p", {}, t("lottery.fair")),
            ]),
            state.prize > 0 && h("p", { class: "prize" },
                ...parts("lottery.prize", { prize: h("strong", {}, t("lottery.energy", { count: state.prize })) })),
            h("div", { class: "actions" }, button),
            reason);
        const ready = performance.now() + state.wait * 1000;
        const tick = () => {
            const left = Math.ceil((ready - performance.now()) / 1000);
            reason.textContent = whyNot(state, left);
            // The reason stands beside the disabled button.
            button.disabled = reason.textContent !== "";
            if (left <= 0) clearInterval(this.#timer);
        };
        this.#timer = setInterval(tick, 250);
        tick();
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
            h("p", { class: "verdict", role: "status" }, verdict),
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
        clearInterval(this.#timer);
        this.#stage.dataset.state = state;
        const parts = content.filter(Boolean);
        // What is shown already comes first, and stays: it may be read, or have the focus.
        for (const part of [...this.#stage.children]) if (!parts.includes(part)) part.remove();
        this.#stage.append(...parts.filter((part) => !part.isConnected));
    }
}

/** "12 take part", in words for a few. */
export const entriesInWords = (count) => t("lottery.entries", { count });

/** Why a draw cannot be started by whoever looks; empty if it can. */
function whyNot({ entries, prize }, seconds) {
    if (seconds > 0) return t("lottery.wait", { count: seconds });
    if (entries === 0) return t("lottery.nobody");
    if (prize > 0) return t("lottery.operators");
    return "";
}
