// A result as a picture: what was found when, and not a letter of it.

import { dayNumber } from "./clock.js";
import { $, h } from "./dom.js";
import { scoreOf } from "./share.js";
import { serviceName, t } from "./texts.js";

const size = 1080;

/** Draws the result of a game, and in words what it is the last of. Returns a PNG. */
export async function drawResult(game, row) {
    const canvas = h("canvas", { width: size, height: size });
    const draw = canvas.getContext("2d");
    const colours = coloursOfPage();
    const { fontFamily: sans } = getComputedStyle(document.body);
    draw.fillStyle = colours.desk;
    draw.fillRect(0, 0, size, size);
    draw.fillStyle = colours.paper;
    draw.beginPath();
    draw.roundRect(50, 50, size - 100, size - 100, 48);
    draw.fill();

    const write = (text, x, y, font, colour, align = "left") => {
        Object.assign(draw, { font, fillStyle: colour, textAlign: align, textBaseline: "alphabetic" });
        draw.fillText(text, x, y, size - 220);
    };
    drawSeal(draw, colours, 110, 112, 96);
    drawName(draw, colours, 226, 186, 56);
    write(scoreOf(game), size - 110, 186, `700 76px ${sans}`, colours.ink, "right");
    const about = [
        game.day ? t("picture.daily", { number: dayNumber(game.day) }) : t(game.challenge ? "head.challenge" : "picture.own"),
        row,
    ].filter(Boolean);
    write(about.join(" · "), 110, 262, `36px ${sans}`, colours.soft);
    drawMarks(draw, colours, game);
    const { host, pathname } = new URL(".", document.baseURI);
    write(`${host}${pathname.replace(/\/$/, "")}`, size / 2, size - 92, `600 34px ${sans}`, colours.link, "center");
    return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

/** The colours that the page has now, as a canvas takes them. */
function coloursOfPage() {
    const probe = h("span");
    document.body.append(probe);
    const names = ["desk", "paper", "ink", "soft", "edge", "wax", "on-wax", "link", "correct", "present", "absent"];
    const colours = Object.fromEntries(names.map((name) => {
        probe.style.color = `var(--${name})`;
        return [name, getComputedStyle(probe).color];
    }));
    probe.remove();
    return colours;
}

/** The seal of the page's head. */
function drawSeal(draw, colours, x, y, width) {
    const [wax, letter, petal] = ["path", ".letter", ".petal"].map((part) => $("wax").querySelector(part));
    draw.save();
    draw.translate(x, y);
    draw.scale(width / 48, width / 48);
    draw.fillStyle = colours.wax;
    draw.fill(new Path2D(wax.getAttribute("d")));
    Object.assign(draw, { strokeStyle: colours["on-wax"], lineWidth: 3.1, lineCap: "round" });
    draw.stroke(new Path2D(letter.getAttribute("d")));
    draw.fillStyle = colours.present;
    draw.fill(new Path2D(petal.getAttribute("d")));
    draw.restore();
}

/** The name of the page's head: from where, on which line, and how high its capital. */
function drawName(draw, colours, x, y, height) {
    const drawn = document.querySelector(".wordmark .name path");
    draw.save();
    draw.translate(x, y);
    draw.fillStyle = colours.ink;
    if (drawn) {
        draw.scale(height / 100, height / 100);
        draw.translate(0, -107);
        draw.fill(new Path2D(drawn.getAttribute("d")));
    } else {
        Object.assign(draw, { font: `600 ${height * 1.3}px ${getComputedStyle(document.querySelector(".wordmark")).fontFamily}`, textAlign: "left", textBaseline: "alphabetic" });
        draw.fillText(serviceName, 0, 0, size - x - 310);
    }
    draw.restore();
}

/** The guesses in the shapes of the board: round, a leaf, a square. */
function drawMarks(draw, colours, game) {
    const gap = 16;
    const [columns, rows] = [game.length, game.guesses.length];
    const tile = Math.min((size - 260 - gap * (columns - 1)) / columns, (600 - gap * (rows - 1)) / rows, 132);
    const left = (size - columns * tile - (columns - 1) * gap) / 2;
    // In the middle between what stands above and below.
    const top = 616 - (rows * tile + (rows - 1) * gap) / 2;
    const radii = { correct: tile / 2, present: [tile / 2, 9, tile / 2, 9], absent: 9 };
    game.guesses.forEach(({ marks }, row) => marks.forEach((mark, column) => {
        draw.beginPath();
        draw.roundRect(left + column * (tile + gap), top + row * (tile + gap), tile, tile, radii[mark]);
        draw.fillStyle = colours[mark];
        draw.fill();
        Object.assign(draw, { strokeStyle: colours.edge, lineWidth: mark === "absent" ? 3 : 0.01 });
        draw.stroke();
    }));
}
