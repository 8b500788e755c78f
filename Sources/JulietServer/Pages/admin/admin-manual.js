// A section of the manual for operators, as this release brings it.

import { h } from "./dom.js";
import { heading } from "./admin-views.js";

/** The name of a heading in an address, as GitHub makes it. */
const anchor = (title) => title.toLowerCase().replace(/[^\p{L}\p{N}\s-]/gu, "").trim().replace(/\s/g, "-");

/** Shows the section of a name; with none or an unknown one, what sections there are. */
export async function showManual(place, name) {
    const response = await fetch("/admin/pages/operations.md", { credentials: "same-origin" });
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    // Without the comments that say where the tests type a block.
    const text = (await response.text()).replace(/^ *<!-- (run|before|with|file): .* -->\n/gm, "");
    const sections = text.split(/^(?=## )/m).slice(1).map((text) => {
        const [, title, body] = /^## ([^\n]*)\n([^]*)$/.exec(text);
        return { title, body: body.trim() };
    });
    const found = sections.find(({ title }) => anchor(title) === name);
    place.append(heading(found?.title ?? "Operations"));
    if (found) place.append(h("div", { class: "manual" }, found.body));
    place.append(h("p", {}, found ? "Other sections: " : "", ...sections.flatMap(({ title }, index) =>
        [index ? ", " : "", h("a", { href: `#manual/${anchor(title)}` }, title)])));
}
