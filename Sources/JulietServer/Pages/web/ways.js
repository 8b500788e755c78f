// Sign-in and devices: what opens the player, where they are signed in, and how to end each of it.

import { Problem } from "./api.js";
import { dateOf } from "./clock.js";
import { comes, Unreachable } from "./connection.js";
import { h } from "./dom.js";
import { asking, deed } from "./forms.js";
import { passkeyMaker } from "./keep.js";
import { lateFailure } from "./late.js";
import { hasPasskeys } from "./passkeys.js";
import { player } from "./player.js";
import { recoveryPart } from "./recovery.js";
import { service } from "./service.js";
import { list, t } from "./texts.js";

/** A list of the service's. */
const listed = async (kind) => (await player.ask("GET", kind, { isOnce: true }))[kind];

/** What opens the player beside a recovery code, as far as the service takes it: `{ passkeys, identities }`. */
async function linked() {
    const { passkeys: takesPasskeys, identityProviders } = await service();
    const [passkeys, identities] = await Promise.all([
        takesPasskeys ? listed("passkeys") : [], identityProviders.length > 0 ? listed("identities") : [],
    ]);
    return { passkeys, identities, takesPasskeys, identityProviders };
}

/** The same, without identities of providers that the service takes no more: they open nothing. */
export async function waysIn() {
    const { passkeys, identities, identityProviders } = await linked();
    return { passkeys, identities: identities.filter(({ provider }) => identityProviders.includes(provider)) };
}

/** The same in words, without one of them; undefined when nothing is left. */
async function whatIsLeft(without) {
    const { passkeys, identities } = await waysIn();
    const { state } = await player.codeState();
    const left = [
        ...passkeys.filter(({ id }) => id !== without).map(({ name }) => t("ways.passkey", { name })),
        ...identities.filter(({ provider }) => provider !== without).map(({ provider }) => t("ways.identity", { provider })),
        // A code that was never shown opens the player nowhere else.
        ...(state === "shown" || state === "unsure" ? [t("ways.code")] : []),
    ];
    return left.length === 0 ? undefined : list(left);
}

/** What is asked before a way in is taken away. */
async function question(what, without) {
    const ways = await whatIsLeft(without);
    return [what, ways ? t("ways.left", { ways }) : t("ways.nothing")].join(" ");
}

/** Fills the dialog. */
export async function showWays(content) {
    const { token } = player;
    const again = async () => {
        await showWays(content);
        content.focus();
    };
    content.tabIndex = -1;
    let answers;
    try {
        answers = await Promise.all([linked(), listed("sessions"), hasPasskeys()]);
    } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        // The code that is kept here can be seen.
        return content.replaceChildren(...lateFailure(error, () => comes(again()), "ways.away"),
            h("h3", {}, t("recovery.title")), ...recoveryPart());
    }
    const [{ passkeys, identities, takesPasskeys }, sessions, can] = answers;
    content.replaceChildren(
        h("p", {}, t("ways.what", { name: player.name })),
        ...(takesPasskeys ? [
            h("h3", {}, t("ways.passkeys")),
            ...(can ? listAndMaker(token, passkeys, again) : [
                passkeyList(passkeys, again),
                h("p", { class: "fine" }, t(isSecureContext ? "ways.cannot" : "ways.secure")),
            ]),
        ] : []),
        h("h3", {}, t("recovery.title")),
        ...recoveryPart(),
        ...(identities.length > 0 ? [
            h("h3", {}, t("ways.identities")),
            things(identities.map((identity) => identityItem(identity, again))),
        ] : []),
        h("h3", {}, t("ways.devices")),
        things(sessions.toSorted((a, b) => b.isCurrent - a.isCurrent).map((session) => deviceItem(session, again))),
        ...(sessions.length > 1 ? [asking(t("ways.endOthers"), () => t("ways.endOthersWhat"), async () => {
            await player.ask("DELETE", "sessions", { token, isOnce: true });
            await again();
        }, { stay: t("ways.stay"), className: "end-others" })] : []));
}

const things = (items) => h("ul", { class: "things" }, ...items);

const passkeyList = (passkeys, again) => things(passkeys.map((passkey) => passkeyItem(passkey, again)));

/** The passkeys, and how to make another one, which joins the others. */
function listAndMaker(token, passkeys, again) {
    const list = passkeyList(passkeys, again);
    const [make, outcome] = passkeyMaker(token, (passkey) => list.append(passkeyItem(passkey, again)), passkeys.length > 0);
    return [list, h("div", { class: "actions" }, make), outcome];
}

/** One of a list: what it is called, what is known of it, and what can be done with it. */
const thing = (name, facts, action, attributes = {}) =>
    h("li", attributes, h("div", {}, h("strong", {}, name), ...facts.map((fact) => h("span", { class: "fine" }, fact))), action);

function passkeyItem({ id, name, createdAt, lastUsedAt, isSynced }, again) {
    return thing(name, [
        t("ways.made", { date: dateOf(createdAt) }),
        lastUsedAt ? t("ways.used", { date: dateOf(lastUsedAt) }) : t("ways.unused"),
        t(isSynced ? "ways.synced" : "ways.bound"),
    ], asking(t("ways.remove"), () => question(t("ways.removePasskey", { name }), id), async () => {
        await removed(`passkeys/${id}`);
        await again();
    }), { "data-passkey": id });
}

function identityItem({ provider, createdAt }, again) {
    return thing(provider, [t("ways.linked", { date: dateOf(createdAt) })],
        asking(t("ways.remove"), () => question(t("ways.removeIdentity", { provider }), provider), async () => {
            await removed(`identities/${encodeURIComponent(provider)}`);
            await again();
        }), { "data-identity": provider });
}

function deviceItem({ id, createdAt, lastUsedAt, isCurrent, by }, again) {
    const known = ["registration", "recoveryCode", "passkey"].includes(by);
    const facts = [
        known ? t(`ways.by.${by}`, { date: dateOf(createdAt) }) : t("ways.by.other", { provider: by, date: dateOf(createdAt) }),
        t("ways.seen", { date: dateOf(lastUsedAt) }),
    ];
    if (isCurrent) return thing(t("ways.thisDevice"), facts, undefined, { class: "is-current" });
    const [end, outcome] = deed(t("leave.do"), async () => {
        await removed(`sessions/${id}`);
        await again();
    });
    return thing(t("ways.otherDevice"), facts, h("div", {}, end, outcome));
}

/** Removes something. It counts as removed when it was gone already. */
async function removed(path) {
    try {
        await player.ask("DELETE", path, { isOnce: true });
    } catch (error) {
        if (!(error instanceof Problem) || error.status !== 404) throw error;
    }
}
