// Bars of one figure, a bar a day, drawn as SVG.

const space = "http://www.w3.org/2000/svg";
const [width, height, foot] = [310, 92, 14];
const numbers = new Intl.NumberFormat("en");

function shape(name, attributes, ...children) {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
}

/** Draws values, the last of a day that is not over. A table beside it says the same. */
export function bars(days, values) {
    const top = Math.max(1, ...values);
    const step = width / values.length;
    const svg = shape("svg", { viewBox: `0 0 ${width} ${height + foot}`, class: "bars", "aria-hidden": "true" });
    svg.append(shape("line", { x1: 0, x2: width, y1: height + 0.5, y2: height + 0.5, class: "base" }));
    values.forEach((value, index) => {
        // Whatever is not nothing is seen.
        const tall = value === 0 ? 0 : Math.max(2, (height - 14) * value / top);
        svg.append(shape("rect", {
            x: index * step + 1, y: height - tall, width: step - 2, height: tall,
            class: index === values.length - 1 ? "bar is-today" : "bar",
        }, shape("title", {}, `${days[index]}: ${value}`)));
    });
    svg.append(
        shape("text", { x: 0, y: 8 }, `${numbers.format(Math.max(...values))} at most`),
        shape("text", { x: 0, y: height + foot - 2 }, days[0]),
        shape("text", { x: width, y: height + foot - 2, "text-anchor": "end" }, "today"));
    return svg;
}
