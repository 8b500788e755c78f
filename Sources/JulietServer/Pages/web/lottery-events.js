// What the service tells of the lottery as it happens, and telling when it cannot be reached.

import { $ } from "./dom.js";
import { t } from "./texts.js";

const shortestPause = 1000;
const longestPause = 15_000;

/**
 * Calls `show` with every state that the service tells, for as long as the page is open, and `fail` whenever it cannot be reached, with
 * what tries again.
 */
export class LotteryEvents {
    #show;
    #fail;
    #source;
    #retry;
    #pause = shortestPause;

    constructor(show, fail) {
        this.#show = show;
        this.#fail = fail;
        addEventListener("online", () => this.#open());
        addEventListener("offline", () => this.#close("network"));
        // A page that waits in the history must hold no connection; when it is shown again, it looks again.
        addEventListener("pagehide", () => this.#close());
        addEventListener("pageshow", (event) => event.persisted && this.#open());
        this.#open();
    }

    #open() {
        this.#close();
        const source = new EventSource(new URL("lottery/events", document.baseURI));
        this.#source = source;
        source.addEventListener("message", (event) => {
            this.#pause = shortestPause;
            tell("");
            this.#show(JSON.parse(event.data));
        });
        source.addEventListener("error", () => {
            if (source !== this.#source) return;
            tell(navigator.onLine ? "service" : "network");
            this.#fail(() => this.#open());
            // The browser tries again by itself, unless it was answered something else than events.
            if (source.readyState === EventSource.CLOSED) this.#openLater();
        });
    }

    #openLater() {
        this.#close();
        this.#retry = setTimeout(() => this.#open(), this.#pause);
        this.#pause = Math.min(this.#pause * 2, longestPause);
    }

    #close(reason) {
        clearTimeout(this.#retry);
        this.#source?.close();
        this.#source = undefined;
        if (reason) tell(reason);
    }
}

function tell(reason) {
    const text = reason ? t(`lottery.${reason}`) : "";
    if ($("banner").textContent !== text) $("banner").textContent = text;
}
