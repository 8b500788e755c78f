// The form to sign in.

import { signIn } from "./admin-api.js";
import { explain } from "./admin-views.js";
import { h } from "./dom.js";
import { languageChoice } from "./admin-language.js";
import { parts, t } from "./texts.js";

/** Shows the form. Whoever signs in comes to the part of the page that the address names. */
export function showSignIn(place) {
    const input = h("input", {
        id: "key", name: "key", type: "password", required: true, autocomplete: "current-password", spellcheck: "false",
    });
    const message = h("p", { class: "message", role: "alert" });
    const button = h("button", { class: "button is-main" }, t("signIn.do"));
    const form = h("form", {
        submit: async (event) => {
            event.preventDefault();
            button.disabled = true;
            message.textContent = "";
            try {
                await signIn(input.value);
                location.reload();
            } catch (error) {
                message.textContent = { 401: t("signIn.wrong"), 429: t("signIn.often") }[error.status] ?? explain(error);
                button.disabled = false;
                input.select();
            }
        },
    },
    // For password managers.
    h("input", { type: "text", name: "name", value: "admin", autocomplete: "username", hidden: true }),
    h("label", { for: "key" }, t("signIn.key")), input, button);
    document.body.classList.add("door");
    place.replaceChildren(
        h("h1", {}, h("span", { class: "wordmark" }, "Juliet"), ` ${t("admin.name")}`), message, form,
        h("p", { class: "fine" }, ...parts("signIn.what", { start: h("code", {}, "juliet-admin-") })),
        languageChoice());
    input.focus();
}
