// How the page becomes an app among the others, where it can.

import { h } from "./dom.js";
import { button } from "./forms.js";
import { install } from "./install.js";
import { serviceName, t } from "./texts.js";

/** A part of the settings; nothing where the browser offers nothing, or the page is an app already. Without HTTPS none offers it. */
export function installPart() {
    if (matchMedia("(display-mode: standalone)").matches) return [];
    // Only Safari on phones and tablets knows this property. It installs nothing by itself.
    if (navigator.standalone === false) return [h("h3", {}, t("install.title")), h("p", {}, t("install.apple", { title: serviceName }))];
    if (!isSecureContext) return [h("h3", {}, t("install.title")), h("p", {}, t("install.secure"))];
    if (!install.offer) return [];
    const part = h("div", {}, h("h3", {}, t("install.title")), h("p", {}, t("install.what", { title: serviceName })), h("div", { class: "actions" },
        button(t("install.do"), async () => {
            const { offer } = install;
            install.offer = undefined;
            part.remove();
            await offer.prompt();
        }, "install")));
    return [part];
}
