// How to keep the player: a passkey first, where there are any, and a recovery code.

import { h } from "./dom.js";
import { attempt, button, deed } from "./forms.js";
import { hasPasskeys, makePasskey, makingRefusals, signInByPasskey, signInRefusals } from "./passkeys.js";
import { player } from "./player.js";
import { recoveryPart } from "./recovery.js";
import { t } from "./texts.js";

/** A part that is there only where passkeys can be used. `fill` is called then, and returns what is in it. */
function wherePasskeys(fill) {
    const part = h("div", { hidden: true });
    hasPasskeys().then(async (can) => {
        part.dataset.passkeys = can ? "offered" : "none";
        if (!can) return;
        part.append(...await fill());
        part.hidden = false;
    }).catch(() => {}); // Where the service cannot be asked, the code's part says so.
    return part;
}

/**
 * The button that makes a token's player a passkey, or another one, and what became of it. `made` is called with the new one; what it
 * draws leaves both where they are, or they are not read.
 */
export function passkeyMaker(token, made = () => {}, isAnother = false) {
    const [make, outcome] = deed(t(isAnother ? "passkey.makeAnother" : "passkey.make"), async () => {
        const passkey = await makePasskey(token);
        make.textContent = t("passkey.makeAnother");
        await made(passkey);
        return `${t("passkey.made")} ${t(passkey.isSynced ? "passkey.synced" : "passkey.bound", { count: 1 })}`;
    }, makingRefusals(), `${isAnother ? "" : "is-main "}make-passkey`);
    return [make, outcome];
}

/** A passkey, and the recovery code. `made` is called when there is a new passkey, `shown` when the player sees a code. */
export function keepPart({ made, shown } = {}) {
    const { kept, token } = player;
    return [
        wherePasskeys(() => {
            const isAnother = kept?.hasPasskey === true;
            const [make, outcome] = passkeyMaker(token, made, isAnother);
            return [
                h("p", {}, t(isAnother ? "passkey.another" : "passkey.what")), h("div", { class: "actions" }, make), outcome,
                h("h3", {}, t("passkey.or")),
            ];
        }),
        ...recoveryPart(shown),
    ];
}

/** The way in with a passkey. `done` is called when it has signed a player in. */
export function passkeySignIn(done) {
    const outcome = h("p", { role: "status", class: "outcome" });
    return wherePasskeys(() => [
        h("div", { class: "actions" }, button(t("passkey.signIn"), async () => {
            if (await attempt(signInByPasskey, outcome, signInRefusals())) done();
        }, "passkey-sign-in")),
        outcome,
    ]);
}

/** What the dialog shows that a new player is sent to. */
export const showKeep = (content) => content.replaceChildren(...keepPart());
