// Charts: bars over time, stacked where there are several series, drawn as SVG with a scale. The value of each bar is told
// under the pointer, and to the keyboard by the arrows.

import { h } from "./dom.js";
import { number, t } from "./texts.js";

const space = "http://www.w3.org/2000/svg";
const [height, head, foot] = [150, 10, 20];
// How wide a digit of a scale is, and how much room a day under it needs.
const [digit, day] = [6.4, 58];
/** How many colours there are. */
const tones = 7;

function shape(name, attributes, ...children) {
    const element = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
}

/** The distance of a scale's lines, so that three to six of them reach a value: 1, 2 or 5 and zeros. */
export function step(top) {
    const power = 10 ** Math.floor(Math.log10(Math.max(1, top) / 3));
    const wanted = Math.max(1, top) / 5;
    return Math.max(1, [1, 2, 5, 10, 20, 50].map((factor) => factor * power).find((size) => size >= wanted));
}

/**
 * A chart. `title` names it, `about` says what is counted. `show(labels, series)` draws it, and again what has changed: a
 * label is `{short, long}`, with `open` for what is not over, and a series `{name, values}`, where undefined is not known.
 */
export function chart(title, about) {
    const legend = h("ul", { class: "legend" });
    const readout = h("p", { class: "readout fine", "aria-hidden": "true" });
    const svg = shape("svg", { class: "plot", "aria-hidden": "true" });
    const frame = h("div", { class: "frame", role: "slider", tabindex: 0, "aria-label": title, "aria-valuemin": 1 }, svg);
    const element = h("figure", { class: "chart" },
        h("figcaption", {}, h("h2", {}, title), about ? h("p", { class: "fine" }, about) : false), legend, frame, readout);
    let [labels, series, chosen, columns] = [[], [], undefined, undefined];

    const text = (index) => {
        const label = labels[index];
        if (series.every(({ values }) => values[index] === undefined)) return t("chart.uncounted", { label: label.long });
        const parts = series.map(({ name, values }) => [name, values[index] ?? 0]);
        const sum = parts.reduce((total, [, value]) => total + value, 0);
        const told = parts.length === 1 ? number(sum)
            : [...parts.filter(([, value]) => value).map(([name, value]) => `${name} ${number(value)}`), t("chart.all", { value: sum })].join(", ");
        const text = t("chart.value", { label: label.long, value: told });
        return label.open ? t("chart.open", { text }) : text;
    };

    function tell() {
        const index = Math.min(chosen ?? labels.length - 1, labels.length - 1);
        if (index < 0) return;
        readout.textContent = text(index);
        frame.setAttribute("aria-valuemax", labels.length);
        frame.setAttribute("aria-valuenow", index + 1);
        frame.setAttribute("aria-valuetext", text(index));
        const mark = svg.querySelector(".mark-bar");
        if (!mark || !columns) return;
        mark.setAttribute("visibility", chosen === undefined ? "hidden" : "visible");
        mark.setAttribute("x", columns.left + index * columns.step);
        mark.setAttribute("width", Math.max(1, columns.step));
    }

    function draw() {
        const width = frame.clientWidth;
        if (!width || !labels.length) return;
        const sums = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
        const size = step(Math.max(...sums));
        const top = Math.max(size, Math.ceil(Math.max(...sums) / size) * size);
        const left = Math.ceil(number(top).length * digit) + 8;
        columns = { left, step: (width - left) / labels.length };
        const y = (value) => head + height * (1 - value / top);
        svg.setAttribute("viewBox", `0 0 ${width} ${head + height + foot}`);
        svg.replaceChildren();
        for (let value = 0; value <= top; value += size) {
            svg.append(
                shape("line", { x1: left, x2: width, y1: y(value), y2: y(value), class: value === 0 ? "base" : "line" }),
                shape("text", { x: left - 6, y: y(value) + 3.5, "text-anchor": "end" }, number(value)));
        }
        svg.append(shape("rect", { class: "mark-bar", y: head, height, visibility: "hidden" }));
        const gap = columns.step > 6 ? 2 : columns.step > 3 ? 1 : 0;
        const bases = sums.map(() => 0);
        series.forEach(({ values, tone }) => {
            const paths = ["", ""];
            values.forEach((value, index) => {
                if (!value) return;
                const from = y(bases[index]);
                bases[index] += value;
                // Every value above zero is visible.
                const tall = Math.max(1, from - y(bases[index]));
                const wide = columns.step - gap;
                paths[labels[index].open ? 1 : 0]
                    += `M${(left + index * columns.step + gap / 2).toFixed(2)} ${from.toFixed(2)}v${-tall.toFixed(2)}h${wide.toFixed(2)}v${tall.toFixed(2)}z`;
            });
            paths.forEach((path, isOpen) => {
                if (path) svg.append(shape("path", { d: path, class: `bar tone-${tone}${isOpen ? " is-open" : ""}` }));
            });
        });
        const stride = Math.ceil(labels.length / Math.max(1, Math.floor((width - left) / day)));
        for (let index = labels.length - 1; index >= 0; index -= stride) {
            // In the middle under its bar, unless it would stand out at a side.
            const x = left + (index + 0.5) * columns.step;
            const half = labels[index].short.length * digit / 2;
            const anchor = x + half > width ? "end" : x - half < left ? "start" : "middle";
            svg.append(shape("text", {
                x: { end: width, start: left, middle: x }[anchor], y: head + height + 14, "text-anchor": anchor,
            }, labels[index].short));
        }
        tell();
    }

    const choose = (index) => {
        chosen = Math.max(0, Math.min(labels.length - 1, index));
        tell();
    };
    const point = (event) => {
        if (!columns) return;
        choose(Math.floor((event.clientX - frame.getBoundingClientRect().left - columns.left) / columns.step));
    };
    frame.addEventListener("pointermove", point);
    frame.addEventListener("pointerdown", point);
    frame.addEventListener("keydown", (event) => {
        const index = chosen ?? labels.length - 1;
        const moves = {
            ArrowLeft: index - 1, ArrowDown: index - 1, ArrowRight: index + 1, ArrowUp: index + 1, Home: 0,
            End: labels.length - 1, PageUp: index + 7, PageDown: index - 7,
        };
        if (moves[event.key] === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        choose(moves[event.key]);
    });
    new ResizeObserver(draw).observe(frame);

    element.show = (newLabels, newSeries) => {
        labels = newLabels;
        const many = newSeries.length > 1;
        series = newSeries.map((one, index) => ({ ...one, tone: (one.tone ?? index) % tones + 1 }));
        legend.hidden = !many;
        legend.replaceChildren(...many ? series.map(({ name, values, tone }) => h("li", {},
            h("span", { class: `swatch tone-${tone}` }), `${name} `,
            h("b", {}, number(values.reduce((sum, value) => sum + (value ?? 0), 0))))) : []);
        draw();
        tell();
        return element;
    };
    return element;
}
