// Shows the Markdown that the manual is written in: headings, paragraphs, lists, tables, blocks of code, and in lines code, strong
// and emphasized text, links, and places that links lead to. Everything goes in as text, and what is not known here is shown as it is written.

import { h } from "./dom.js";

/** The name of a heading in an address, as GitHub makes it. */
export const anchor = (title) => title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");

const item = /^(- +|\d+\. +)/;
const heading = /^(#{1,6}) (.*)$/;
const fence = /^```/;

/**
 * Makes elements of Markdown. `link(target, content)` makes what stands for a link, and a heading is one to itself: `#` and its
 * name. A heading of two hashes is an `h1`: what is shown is a section of the manual.
 */
export function rendered(text, link) {
    const lines = text.split("\n");
    const made = [];
    let next = 0;
    /** The lines from the next one on, as long as they are such. */
    const take = (isSuch) => {
        const from = next;
        while (next < lines.length && isSuch(lines[next])) next += 1;
        return lines.slice(from, next);
    };
    const begins = (line) => line === "" || fence.test(line) || heading.test(line) || item.test(line) || line.startsWith("|");
    while (next < lines.length) {
        const line = lines[next];
        if (line.trim() === "") {
            next += 1;
        } else if (fence.test(line)) {
            next += 1;
            made.push(h("pre", {}, h("code", {}, take((one) => !fence.test(one)).join("\n"))));
            next += 1;
        } else if (heading.test(line)) {
            const [, hashes, title] = heading.exec(line);
            next += 1;
            const name = anchor(title);
            made.push(h(`h${Math.max(1, hashes.length - 1)}`, { id: name, tabindex: -1 }, link(`#${name}`, inline(title, link))));
        } else if (line.startsWith("|")) {
            made.push(table(take((one) => one.startsWith("|")), link));
        } else if (item.test(line)) {
            made.push(list());
        } else {
            // The first line is the paragraph's whatever it begins with, so that each turn takes a line.
            next += 1;
            made.push(h("p", {}, ...inline([line, ...take((one) => !begins(one))].join("\n"), link)));
        }
    }
    return made;

    /** A list: an item goes on in lines that are indented as its text is. */
    function list() {
        const isOrdered = /^\d/.test(lines[next]);
        const first = Number.parseInt(lines[next], 10);
        const element = h(isOrdered ? "ol" : "ul", { start: isOrdered && first !== 1 && first });
        while (next < lines.length && item.test(lines[next]) && /^\d/.test(lines[next]) === isOrdered) {
            const width = item.exec(lines[next])[0].length;
            const begin = lines[next].slice(width);
            next += 1;
            const indent = " ".repeat(width);
            const rest = take((one) => one.trim() === "" || one.startsWith(indent)).map((one) => one.slice(width));
            const [head, ...others] = rendered([begin, ...rest].join("\n"), link);
            // A paragraph that begins an item needs no room around it.
            element.append(h("li", {}, ...head?.localName === "p" ? head.childNodes : [head], ...others));
        }
        return element;
    }
}

function table(lines, link) {
    const cells = (line) => line.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    const [names, , ...rows] = lines.map(cells);
    const said = names.map((name) => inline(name, link));
    return h("div", { class: "list" }, h("table", { role: "table" },
        h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...said.map((name) =>
            h(name.length > 0 ? "th" : "td", { scope: name.length > 0 && "col", role: name.length > 0 ? "columnheader" : "cell" }, ...name)))),
        h("tbody", { role: "rowgroup" }, ...rows.map((row) => h("tr", { role: "row" }, ...row.map((cell, index) =>
            h("td", { role: "cell", "data-label": said[index]?.map((part) => part.textContent ?? part).join("") ?? "" },
                h("span", {}, ...inline(cell, link)))))))));
}

/** What stands in a line, as texts and elements. */
function inline(text, link) {
    const made = [];
    let end = 0;
    for (const found of text.matchAll(/`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)|<a id="([\w-]+)"><\/a>/gs)) {
        const [all, code, strong, emphasized, words, target, name] = found;
        if (found.index > end) made.push(text.slice(end, found.index));
        end = found.index + all.length;
        if (code !== undefined) made.push(h("code", {}, code));
        else if (strong !== undefined) made.push(h("strong", {}, ...inline(strong, link)));
        else if (emphasized !== undefined) made.push(h("em", {}, ...inline(emphasized, link)));
        else if (name !== undefined) made.push(h("a", { id: name }));
        else made.push(link(target, inline(words, link)));
    }
    if (end < text.length) made.push(text.slice(end));
    return made;
}
