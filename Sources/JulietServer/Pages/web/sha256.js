// SHA-256 (FIPS 180-4), for browsers that compute none: on a page that came over plain HTTP from another machine.

const primes = [2];
for (let number = 3; primes.length < 64; number += 2) if (primes.every((prime) => number % prime > 0)) primes.push(number);

/** The first 32 bits of what a root has after the point (§4.2.2, §5.3.3). */
const fraction = (root) => Math.floor((root % 1) * 2 ** 32);
const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const turned = (word, count) => (word >>> count) | (word << (32 - count));

/** The digest of bytes: 32 bytes. */
export function sha256(bytes) {
    // A one, zeros, and the length in bits fill the last block (§5.1.1).
    const message = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
    new Uint8Array(message.buffer).set(bytes);
    message.setUint8(bytes.length, 0x80);
    message.setBigUint64(message.byteLength - 8, 8n * BigInt(bytes.length));
    const state = Int32Array.from(start);
    const words = new Int32Array(64);
    for (let offset = 0; offset < message.byteLength; offset += 64) {
        for (let index = 0; index < 64; index += 1) words[index] = index < 16 ? message.getInt32(offset + 4 * index) : expanded(words, index);
        addBlock(state, words);
    }
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((word, index) => digest.setInt32(4 * index, word));
    return new Uint8Array(digest.buffer);
}

/** A word of a block's schedule, from those before it (§6.2.2, step 1). */
function expanded(words, index) {
    const [early, late] = [words[index - 15], words[index - 2]];
    return words[index - 16] + (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3))
        + words[index - 7] + (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
}

/** Takes a block into the state (§6.2.2, steps 2 to 4). */
function addBlock(state, words) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let index = 0; index < 64; index += 1) {
        const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[index] + words[index]) | 0;
        const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + first) | 0;
        d = c;
        c = b;
        b = a;
        a = (first + second) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => { state[index] += word; });
}
