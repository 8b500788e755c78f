// Pieces of the page of the API: what descriptions say in Markdown, JSON in colours, and what to type in a shell.

import { h } from "./dom.js";

/** The description, and where its URLs begin. */
export const api = {
    /** The OpenAPI document. */
    document: {},
    /** Its operations, in the order of its groups: `{ id, method, path, group, said }`. */
    operations: [],

    /** What a reference names; anything else is itself. */
    resolve(value) {
        if (!value?.$ref) return value;
        return this.resolve(value.$ref.split("/").slice(1).reduce((part, name) => part[name], this.document));
    },

    /** The whole address of a path. */
    address(path) {
        return new URL("./", document.baseURI).href + path.slice(1);
    },
};

/** An address within this page. */
export const at = (name) => `#${encodeURIComponent(name)}`;

/** The name of a group in the address. */
export const groupName = (group) => `group-${group.toLowerCase().replaceAll(" ", "-")}`;

// Texts

/** A text with its code and the codes of problems, as nodes. */
function inline(text) {
    return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}

/** Paragraphs, lists and tables: as much of Markdown as descriptions use. */
export function markdown(text = "") {
    return text.split(/\n{2,}/u).filter(Boolean).map((block) => {
        const lines = block.split("\n");
        if (lines[0].startsWith("- ")) return h("ul", {}, ...lines.map((line) => h("li", {}, ...inline(line.slice(2)))));
        if (lines[0].startsWith("|")) return table(...lines.filter((line) => !/^\|[-|]+$/u.test(line)).map(cells));
        return h("p", {}, ...inline(lines.join(" ")));
    });
}

const cells = (line) => line.split("|").slice(1, -1).map((cell) => inline(cell.trim()));

/** A table; cells are arrays of nodes. A narrow screen shows its rows below each other. */
export function table(heads, ...rows) {
    return h("table", {},
        h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, ...head)))),
        h("tbody", {}, ...rows.map((row) => h("tr", { id: row.id }, ...row.map((cell) => h("td", {}, ...cell))))));
}

/** The method of an operation. */
export const methodTag = (method) => h("span", { class: `method is-${method.toLowerCase()}` }, method);

/** A path that may be cut at its slashes. */
export function pathCode(path) {
    const parts = path.split("/").slice(1).flatMap((part) => [h("wbr"), `/${part}`]);
    return h("code", { class: "path" }, ...parts.slice(1));
}

// Code

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;

/** The longest text that is set in colours. */
const longest = 60_000;

/** JSON in lines; a short list of words or numbers stays in one. */
function lines(value) {
    const text = JSON.stringify(value, null, 2);
    return text.replaceAll(/\[\n\s+([^[\]{}]{1,80}?)\n\s*\]/gu, (_, list) => `[${list.replaceAll(/\n\s*/gu, " ")}]`);
}

/** JSON in lines and colours. */
export function jsonNodes(value) {
    const text = lines(value);
    if (text.length > longest) return [text];
    const nodes = [];
    let end = 0;
    for (const match of text.matchAll(token)) {
        nodes.push(text.slice(end, match.index));
        if (match[1]) {
            nodes.push(h("span", { class: match[2] ? "is-name" : "is-text" }, match[1]), match[2] ?? "");
        } else {
            nodes.push(h("span", { class: "is-value" }, match[0]));
        }
        end = match.index + match[0].length;
    }
    return [...nodes, text.slice(end)].filter(Boolean);
}

/** Lines of code with a button that copies them. */
export function code(label, ...nodes) {
    const pre = h("pre", { tabindex: "0", role: "region", "aria-label": label }, h("code", {}, ...nodes));
    const copy = h("button", {
        type: "button", class: "copy", "aria-label": `Copy: ${label}`,
        click: async () => {
            try {
                await navigator.clipboard.writeText(pre.textContent);
                copy.textContent = "Copied";
            } catch {
                // Without HTTPS a page has no clipboard.
                getSelection().selectAllChildren(pre);
                copy.textContent = document.execCommand("copy") ? "Copied" : "Selected";
            }
            setTimeout(() => (copy.textContent = "Copy"), 2000);
        },
    }, "Copy");
    return h("div", { class: "code" }, pre, copy);
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * What to type in a shell. A token is not in it: `TOKEN` is.
 *
 * - asked: `{ path, fields: {name: value}, body }`, as the form beside it says.
 */
export function curl({ method, said }, { path, fields, body }) {
    const parts = ["curl -s"];
    if (said.responses["200"]?.content?.["text/event-stream"]) parts[0] += "N";
    if (method !== (body === undefined ? "GET" : "POST")) parts[0] += ` -X ${method}`;
    parts[0] += ` ${quoted(api.address(path))}`.replaceAll(/\{(\w+)\}/gu, (_, name) => `'"$${name.toUpperCase()}"'`);
    if (takesToken(said)) parts.push('-H "Authorization: Bearer $TOKEN"');
    for (const [name, value] of Object.entries(fields)) {
        parts.push(name === "AuthToken" ? '-H "AuthToken: $KEY"' : `-H ${quoted(`${name}: ${value}`)}`);
    }
    if (body !== undefined) parts.push(`-d ${quoted(body)}`);
    return parts.join(" \\\n    ");
}

/** Whether an operation wants a token, and does without none. */
export const takesToken = (said) => said.security.some((way) => way.token) && !said.security.some((way) => !Object.keys(way).length);
