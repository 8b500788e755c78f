// A section of the manual for operators, as this release brings it.

import { anchor, rendered } from "./admin-markdown.js";
import { heading } from "./admin-views.js";
import { h } from "./dom.js";
import { language, t } from "./texts.js";

/** Links to sections stay on this page. Other documents are not here, and are named. */
function link(target, content) {
    if (target.startsWith("#")) return h("a", { href: `#manual/${target.slice(1)}` }, ...content);
    if (/^https?:/.test(target)) return h("a", { href: target, rel: "noreferrer" }, ...content);
    const file = target.replace(/#.*$/, "").replace(/^\.\.\//, "");
    const said = content.map((part) => part.textContent ?? part).join("");
    return h("span", {}, ...content, said === file ? "" : h("span", { class: "fine" }, ` (${file})`));
}

/** Shows the section that has a heading of a name; with none or an unknown one, what sections there are. */
export async function showManual(place, name) {
    const response = await fetch("/admin/pages/operations.md", { credentials: "same-origin" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    // Without the comments that say where the tests type a block.
    const text = (await response.text()).replace(/^ *<!-- (run|before|with|file): .* -->\n/gm, "");
    const sections = text.split(/^(?=## )/m).slice(1).map((text) => {
        const titles = [...text.matchAll(/^###? (.*)$/gm)].map(([, title]) => title);
        return { text, titles };
    });
    const found = sections.find(({ titles }) => titles.some((title) => anchor(title) === name));
    if (language !== "en") place.append(h("p", { class: "fine" }, t("manual.english")));
    if (found) {
        const whole = h("div", { class: "manual", lang: "en" }, ...rendered(found.text, link));
        place.append(whole);
        place.append(h("p", {}, h("a", { href: "#manual" }, t("manual.all"))));
        const part = [...whole.querySelectorAll("h1, h2")].find(({ id }) => id === name);
        if (part?.localName === "h2") {
            part.scrollIntoView();
            part.focus({ preventScroll: true });
        }
    } else {
        place.append(heading(t("manual.title")), h("ul", { class: "manual", lang: "en" }, ...sections.map(({ titles: [title, ...parts] }) =>
            h("li", {}, h("a", { href: `#manual/${anchor(title)}` }, title),
                parts.length > 0 && h("ul", {}, ...parts.map((part) =>
                    h("li", {}, h("a", { href: `#manual/${anchor(part)}` }, part))))))));
    }
}
