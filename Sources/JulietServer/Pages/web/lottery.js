// Puts the page of the lottery together: what the service tells goes to the stage, and at the end of a draw it is checked.

import { ask, Problem } from "./api.js";
import { fill, prepareDialogs } from "./dialogs.js";
import { $, h } from "./dom.js";
import { LotteryEvents } from "./lottery-events.js";
import { Players } from "./lottery-players.js";
import { faultOf } from "./lottery-proof.js";
import { entriesInWords, rounds, Stage } from "./lottery-stage.js";
import { canVerify, firstSeen, showSeal } from "./seal.js";

const stage = new Stage($("stage"));
const players = new Players($("players"));

/** The state that is shown. */
let shown = {};
/** What this page was shown of the draw before its end. */
let seen = {};
/** The end of the last draw that this page has seen. */
let ended;
/** What this page found of draws that are over, by their number: a promise of a sentence. */
const verdicts = new Map();

prepareDialogs();
fill("sealed", (content) => content.replaceChildren(...sealContent()));

new LotteryEvents((state) => {
    const isNew = state.state !== shown.state || state.draw !== shown.draw;
    shown = state;
    if (state.commitment) see(state);
    show(state, isNew);
});

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && players.refresh());

function see(state) {
    if (seen.draw !== state.draw) {
        seen = { draw: state.draw, commitment: firstSeen(`lottery ${state.draw}`, state.commitment), rounds: new Map() };
    }
    seen.listDigest ??= state.listDigest;
    if (state.state === "round") seen.rounds.set(state.round, state.userId);
}

function show(state, isNew) {
    if (state.commitment) {
        const isOver = state.seed !== undefined;
        showSeal(state.commitment, isOver);
        $("note").textContent = `Draw ${state.draw} · ${entriesInWords(state.entries)}`;
    }
    if (isNew) say("");
    switch (state.state) {
        case "landing": return showLanding(state);
        case "loading":
            stage.loading(state);
            if (isNew) {
                $("stage").scrollIntoView({ block: "nearest" });
                tell("The draw has started.");
            }
            break;
        case "round": stage.round(state); break;
        case "winner":
        case "noWinner": showEnd(state, isNew); break;
        default: return stage.failure();
    }
    $("last").hidden = true;
}

function showLanding(state) {
    stage.landing(state, { start: () => start(state.draw), result: ended?.draw === state.last?.draw ? ended?.content : undefined });
    showLast(state.last);
    players.refresh();
}

function showEnd(state, isNew) {
    const line = h("span", {}, "Checking the draw …");
    ended = { draw: state.draw, content: stage.result(state, line) };
    verdict(state, { ...seen }).then((text) => {
        line.textContent = text;
        if (isNew) tell(`${state.state === "winner" ? `${state.name} wins.` : `Nobody wins: ${state.name} is void.`} ${text}`);
    });
}

/** The last draw, for those who have not seen it here. */
function showLast(last) {
    $("last").hidden = last === undefined || ended?.draw === last.draw;
    if ($("last").hidden) return;
    const line = h("p", { class: "fine", role: "status" });
    const check = h("button", { type: "button", class: "quiet", click: async () => {
        line.replaceChildren("Checking the draw …");
        line.textContent = await verdict(last, { commitment: firstSeen(`lottery ${last.draw}`, last.commitment), rounds: new Map() });
    } }, "Check this draw");
    line.append(check);
    $("last").replaceChildren(
        h("h3", { id: "last-title" }, "The last draw"),
        h("p", {}, h("strong", {}, last.name), last.state === "winner" ? " won" : " was drawn, and is void: nobody won",
            last.state === "winner" && last.prize > 0 ? ` ${last.prize} energy.` : "."),
        line);
}

async function start(draw) {
    say("…");
    try {
        await ask("POST", `../lottery/draws/${draw}`, { isOnce: true });
        say("");
        // The button is about to go.
        $("heading").focus({ preventScroll: true });
    } catch (error) {
        if (!(error instanceof Problem)) return say("No connection. Try again in a moment.");
        say(error.body.detail ?? error.message);
    }
}

/** What this browser finds when it repeats a draw. */
function verdict(state, seen) {
    if (!verdicts.has(state.draw)) verdicts.set(state.draw, check(state, seen));
    return verdicts.get(state.draw);
}

async function check(state, seen) {
    if (!canVerify()) return "The seal is open: check it by hand.";
    try {
        const fault = await faultOf(await ask("GET", `../lottery/draws/${state.draw}`), seen);
        return fault ? `This draw does not fit its seal: ${fault}.` : `Checked here: all ${rounds} rounds follow from the seal.`;
    } catch {
        verdicts.delete(state.draw);
        return "The draw could not be checked.";
    }
}

function sealContent() {
    const content = [
        h("p", {}, "This is the fingerprint of the draw’s secret seed, told before anybody could start it. Seed and list decide all ten rounds; neither can be changed afterwards without its showing."),
        h("code", { class: "code" }, shown.commitment ?? ""),
    ];
    if (shown.listDigest) content.push(h("p", {}, "The fingerprint of the frozen list:"), h("code", { class: "code" }, shown.listDigest));
    if (!shown.seed) return [...content, h("p", { class: "fine" }, "When the draw is over you get the seed, and this page repeats the draw with it.")];
    return [
        ...content,
        h("p", {}, "The draw is over, so here is the seed:"),
        h("code", { class: "code", id: "seed" }, shown.seed),
        h("p", { class: "fine" }, "To check it yourself, in a terminal:"),
        h("code", { class: "code" }, `printf %s ${shown.seed} | xxd -r -p | sha256sum`),
        h("p", { class: "fine" }, "That makes the fingerprint above. Whoever has the program Juliet repeats the whole draw:"),
        h("code", { class: "code" }, `curl -s ${new URL(`lottery/draws/${shown.draw}`, document.baseURI)} > draw.json\njuliet lottery verify --file draw.json`),
    ];
}

function say(text) { $("message").textContent = text; }

/** Tells those who do not see the stage. */
function tell(text) { $("announcer").textContent = text; }
