// The views of the page of the API: the beginning, a group, an operation, a type, the problems.

import { api, at, code, groupName, jsonNodes, markdown, methodTag, pathCode, table, takesToken } from "./docs-code.js";
import { schemaView, typeNodes } from "./docs-schema.js";
import { tryIt } from "./docs-try.js";
import { h } from "./dom.js";

/** The heading of a view, to which the focus goes. */
const heading = (text) => h("h1", { tabindex: "-1" }, text);

/** What is told of an operation in a list. */
const row = ({ id, method, path, said }) =>
    h("li", {}, h("a", { href: at(id) }, methodTag(method), " ", pathCode(path)), h("span", {}, ` ${said.summary}`));

const operationsOf = (group) => api.operations.filter((operation) => operation.group === group);

/** The beginning. */
export function homeView() {
    const { info, tags, components } = api.document;
    return [
        heading("The API"),
        ...markdown(info.description),
        h("p", {}, "Its URLs begin with ", h("code", {}, api.address("/").replace(/\/$/u, "")), ". Programs can read ",
            h("a", { href: "openapi.json" }, "openapi.json"), " (OpenAPI 3.1), from which this page is made."),
        h("h2", {}, "What it offers"),
        h("ul", { class: "groups" }, ...tags.map((tag) => h("li", {},
            h("a", { href: at(groupName(tag.name)) }, tag.name), h("span", {}, ` ${firstSentence(tag.description)}`)))),
        h("h2", {}, "What can go wrong"),
        h("p", {}, h("a", { href: at("problems") }, "All problems"), " with their codes, and the ",
            h("a", { href: at("Problem") }, "type"), " that describes each. There are ",
            h("a", { href: at("types") }, `${Object.keys(components.schemas).length} types`), " in all."),
    ];
}

const firstSentence = (text) => text.split(/(?<=[.:])\s/u)[0].replaceAll("`", "").replace(/:$/u, ".");

/** A group, with what it is about. */
export function groupView(group) {
    const tag = api.document.tags.find(({ name }) => name === group);
    return [
        heading(group), h("ul", { class: "operations" }, ...operationsOf(group).map(row)), ...markdown(tag.description),
    ];
}

/** All types. */
export function typesView() {
    const { schemas } = api.document.components;
    return [
        heading("Types"),
        h("ul", { class: "groups" }, ...Object.entries(schemas).map(([name, schema]) =>
            h("li", {}, h("a", { href: at(name) }, name), h("span", {}, ` ${schema.description ?? ""}`)))),
    ];
}

/** What parts of the description say, as text. */
const texts = new WeakMap();

/** Whether a part of the description names a type. */
function names(value, type) {
    if (!texts.has(value)) texts.set(value, JSON.stringify(value));
    return texts.get(value).includes(`"#/components/schemas/${type}"`);
}

/** A type, and where it is used. */
export function typeView(name) {
    const schema = api.document.components.schemas[name];
    const uses = (value) => names(value, name);
    const users = api.operations.filter(({ said }) => uses(said));
    const types = Object.entries(api.document.components.schemas).filter(([other, value]) => other !== name && uses(value));
    return [
        heading(name), ...markdown(schema.description), schemaView(schema),
        ...(users.length ? [h("h2", {}, "Requests that use it"), h("ul", { class: "operations" }, ...users.map(row))] : []),
        ...(types.length ? [h("h2", {}, "Types that use it"),
            h("ul", { class: "inline" }, ...types.map(([other]) => h("li", {}, h("a", { href: at(other) }, other))))] : []),
    ];
}

/** Every problem that the description names: `{ code, status, title, detail }`. */
function allProblems() {
    const found = new Map();
    for (const { said } of api.operations) {
        for (const answer of Object.values(said.responses)) {
            for (const { value } of Object.values(api.resolve(answer).content?.["application/problem+json"]?.examples ?? {})) {
                if (!found.has(value.code)) found.set(value.code, value);
            }
        }
    }
    return [...found.values()].sort((one, other) => one.status - other.status);
}

