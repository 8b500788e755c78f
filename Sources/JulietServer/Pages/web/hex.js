// Bytes as hexadecimal digits, and names made of them. `worker.js`, which imports nothing, writes its own.

/** Bytes as lower-case digits, two a byte. */
export const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A name for something that is to happen once: 128 random bits. */
export const newKey = () => hexOf(crypto.getRandomValues(new Uint8Array(16)));
