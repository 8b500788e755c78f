// What players do together: the dialog with their leagues and challenges, and what of it lies on the desk.

import { offerChallenge, resultsOf, showChallenges } from "./challenges.js";
import { open } from "./dialogs.js";
import { h, has } from "./dom.js";
import { choice } from "./forms.js";
import { offerInvite, showLeagues, wantedLeague } from "./leagues.js";
import { wantedWord } from "./making.js";
import { t } from "./texts.js";

const shows = { leagues: showLeagues, challenges: showChallenges };
const chosen = { part: undefined };

/** Fills the dialog. */
export function showTogether(content) {
    const names = Object.keys(shows).filter(has);
    if (wantedLeague.id) chosen.part = "leagues";
    if (wantedWord.word) chosen.part = "challenges";
    if (!names.includes(chosen.part)) [chosen.part] = names;
    const place = h("div", {});
    const choose = (name) => {
        chosen.part = name;
        // A place of its own: what the part before still loads comes too late for this one.
        const part = h("div", {});
        place.replaceChildren(part);
        shows[name](part);
    };
    content.replaceChildren(
        ...(names.length > 1 ? [choice("part", t("together.title"), names.map((name) => [name, t(`together.${name}`)]), chosen.part, choose)] : []),
        place);
    choose(chosen.part);
}

/** Opens the dialog to make a challenge of the word of a game that is over. */
export function challengeWith({ secret, language }) {
    Object.assign(wantedWord, { word: secret, language });
    open("together");
}

/** Puts a challenge on the desk. */
export const showChallenge = offerChallenge;

/** Puts an invite to a league on the desk. */
export const showInvite = offerInvite;

/** The results of the challenge of a game that is over. */
export const resultsPart = (code) => resultsOf({ code });