/** The problems, by status. */
export function problemsView() {
    return [
        heading("Problems"),
        h("p", {}, "Errors of the URLs below ", h("code", {}, "/v2"), " and of the lottery. Each has the type ",
            h("a", { href: at("Problem") }, "Problem"), ". The errors of the published app's URLs are in ",
            h("a", { href: at(groupName("The published app")) }, "their group"), "."),
        table([["Code"], ["Status"], ["What it says"]], ...allProblems().map(({ code, status, title, detail }) =>
            Object.assign([[h("code", {}, code)], [String(status)], [`${title}. ${detail ?? ""}`]], { id: `problem-${code}` }))),
    ];
}

// An operation

/** An operation; `element.leave()` ends what it still asks. */
export function operationView(operation) {
    const { id, method, path, group, said } = operation;
    const place = api.operations.indexOf(operation);
    const neighbour = (other, label) =>
        other && h("a", { href: at(other.id) }, h("small", {}, label), methodTag(other.method), " ", pathCode(other.path));
    const { form, shell, choose } = tryIt(operation);
    const article = h("article", { id: `operation-${id}` },
        h("p", { class: "crumb" }, h("a", { href: at(groupName(group)) }, group), " ", h("span", {}, id)),
        heading(said.summary),
        h("p", { class: "address" }, methodTag(method), " ", pathCode(path)),
        h("p", { class: "soft" }, who(said)),
        ...markdown(said.description),
        h("div", { class: "columns" },
            h("div", { class: "told" }, ...parameters(said), ...requestBody(said), ...answers(said)),
            h("div", { class: "shown" },
                ...requestExamples(operation, shell, choose), ...swiftSample(said), ...answerExamples(said, id),
                h("section", { class: "try" }, h("h2", {}, "Try it"), form))),
        h("nav", { class: "neighbours", "aria-label": "Previous and next" },
            neighbour(api.operations[place - 1], "Previous") ?? "", neighbour(api.operations[place + 1], "Next") ?? ""));
    article.leave = form.leave;
    return article;
}

function who(said) {
    if (said.security.some((way) => way.appKey)) return "Needs an AuthToken if the service has keys.";
    if (!said.security.some((way) => way.token)) return "Needs no token.";
    return takesToken(said) ? "Needs a player's token." : "A player's token is optional.";
}

function parameters(said) {
    if (!said.parameters) return [];
    return [h("section", {}, h("h2", {}, "Parameters"), h("ul", { class: "members" }, ...said.parameters.map((parameter) =>
        h("li", {}, h("p", { class: "member" },
            h("code", { class: "name" }, parameter.name), " ",
            h("span", { class: "soft" }, parameter.in, parameter.required ? "" : ", optional", ": "),
            h("span", { class: "type" }, ...typeNodes(parameter.schema))),
        ...markdown(parameter.description)))))];
}

function requestBody(said) {
    const media = said.requestBody?.content["application/json"];
    if (!media) return [];
    return [h("section", {}, h("h2", {}, "Body"),
        h("p", {}, ...typeNodes(media.schema), !said.requestBody.required && h("span", { class: "soft" }, " optional")),
        schemaView(media.schema))];
}

/** Problems that every request can be answered with, in the same way for all. */
const common = ["request-invalid", "request-timeout", "content-too-large", "uri-too-long", "header-fields-too-large",
    "too-many-requests", "internal-error", "unavailable"];

function answers(said) {
    const all = Object.entries(said.responses);
    const isCommon = ([, answer]) => common.includes(answer.$ref?.split("/").pop());
    const rest = all.filter(isCommon);
    return [h("section", {}, h("h2", {}, "Answers"), ...all.filter((entry) => !isCommon(entry)).map(answerFold),
        ...(rest.length ? [h("details", { class: "answer-fold" },
            h("summary", {}, h("span", { class: "status is-refused" }, rest.map(([status]) => status).join(", ")), " Any request"),
            ...rest.map(answerFold))] : []))];
}

