// What a schema says: members one below the other, those of a type that is named behind a fold.

import { api, at, markdown } from "./docs-code.js";
import { h } from "./dom.js";

const nameOf = (schema) => schema.$ref?.split("/").pop();

/** What else holds for a value. */
function rules(schema) {
    const said = [];
    if (schema.format) said.push(schema.format);
    if (schema.minimum !== undefined) {
        said.push(schema.maximum === undefined ? `${schema.minimum} or more` : `${schema.minimum} to ${schema.maximum}`);
    }
    if (schema.minLength !== undefined) said.push(`${schema.minLength} to ${schema.maxLength} characters`);
    if (schema.minItems !== undefined) said.push(`${schema.minItems} of them`);
    // A long one says less than the description.
    if (schema.pattern?.length < 40) said.push(schema.pattern);
    return said;
}

/** The shapes that a value may have; one: itself. */
const shapes = (schema) => (schema.anyOf ?? schema.oneOf ?? [schema]).filter((shape) => shape.type !== "null");

const canBeNull = (schema) => [schema.type].flat().includes("null") || (schema.anyOf ?? []).some((shape) => shape.type === "null");

/** A type in a few words, those that are named with their links. */
export function typeNodes(schema) {
    const all = shapes(schema);
    const nodes = all.length > 1 ? all.flatMap((shape, index) => [...(index ? [" or "] : []), ...typeNodes(shape)]) : one(all[0]);
    return canBeNull(schema) ? [...nodes, " or null"] : nodes;
}

function one(schema) {
    const name = nameOf(schema);
    if (name) return [h("a", { href: at(name) }, name)];
    if (schema.enum) return schema.enum.flatMap((value, index) => [...(index ? [" or "] : []), h("code", {}, value)]);
    const type = [schema.type].flat().find((type) => type !== "null") ?? "anything";
    if (type === "array") return ["array of ", ...typeNodes(schema.items), ...rules(schema).map((rule) => `, ${rule}`)];
    return [[type, ...rules(schema)].join(", ")];
}

/** Whether there is more to see of a value than its type's name. */
function inner(schema) {
    return shapes(schema).flatMap((shape) => {
        const said = api.resolve(shape);
        if (said.items) return inner(said.items);
        return said.properties || said.oneOf || said.anyOf || said.allOf ? [shape] : [];
    });
}

/** What a schema says in full: an object's members, or each shape that a value may have. */
export function schemaView(schema) {
    const said = api.resolve(schema);
    if (said.allOf) return schemaView(said.allOf[0]);
    const all = shapes(said);
    if (all.length > 1) {
        return h("div", { class: "shapes" },
            h("p", { class: "soft" }, "One of:"), ...all.map((shape) => fold(typeNodesOfFold(shape), [shape])));
    }
    if (said.items) return h("div", {}, h("p", {}, ...typeNodes(said)), ...inner(said.items).map(schemaView));
    if (!said.properties) return h("p", {}, ...typeNodes(said));
    const required = said.required ?? [];
    const members = Object.entries(said.properties).map(([name, value]) => member(name, value, required.includes(name)));
    return h("ul", { class: "members" }, ...members);
}

function member(name, value, isRequired) {
    const more = inner(value);
    return h("li", {},
        h("p", { class: "member" },
            h("code", { class: "name" }, name), " ", h("span", { class: "type" }, ...typeNodes(value)),
            !isRequired && h("span", { class: "soft" }, " optional")),
        ...markdown(value.description),
        ...(more.length ? [fold(["Members of ", h("code", {}, name)], more)] : []));
}

/** A shape's name, which is no link where it opens a fold. */
const typeNodesOfFold = (shape) => [nameOf(shape) ?? "object"];

/** Schemas behind a fold: made when it is opened, for types may hold themselves. */
function fold(label, schemas) {
    const details = h("details", {
        class: "fold",
        toggle: () => {
            if (details.open && details.children.length === 1) details.append(...schemas.map(schemaView));
        },
    }, h("summary", {}, ...label));
    return details;
}
