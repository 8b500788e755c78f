// A link to give away: to share, to copy, and as a picture for the camera of whoever sits near by.

import { h } from "./dom.js";
import { attempt, button } from "./forms.js";
import { qrCode } from "./qr.js";
import { share } from "./share.js";
import { t } from "./texts.js";

/** The part of a panel or dialog that gives an address of this service away; `path` is relative to the page. */
export function linkPart(path) {
    const address = new URL(path, document.baseURI).href;
    const outcome = h("p", { class: "outcome", role: "status" });
    return h("div", { class: "link" },
        qrPicture(address) ?? "",
        h("code", { class: "code" }, address),
        h("div", { class: "actions" }, button(t("link.share"), () => attempt(() => share(address), outcome))),
        outcome);
}

/** The QR code of a text, with its quiet zone of four modules; undefined if the text is too long. */
function qrPicture(text) {
    const rows = qrCode(text);
    if (!rows) return undefined;
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const attributes = { class: "qr", role: "img", "aria-label": t("link.qr"), viewBox: `-4 -4 ${rows.length + 8} ${rows.length + 8}` };
    for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
    const path = document.createElementNS(space, "path");
    path.setAttribute("d", rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join(""));
    svg.append(path);
    return svg;
}
