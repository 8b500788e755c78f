// Passkeys: made and used by what keeps them for the player, checked by the service (WebAuthn Level 3).

import { ask } from "./api.js";
import { Said } from "./forms.js";
import { player } from "./player.js";
import { service } from "./service.js";
import { t } from "./texts.js";

/** Whether passkeys can be made and used here: the service takes them, and this device keeps them or can ask one that does. */
export async function hasPasskeys() {
    const { PublicKeyCredential: kind } = globalThis;
    if (!isSecureContext || !kind || !(await service()).passkeys) return false;
    if (await kind.isUserVerifyingPlatformAuthenticatorAvailable()) return true;
    return (await kind.getClientCapabilities?.())?.hybridTransport === true;
}

/** Makes a passkey for the player of a token, and returns it as the service tells of it. Throws what `attempt` knows to say. */
export async function makePasskey(token) {
    const { publicKey } = await player.ask("POST", "passkeys/options", { body: {}, token, isOnce: true });
    const credential = await ceremony(() => navigator.credentials.create({ publicKey: creationOptions(publicKey) }));
    const { passkey } = await player.ask("POST", "passkeys", { body: { credential, name: deviceName() }, token, isOnce: true });
    player.notePasskey(token);
    return passkey;
}

/** Why a passkey was not made, by status. */
export const makingRefusals = () => ({ 409: t("passkey.tooMany"), 422: t("passkey.refused") });

/** Has the player choose a passkey, and signs its player in. Throws what `attempt` knows to say. */
export async function signInByPasskey() {
    const { publicKey } = await ask("POST", "sessions/options", { body: {}, isOnce: true });
    await player.signInWithPasskey(await ceremony(() => navigator.credentials.get({ publicKey: requestOptions(publicKey) })));
}

/** Why signing in with a passkey failed, by reason or status. */
export const signInRefusals = () => ({
    signCount: t("passkey.lockedOut"), backupEligibility: t("passkey.lockedOut"), 401: t("passkey.nobody"), 429: t("passkey.often"),
});

/** What the authenticator answers, as JSON. */
async function ceremony(begin) {
    try {
        return toJSON(await begin());
    } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        const reasons = { NotAllowedError: "passkey.cancelled", InvalidStateError: "passkey.known", SecurityError: "passkey.elsewhere" };
        throw new Said(t(reasons[error.name] ?? "passkey.failed"));
    }
}

/** What to call a passkey: the kind of device that made it. */
const deviceName = () => /iPhone|iPad|Android|Windows|Mac|CrOS|Linux/.exec(navigator.userAgent)?.[0];

// The standard's own conversions, for browsers that lack them.

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));

const textOf = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

function creationOptions(json) {
    return PublicKeyCredential.parseCreationOptionsFromJSON?.(json) ?? {
        ...json, challenge: bytesOf(json.challenge), user: { ...json.user, id: bytesOf(json.user.id) },
        excludeCredentials: (json.excludeCredentials ?? []).map((known) => ({ ...known, id: bytesOf(known.id) })),
    };
}

const requestOptions = (json) =>
    PublicKeyCredential.parseRequestOptionsFromJSON?.(json) ?? { ...json, challenge: bytesOf(json.challenge) };

function toJSON(credential) {
    try {
        if (credential.toJSON) return credential.toJSON();
    } catch (error) {
        // What a password manager puts in the browser's place has the method, but not what the method reads.
        if (!(error instanceof TypeError)) throw error;
    }
    const { id, rawId, type, response } = credential;
    const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]
        .filter((name) => response[name]).map((name) => [name, textOf(response[name])]);
    return { id, rawId: textOf(rawId), type, response: Object.fromEntries(parts), clientExtensionResults: {} };
}