function answerFold([status, answer]) {
    const said = api.resolve(answer);
    const [type, media] = Object.entries(said.content ?? {})[0] ?? [];
    const codes = media?.schema.allOf?.[1]?.properties?.code?.enum;
    const schema = media?.["x-itemSchema"] ?? media?.schema;
    const words = firstWords(said.description);
    // The published app's contract has refusals in the type of its 200.
    const isRefused = Number(status) >= 400;
    const headers = Object.entries(said.headers ?? {}).map(([name, header]) =>
        h("li", {}, h("code", { class: "name" }, name), h("span", {}, ` ${api.resolve(header).description}`)));
    return h("details", { class: "answer-fold", open: Number(status) < 300 },
        h("summary", {}, h("span", { class: isRefused ? "status is-refused" : "status" }, status), " ",
            ...(codes ? codes.flatMap((code, index) => [index ? ", " : "", h("code", {}, code)]) : [firstWords(said.description)])),
        ...(codes
            ? [table([["Code"], ["What it says"]], ...codes.map((code) => {
                const { title, detail } = media.examples[code]?.value ?? {};
                return [[h("a", { href: at(`problem-${code}`) }, h("code", {}, code))], [`${title}. ${detail ?? ""}`]];
            })), h("p", {}, "The type is ", ...typeNodes(media.schema.allOf[0]), ".")]
            : words.endsWith("…") ? markdown(said.description) : []),
        ...(schema && !codes ? [h("p", {}, h("span", { class: "soft" }, `${type}: `), ...typeNodes(schema)), ...(isRefused ? [] : [schemaView(schema)])] : []),
        ...(headers.length ? [h("details", { class: "fold" }, h("summary", {}, "Header fields"), h("ul", {}, ...headers))] : []));
}

/** A long list of codes is told below. */
function firstWords(text) {
    const isLong = text.includes("`") && text.length > 60;
    return (isLong ? `${text.slice(0, text.lastIndexOf(",", 60))}…` : text).replaceAll("`", "");
}

// Examples

/** A choice among examples: shows the first one. */
function chooser(label, options, show) {
    if (options.length < 2) {
        show(options[0]?.value);
        return false;
    }
    const select = h("select", { "aria-label": label, change: () => show(options[select.selectedIndex].value) },
        ...options.map((option) => h("option", {}, option.label)));
    show(options[0].value);
    return select;
}

function requestExamples({ id, said }, shell, choose) {
    const examples = Object.entries(said.requestBody?.content["application/json"].examples ?? {});
    const options = examples.map(([name, { value }]) => ({ label: name === id ? "Example" : name, value }));
    return [h("section", {}, h("div", { class: "line" }, h("h2", {}, "Request"), chooser("Request", options, choose)), shell)];
}

function swiftSample(said) {
    return (said["x-codeSamples"] ?? []).map(({ label, lang, source }) =>
        h("section", {}, h("h2", {}, lang, " ", h("small", {}, label)), code(`${lang}, ${label}`, source)));
}

function answerExamples(said, id) {
    const options = Object.entries(said.responses).flatMap(([status, answer]) =>
        Object.values(api.resolve(answer).content ?? {}).flatMap((media) =>
            Object.entries(media.examples ?? {}).map(
                ([name, { value }]) => ({ label: name === id ? status : `${status} ${name}`, value }))));
    if (options.length === 0) return [];
    const place = h("div", {});
    const show = (value) => place.replaceChildren(code("Answer", ...(typeof value === "string" ? [value] : jsonNodes(value))));
    const select = chooser("Answer", options, show);
    const choice = select || h("span", { class: "soft" }, options[0].label);
    return [h("section", {}, h("div", { class: "line" }, h("h2", {}, "Answer"), choice), place)];
}
