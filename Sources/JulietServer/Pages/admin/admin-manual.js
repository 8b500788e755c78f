// A section of the manual for operators, as this release brings it.

import { anchor, rendered } from "./admin-markdown.js";
import { heading } from "./admin-views.js";
import { h } from "./dom.js";
import { language, t } from "./texts.js";

/** The pages of the manual, in the order in which they are listed. `AdminPages.manual` has them too. */
export const pages = ["trouble", "watching", "admin", "settings", "backup", "upgrade", "https", "audit", "advanced"];

/** Links to sections of these pages stay here. Other documents are not here, and are named. */
const linkFrom = (page) => (target, content) => {
    if (/^https?:/.test(target)) return h("a", { href: target, rel: "noreferrer" }, ...content);
    const [file, name] = target.split("#");
    const other = file === "" ? page : file.replace(/\.md$/, "");
    if (pages.includes(other)) return h("a", { href: `#manual/${other}${name ? `/${name}` : ""}` }, ...content);
    const shown = file.replace(/^\.\.\//, "");
    const said = content.map((part) => part.textContent ?? part).join("");
    return h("span", {}, ...content, said === shown ? "" : h("span", { class: "fine" }, ` (${shown})`));
};

/** The sections of a page, each with its text and the titles in it. The first is what is above all others. */
async function sectionsOf(page) {
    const response = await fetch(`/admin/pages/${page}.md`, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    // Without the comments that say where the tests type a block.
    const text = (await response.text()).replace(/^ *<!-- (run|before|with|file): .* -->\n/gm, "");
    return text.replace(/^# /, "## ").split(/^(?=## )/m).map((text) => ({
        text, titles: [...text.matchAll(/^###? (.*)$/gm)].map(([, title]) => title),
    }));
}

const item = (page, [title, ...parts]) =>
    h("li", {}, h("a", { href: `#manual/${page}/${anchor(title)}` }, title),
        parts.length > 0 && h("ul", {}, ...parts.map((part) =>
            h("li", {}, h("a", { href: `#manual/${page}/${anchor(part)}` }, part)))));

/**
 * Shows a section by the name of its page and of a heading or row in it: `upgrade/go-back`. By the page's name alone, or with an
 * unknown heading: what the page begins with, and what sections it has. Without a page that is here: all pages.
 */
export async function showManual(place, name) {
    const [page, part] = name.split("/");
    if (language !== "en") place.append(h("p", { class: "fine" }, t("manual.english")));
    if (!pages.includes(page)) {
        const all = await Promise.all(pages.map(sectionsOf));
        place.append(heading(t("manual.title")), h("ul", { class: "manual", lang: "en" }, ...all.map(([{ titles: [title] }], index) =>
            h("li", {}, h("a", { href: `#manual/${pages[index]}` }, title)))));
        return;
    }
    const sections = await sectionsOf(page);
    const has = ({ text, titles }) => titles.some((title) => anchor(title) === part) || (part && text.includes(`<a id="${part}"></a>`));
    const found = sections.find(has) ?? sections[0];
    const whole = h("div", { class: "manual", lang: "en" }, ...rendered(found.text, linkFrom(page)));
    if (found === sections[0] && sections.length > 1) {
        whole.append(h("ul", {}, ...sections.slice(1).map(({ titles }) => item(page, titles))));
    }
    place.append(whole);
    place.append(h("p", {}, h("a", { href: "#manual" }, t("manual.all"))));
    const named = [...whole.querySelectorAll("h1, h2, a[id]")].find(({ id }) => id === part);
    if (named && named.localName !== "h1") {
        const below = named.closest("tr") ?? named;
        below.tabIndex = -1;
        below.scrollIntoView();
        below.focus({ preventScroll: true });
    }
}
