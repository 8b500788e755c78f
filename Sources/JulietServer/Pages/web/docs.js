// The page of the API, where scripts run: finds what is typed, shows one operation at a time, and asks this service.
// Without it the page shows everything below each other.
"use strict";

{
    const create = (name, properties = {}, ...children) => {
        const element = Object.assign(document.createElement(name), properties);
        element.append(...children);
        return element;
    };

    const nav = document.querySelector("nav");
    const reference = document.querySelector(".reference");
    const parts = [...reference.querySelectorAll("article, section > table")];

    // One at a time

    /// The element that the address names, or the part of the page that holds it.
    const wanted = () => {
        const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        return named?.closest("article, section") ?? null;
    };

    const show = () => {
        const chosen = wanted();
        const isOne = chosen && !everything.checked;
        for (const section of reference.children) {
            section.hidden = isOne && !section.contains(chosen);
            for (const part of section.querySelectorAll("article")) {
                part.hidden = isOne && chosen.matches("article") && part !== chosen;
            }
        }
        for (const link of nav.querySelectorAll("a")) {
            link.toggleAttribute("aria-current", link.getAttribute("href") === location.hash);
        }
        if (isOne) scrollTo(0, 0);
    };

    const everything = create("input", { type: "checkbox", id: "everything" });
    everything.addEventListener("change", show);
    addEventListener("hashchange", show);

    // Search

    const search = create("input", { type: "search", id: "search", autocomplete: "off", placeholder: "Search" });
    search.setAttribute("aria-label", "Search the contents");
    const text = new Map(parts.map((part) => [part.id, part.textContent.toLowerCase()]));
    const find = () => {
        const words = search.value.toLowerCase().split(/\s+/u).filter(Boolean);
        for (const item of nav.querySelectorAll("li li")) {
            const link = item.querySelector("a");
            const where = `${link.textContent} ${text.get(link.hash.slice(1)) ?? ""}`.toLowerCase();
            item.hidden = !words.every((word) => where.includes(word));
        }
        for (const group of nav.querySelectorAll(":scope > ul > li")) {
            const items = [...group.querySelectorAll("li")];
            group.hidden = words.length > 0 && (items.length === 0 || items.every((item) => item.hidden));
        }
    };
    search.addEventListener("input", find);
    nav.prepend(
        create("p", { className: "tools" }, search, create("label", {}, everything, " Show everything")),
    );

    // Try it

    const tokenName = "juliet.docs.token";

    /// A field with its label.
    const field = (label, input) => create("label", { className: "field" }, `${label} `, input);

    const build = (article) => {
        const { method, path, query } = article.dataset;
        const example = article.querySelector("[data-request]")?.textContent ?? "";
        const inputs = [...path.matchAll(/\{([a-z]+)\}/gu)].map(([, name]) => [name, create("input", { required: true })]);
        const queries = (query ?? "").split(" ").filter(Boolean).map((name) => [name, create("input")]);
        const token = create("input", {
            type: "password", autocomplete: "off", placeholder: "jt_…", value: sessionStorage.getItem(tokenName) ?? "",
        });
        const body = create("textarea", { rows: 4, value: example.trim(), spellcheck: false });
        const answer = create("pre", { tabIndex: 0, hidden: true });
        answer.setAttribute("aria-live", "polite");
        const send = async () => {
            if (method === "DELETE" && !confirm(`Really ${method} ${path}? It is done for good.`)) return;
            sessionStorage.setItem(tokenName, token.value.trim());
            const filled = inputs.reduce((url, [name, input]) => url.replace(`{${name}}`, encodeURIComponent(input.value)), path);
            const asked = queries.filter(([, input]) => input.value !== "").map(([name, input]) => [name, input.value]);
            const headers = token.value.trim() ? { Authorization: `Bearer ${token.value.trim()}` } : {};
            const url = filled.slice(1) + (asked.length ? `?${new URLSearchParams(asked)}` : "");
            answer.hidden = false;
            answer.textContent = "…";
            try {
                const response = await fetch(url, { method, headers, body: example ? body.value : undefined });
                const received = await response.text();
                let shown = received;
                try {
                    shown = JSON.stringify(JSON.parse(received), null, 2);
                } catch {
                    // It is no JSON: as it came.
                }
                const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
                answer.textContent = `${response.status} ${response.statusText}\n${fields}\n\n${shown}`;
            } catch {
                answer.textContent = "No answer.";
            }
        };
        const form = create(
            "form", {},
            ...(article.dataset.token === "none" ? [] : [field("Token", token)]),
            ...inputs.map(([name, input]) => field(name, input)), ...queries.map(([name, input]) => field(name, input)),
            ...(example ? [field("Body", body)] : []), create("button", { type: "submit", textContent: `Send ${method}` }), answer,
        );
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            send();
        });
        return form;
    };

    for (const article of reference.querySelectorAll("article[data-path]")) {
        const details = create("details", {}, create("summary", { textContent: "Try it" }));
        details.addEventListener("toggle", () => {
            if (details.open && details.children.length === 1) details.append(build(article));
        });
        article.append(details);
    }

    show();
}
