// What happened today and on the thirty days before.

import { ask } from "./admin-api.js";
import { h } from "./dom.js";
import { bars } from "./admin-chart.js";
import { heading, moment, number, table } from "./admin-views.js";

const figures = [
    ["registered", "Players registered"], ["begun", "Games begun"], ["won", "Games won"], ["lost", "Games lost"],
    ["hard", "Hard games begun"], ["archive", "Days gone by begun"],
    ["challenges", "Challenges made"],
    ["spent", "Energy spent"], ["bought", "Energy bought"], ["granted", "Energy granted"],
    ["refilled", "Energy that came back"], ["rewarded", "Rewards of the day"],
];

/** Shows all figures, drawn and as a table. */
export async function showFigures(place) {
    place.append(heading("Figures"), h("p", { class: "fine", id: "waiting" }, "Reading the records …"));
    const { readAt, days } = await ask("figures");
    const names = days.map((day) => day.day);
    const cards = figures.map(([key, title]) => {
        const values = days.map((day) => day[key]);
        const before = values.slice(0, -1).reduce((sum, value) => sum + value, 0);
        return h("div", { class: "figure" },
            h("h2", {}, title),
            h("p", {}, h("strong", { id: `today-${key}` }, number(values.at(-1))), " today"),
            bars(names, values),
            h("p", { class: "fine" }, `${number(before)} in the 30 days before`));
    });
    const list = table("The same as a table, the newest day first, in UTC",
        ["Day", ...figures.map(([, title]) => `#${title}`)],
        days.toReversed().map((day) => [day.day, ...figures.map(([key]) => number(day[key]))]));
    place.querySelector("#waiting").replaceWith(
        h("p", { class: "fine" }, "Days in UTC, as the records stood at ", moment(readAt), ". Today is not over."));
    place.append(
        h("div", { class: "figures" }, ...cards), h("div", { class: "scroll", role: "region", tabindex: 0, "aria-label": "The days as a table" }, list),
        h("p", { class: "fine" },
            "Begun: games that were paid for, the app’s too, games of the day and of days gone by. Won and lost: those the service judged; ",
            "the app’s own wins have no date. Granted: by operators. Bought: purchases, refunds not taken off."));
}
