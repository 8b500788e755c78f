// Puts the page of the API together, from the description that this service serves: contents, search, and one view at a time.

import { api, at, groupName, methodTag, pathCode } from "./docs-code.js";
import { groupView, homeView, operationView, problemsView, typesView, typeView } from "./docs-views.js";
import { $, h } from "./dom.js";

const methods = ["get", "post", "put", "patch", "delete"];
const main = $("main");
const search = $("search");

/** What the contents list: `{ item, words }`, by group. */
let entries = [];
/** Ends what the shown view still asks. */
let leave = () => {};

function begin(description) {
    api.document = description;
    const all = Object.entries(description.paths).flatMap(([path, item]) =>
        methods.filter((method) => item[method]).map((method) => ({
            id: item[method].operationId, method: method.toUpperCase(), path, group: item[method].tags[0], said: item[method],
        })));
    api.operations = description.tags.flatMap(({ name }) => all.filter(({ group }) => group === name));
    fillContents();
    show();
    addEventListener("hashchange", () => {
        show();
        main.querySelector("h1")?.focus({ preventScroll: true });
    });
}

// Contents

function fillContents() {
    const { tags, components } = api.document;
    entries = tags.map(({ name }) => {
        const items = api.operations.filter(({ group }) => group === name).map((operation) => {
            const { id, method, path, said } = operation;
            return entry(id, [methodTag(method), " ", pathCode(path)], operationWords(operation), said.summary);
        });
        return group(name, [entry(groupName(name), ["About"], name), ...items]);
    });
    const types = Object.entries(components.schemas).map(
        ([name, { description = "" }]) => entry(name, [name], `${name} ${description}`));
    entries.push(group("Problems and types", [
        entry("problems", ["Problems"], "problems errors refusals"), entry("types", ["All types"], "types"), ...types,
    ]));
    $("groups").replaceChildren(...entries.map(({ details }) => details));
}

function group(name, items) {
    return { details: h("details", {}, h("summary", {}, name), h("ul", {}, ...items.map(({ item }) => item))), items };
}

const entry = (name, nodes, words, title) =>
    ({ item: h("li", {}, h("a", { href: at(name), title }, ...nodes)), words: words.toLowerCase() });

/** What an operation is found by. */
function operationWords({ id, method, path, group, said }) {
    const parameters = (said.parameters ?? []).map(({ name }) => name);
    const codes = Object.values(said.responses).flatMap((answer) =>
        answer.$ref ? [] : Object.keys(api.resolve(answer).content?.["application/problem+json"]?.examples ?? {}));
    const types = JSON.stringify(said).matchAll(/#\/components\/schemas\/(\w+)/gu);
    return [id, method, path, group, said.summary, said.description, ...parameters, ...codes, ...[...types].map(([, name]) => name)].join(" ");
}

function find() {
    const words = search.value.toLowerCase().split(/\s+/u).filter(Boolean);
    let count = 0;
    for (const { details, items } of entries) {
        const found = items.filter(({ item, words: own }) => {
            item.hidden = !words.every((word) => own.includes(word));
            return !item.hidden;
        });
        details.hidden = found.length === 0;
        details.open = words.length > 0 ? found.length > 0 : details.contains(current());
        count += found.length;
    }
    $("found").textContent = words.length > 0 ? `${count} found` : "";
}

const current = () => $("groups").querySelector("[aria-current]");

search.addEventListener("input", find);
search.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && search.value) {
        search.value = "";
        find();
    } else if (event.key === "Enter") {
        $("groups").querySelector("details:not([hidden]) li:not([hidden]) a")?.click();
    }
});

addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    setContents(true);
    search.focus();
});

/** Shows the contents or not, where they do not stand beside the text. */
function setContents(isOpen) {
    $("toggle").setAttribute("aria-expanded", String(isOpen));
    document.body.classList.toggle("has-contents", isOpen);
}

$("toggle").addEventListener("click", () => setContents(!document.body.classList.contains("has-contents")));
$("skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
});

// Views

/** What the address names, as nodes, and what the window is called then. */
function view(name) {
    const operation = api.operations.find(({ id }) => id === name);
    if (operation) return { title: operation.said.summary, nodes: [operationView(operation)] };
    const tag = api.document.tags.find((tag) => groupName(tag.name) === name);
    if (tag) return { title: tag.name, nodes: groupView(tag.name) };
    if (Object.hasOwn(api.document.components.schemas, name)) return { title: name, nodes: typeView(name) };
    if (name === "problems" || name.startsWith("problem-")) return { title: "Problems", nodes: problemsView() };
    if (name === "types") return { title: "Types", nodes: typesView() };
    return { title: "", nodes: homeView() };
}

function show() {
    let name = location.hash.slice(1);
    try {
        name = decodeURIComponent(name);
    } catch {
        // An address that is broken shows what one without a name shows.
        name = "";
    }
    leave();
    const { title, nodes } = view(name);
    leave = nodes[0].leave ?? (() => {});
    main.replaceChildren(...nodes);
    document.title = `${title ? `${title.replace(/\.$/u, "")} · ` : ""}${document.documentElement.dataset.name}: the API`;
    const listed = name.startsWith("problem-") ? "problems" : name;
    current()?.removeAttribute("aria-current");
    const link = $("groups").querySelector(`a[href="${CSS.escape(at(listed))}"]`);
    link?.setAttribute("aria-current", "page");
    if (link) link.closest("details").open = true;
    link?.scrollIntoView({ block: "nearest" });
    setContents(false);
    scrollTo(0, 0);
    const row = name.startsWith("problem-") ? document.getElementById(name) : undefined;
    row?.scrollIntoView({ block: "center" });
    row?.classList.add("is-meant");
}

async function read() {
    const response = await fetch("openapi.json");
    if (!response.ok) throw new Error(`status ${response.status}`);
    return response.json();
}

read().then(begin, (error) => {
    $("waiting").replaceChildren("Cannot load the description: ", error.message, ". ", h("a", { href: "" }, "Try again"));
});
