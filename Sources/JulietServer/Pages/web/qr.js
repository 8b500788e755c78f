// QR codes (ISO/IEC 18004) of addresses: byte mode, error correction level L, versions 1 to 5, which take up to 106 bytes. The
// program's own, of `juliet dev --lan`, are made alike.

/** Code words of each version from 1 on: of data, of error correction (Table 9). */
const capacities = [[19, 7], [34, 10], [55, 15], [80, 20], [108, 26]];

/** The rows of the code of a text, `true` for dark, without the quiet zone; undefined if the text is too long. */
export function qrCode(text) {
    const bytes = new TextEncoder().encode(text);
    // The mode takes 4 bits and the count 8.
    const version = capacities.findIndex(([data]) => bytes.length + 2 <= data);
    if (version < 0) return undefined;
    const [dataCount, correctionCount] = capacities[version];
    const size = 21 + 4 * version;

    const nibbles = [4, bytes.length >> 4, bytes.length & 15, ...Array.from(bytes).flatMap((byte) => [byte >> 4, byte & 15]), 0];
    const words = [];
    for (let index = 0; index < nibbles.length; index += 2) words.push((nibbles[index] << 4) | nibbles[index + 1]);
    for (let index = 0; words.length < dataCount; index += 1) words.push(index % 2 === 0 ? 0xec : 0x11);
    words.push(...remainder(words, correctionCount));

    const codes = masks.map((_, mask) => {
        const code = new Code(size);
        code.drawFunctionModules(mask);
        code.drawWords(words, masks[mask]);
        return code;
    });
    return codes.reduce((best, code) => (code.penalty() < best.penalty() ? code : best)).rows;
}

/** Which modules a mask inverts (Table 10). */
const masks = [
    (row, column) => (row + column) % 2 === 0,
    (row) => row % 2 === 0,
    (row, column) => column % 3 === 0,
    (row, column) => (row + column) % 3 === 0,
    (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
    (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
    (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
    (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

class Code {
    rows;
    /** Modules that hold no data: finders, timing, alignment, format. */
    #isFunction;

    constructor(size) {
        this.size = size;
        this.rows = Array.from({ length: size }, () => new Array(size).fill(false));
        this.#isFunction = Array.from({ length: size }, () => new Array(size).fill(false));
    }

    #set(row, column, isDark) {
        this.rows[row][column] = isDark;
        this.#isFunction[row][column] = true;
    }

    drawFunctionModules(mask) {
        const { size } = this;
        for (let index = 0; index < size; index += 1) {
            this.#set(6, index, index % 2 === 0);
            this.#set(index, 6, index % 2 === 0);
        }
        for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) this.#drawSquares(row, column, 4);
        if (size > 21) this.#drawSquares(size - 7, size - 7, 2);
        this.#drawFormat(mask);
    }

    /** A finder with its separator (radius 4), or an alignment pattern (radius 2). */
    #drawSquares(row, column, radius) {
        for (let y = -radius; y <= radius; y += 1) {
            for (let x = -radius; x <= radius; x += 1) {
                if (this.rows[row + y]?.[column + x] === undefined) continue;
                const ring = Math.max(Math.abs(x), Math.abs(y));
                this.#set(row + y, column + x, radius === 4 ? ring !== 2 && ring !== 4 : ring !== 1);
            }
        }
    }

    /** The level and the mask, twice, and the module that is always dark (§7.9). */
    #drawFormat(mask) {
        const { size } = this;
        const data = 8 | mask;
        let rest = data;
        for (let index = 0; index < 10; index += 1) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
        const bits = ((data << 10) | rest) ^ 0x5412;
        for (let index = 0; index < 15; index += 1) {
            const isDark = ((bits >> index) & 1) === 1;
            this.#set(index < 6 ? index : index < 8 ? index + 1 : size - 15 + index, 8, isDark);
            this.#set(8, index < 8 ? size - 1 - index : index === 8 ? 7 : 14 - index, isDark);
        }
        this.#set(size - 8, 8, true);
    }

    /** Two columns at a time, from the right, up and down (§7.7.3), through a mask. */
    drawWords(words, inverts) {
        const { size } = this;
        let next = 0;
        for (let pair = size - 1; pair > 0; pair -= 2) {
            const right = pair <= 6 ? pair - 1 : pair;
            for (let step = 0; step < size; step += 1) {
                const row = ((right + 1) & 2) === 0 ? size - 1 - step : step;
                for (const column of [right, right - 1]) {
                    if (this.#isFunction[row][column]) continue;
                    const bit = ((words[next >> 3] ?? 0) >> (7 - (next & 7))) & 1;
                    this.rows[row][column] = (bit === 1) !== inverts(row, column);
                    next += 1;
                }
            }
        }
    }

    /** How badly a mask suits the code: the fewer, the better (§7.8.3). */
    penalty() {
        const { rows, size } = this;
        const columns = rows.map((_, index) => rows.map((row) => row[index]));
        let points = 0;
        for (const line of [...rows, ...columns]) {
            const text = line.map((isDark) => (isDark ? "1" : "0")).join("");
            for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) points += run.length - 2;
            for (let start = 0; start <= size - 11; start += 1) {
                if (["10111010000", "00001011101"].includes(text.slice(start, start + 11))) points += 40;
            }
        }
        for (let row = 1; row < size; row += 1) {
            for (let column = 1; column < size; column += 1) {
                const corner = rows[row][column];
                if ([rows[row - 1][column], rows[row][column - 1], rows[row - 1][column - 1]].every((one) => one === corner)) points += 3;
            }
        }
        const percent = Math.floor((100 * rows.flat().filter(Boolean).length) / (size * size));
        return points + Math.floor(Math.abs(percent - 50) / 5) * 10;
    }
}

/** The words of error correction: Reed-Solomon over the field of 256 elements, by x^8 + x^4 + x^3 + x^2 + 1. */
function remainder(data, count) {
    // The product of (x - 2^i), highest power first, without the leading 1.
    const divisor = new Array(count).fill(0);
    divisor[count - 1] = 1;
    let root = 1;
    for (let power = 0; power < count; power += 1) {
        for (let index = 0; index < count; index += 1) {
            divisor[index] = multiply(divisor[index], root) ^ (divisor[index + 1] ?? 0);
        }
        root = multiply(root, 2);
    }
    const rest = new Array(count).fill(0);
    for (const byte of data) {
        const factor = byte ^ rest.shift();
        rest.push(0);
        for (let index = 0; index < count; index += 1) rest[index] ^= multiply(divisor[index], factor);
    }
    return rest;
}

function multiply(a, b) {
    let product = 0;
    for (let bit = 7; bit >= 0; bit -= 1) {
        product = (product << 1) ^ ((product >> 7) * 0x11d);
        if (((b >> bit) & 1) === 1) product ^= a;
    }
    return product & 255;
}
