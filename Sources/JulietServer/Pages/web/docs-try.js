// "Try it": asks this service, with a token of one's own. The token stays in this tab and is sent nowhere else.

import { api, at, code, curl, jsonNodes, takesToken } from "./docs-code.js";
import { h } from "./dom.js";

const tokenName = "juliet.docs.token";

/** What answers told that can be asked about next: values of parameters, by operation and name. */
const told = new Map();

/** The longest answer that is shown whole. */
const longest = 200_000;

/** A field with its label. */
function field(label, input, note) {
    return h("label", { class: "field" }, h("span", {}, h("code", {}, label), note && h("small", {}, ` ${note}`)), input);
}

/**
 * The form of an operation, and what to type in a shell, which follows what the form says.
 *
 * Returns `{ form, shell, choose }`: `choose` puts a request's example into the form.
 */
export function tryIt(operation) {
    const { id, method, path, said } = operation;
    const isStream = Boolean(said.responses["200"]?.content?.["text/event-stream"]);
    const inputs = (said.parameters ?? []).map((parameter) => ({
        ...parameter,
        input: h("input", {
            name: parameter.name, autocomplete: "off", spellcheck: "false", required: parameter.in === "path",
            value: (parameter.in === "path" && told.get(`${id} ${parameter.name}`)) || undefined,
        }),
    }));
    if (said.security.some((way) => way.appKey)) {
        inputs.push({ name: "AuthToken", in: "header", input: h("input", { name: "AuthToken", autocomplete: "off" }) });
    }
    const canHaveToken = said.security.some((way) => way.token);
    const token = h("input", {
        name: "token", type: "password", autocomplete: "off", placeholder: "jt_…", value: sessionStorage.getItem(tokenName) ?? "",
        input: () => remember(token.value),
    });
    const body = said.requestBody && h("textarea", { name: "body", rows: "5", spellcheck: "false" });
    const shown = h("div", { class: "answer", "aria-live": "polite" });
    const shell = h("div", {});
    const send = h("button", { type: "submit", class: "is-main" }, `Send ${method}`);
    const stop = h("button", { type: "button", hidden: true, click: () => stopping?.abort() }, "Stop");
    let stopping;

    /** What the form says. */
    const asked = () => {
        const filled = (place) => inputs.filter(({ in: at, input }) => at === place && input.value.trim() !== "");
        const where = filled("path").reduce(
            (path, { name, input }) => path.replace(`{${name}}`, encodeURIComponent(input.value.trim())), path);
        const query = new URLSearchParams(filled("query").map(({ name, input }) => [name, input.value.trim()])).toString();
        return {
            path: query ? `${where}?${query}` : where,
            fields: Object.fromEntries(filled("header").map(({ name, input }) => [name, input.value.trim()])),
            body: body?.value,
        };
    };
    const tell = () => shell.replaceChildren(code("curl", curl(operation, asked())));

    const ask = async () => {
        if (method === "DELETE" && !confirm(`Really ${method} ${asked().path}? This cannot be undone.`)) return;
        const { path: where, fields, body: sent } = asked();
        if (canHaveToken && token.value.trim()) fields.Authorization = `Bearer ${token.value.trim()}`;
        send.disabled = true;
        stopping = new AbortController();
        const start = performance.now();
        try {
            const response = await fetch(api.address(where), {
                method, headers: fields, body: sent, credentials: "omit", cache: "no-store", signal: stopping.signal,
            });
            const time = Math.round(performance.now() - start);
            if (isStream && response.ok) await follow(response);
            else show(response, await response.text(), time);
        } catch (error) {
            if (error.name !== "AbortError") shown.replaceChildren(h("p", { class: "problem" }, "There was no answer."));
        } finally {
            send.disabled = false;
            stop.hidden = true;
        }
    };

    /** Shows an answer: its status, what it says, its fields, and where to go from there. */
    const show = (response, text, time) => {
        let value;
        try {
            value = JSON.parse(text);
        } catch {
            // It is no JSON: it is shown as it came.
        }
        const isLong = text.length > longest;
        const fields = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
        shown.replaceChildren(
            h("p", {},
                h("strong", { class: response.ok ? "status" : "status is-refused" }, String(response.status)),
                ` ${response.statusText} `, h("small", {}, `${time} ms`)),
            ...(text ? [code("The answer", ...(value === undefined || isLong ? [text.slice(0, longest)] : jsonNodes(value)))] : []),
            ...(isLong ? [h("p", { class: "soft" }, `The first ${longest} of ${text.length} characters.`)] : []),
            h("details", { class: "fold" }, h("summary", {}, "Header fields"), code("Header fields", fields)),
            ...next(response.status, value),
        );
        shown.append(...offers(value));
    };

    /** Shows events as they come. */
    const follow = async (response) => {
        stop.hidden = false;
        const lines = h("pre", { tabindex: "0", role: "region", "aria-label": "Events" });
        shown.replaceChildren(h("p", {}, h("strong", { class: "status" }, String(response.status)), " events"), lines);
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            lines.append(part.value);
            lines.scrollTop = lines.scrollHeight;
        }
    };

    /** What the description links the answer to, with the values that it says. */
    const next = (status, value) => {
        const links = Object.values(api.resolve(said.responses[status])?.links ?? {});
        for (const link of links) {
            for (const [name, expression] of Object.entries(link.parameters)) {
                const pointer = expression.replace("$response.body#/", "").split("/");
                told.set(`${link.operationId} ${name}`, pointer.reduce((part, member) => part?.[member], value));
            }
        }
        if (links.length === 0) return [];
        const items = links.map((link) => h("li", {}, h("a", { href: at(link.operationId) }, link.operationId)));
        return [h("p", {}, "Next requests:"), h("ul", {}, ...items)];
    };

    const offers = (value) => {
        const offered = value?.token;
        if (typeof offered !== "string" || !offered.startsWith("jt_")) return [];
        return [h("button", {
            type: "button", click: (event) => {
                remember(offered);
                token.value = offered;
                event.target.replaceWith(h("p", { role: "status" }, "This tab uses this token now."));
            },
        }, "Use this token")];
    };

    const newPlayer = h("button", {
        type: "button", class: "is-small",
        click: async () => {
            try {
                const response = await fetch(api.address("/v2/players"), { method: "POST", body: "{}", credentials: "omit" });
                const value = await response.json();
                if (!response.ok) throw new Error(value.title);
                remember(value.token);
                token.value = value.token;
                shown.replaceChildren(h("p", {}, `The token of ${value.player.name}, a new player.`));
            } catch (error) {
                shown.replaceChildren(h("p", { class: "problem" }, `No player was made: ${error.message}`));
            }
        },
    }, "Make a player");

    const form = h("form", {
        input: tell,
        submit: (event) => {
            event.preventDefault();
            ask();
        },
    },
    ...(canHaveToken ? [
        field("token", token, takesToken(said) ? "" : "optional"),
        h("p", { class: "soft" }, newPlayer, " The token stays in this tab, and is sent only to this service."),
    ] : []),
    ...inputs.map(({ name, in: place, input }) => field(name, input, place === "path" ? "" : "optional")),
    ...(body ? [field("body", body)] : []),
    h("p", { class: "buttons" }, send, stop),
    shown);

    /** Stops what still comes. */
    form.leave = () => stopping?.abort();
    const choose = (example) => {
        const isLong = JSON.stringify(example ?? "").length > 60;
        if (body) body.value = example === undefined ? "" : JSON.stringify(example, null, isLong ? 2 : 0);
        tell();
    };
    choose();
    return { form, shell, choose };
}

function remember(token) {
    if (token.trim()) sessionStorage.setItem(tokenName, token.trim());
    else sessionStorage.removeItem(tokenName);
}
