// Runs before the page is drawn, so that it never shows in colours that the player did not choose.
"use strict";

{
    const contrast = matchMedia("(prefers-contrast: more)");

    const read = (name) => {
        try {
            return JSON.parse(localStorage.getItem(`juliet.${name}`));
        } catch {
            return null;
        }
    };

    const apply = () => {
        document.documentElement.dataset.theme = read("theme") ?? "auto";
        document.documentElement.dataset.contrast = read("contrast") ?? (contrast.matches ? "more" : "normal");
    };

    apply();
    contrast.addEventListener("change", apply);
    addEventListener("storage", apply);
    addEventListener("juliet-theme", apply);
}
