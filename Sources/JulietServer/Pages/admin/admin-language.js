// The language of the page: the browser's, unless another one is chosen.

import { h } from "./dom.js";
import { language, languages, t } from "./texts.js";

/** The field that chooses it, for this browser. */
export const languageChoice = () => h("select", {
    class: "language", "aria-label": t("admin.language"),
    change: ({ target }) => {
        localStorage.setItem("juliet.language", JSON.stringify(target.value));
        location.reload();
    },
}, ...Object.entries(languages).map(([code, name]) => h("option", { value: code, lang: code, selected: code === language }, name)));
