// What this browser remembers. Where it is told to remember nothing, or has no more room, it is kept for as long as the page is open.

const prefix = "juliet.";
/** What the browser could not write; undefined: what it could not remove. It is newer than what the browser has. */
const memory = new Map();

/** The value under a name; undefined when there is none. */
export function read(name) {
    if (memory.has(name)) return memory.get(name);
    try {
        const text = localStorage.getItem(prefix + name);
        return text === null ? undefined : JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** Keeps a value, or forgets it when it is undefined. The other tabs are told. */
export function write(name, value) {
    try {
        if (value === undefined) localStorage.removeItem(prefix + name);
        else localStorage.setItem(prefix + name, JSON.stringify(value));
        memory.delete(name);
    } catch {
        memory.set(name, value);
    }
}

/** The names that begin so, in order; some may have no value. What tabs write at the same time is under a name of its own: none is lost. */
export function namesBeginning(start) {
    const names = [...memory.keys()];
    try {
        names.push(...Object.keys(localStorage).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)));
    } catch {
        // Without storage there are none that last.
    }
    return [...new Set(names)].filter((name) => name.startsWith(start)).sort();
}

/** Calls a function with the name of what another tab has written; null when it wrote all anew. */
export function onForeignWrite(action) {
    addEventListener("storage", (event) => {
        if (event.key === null) {
            memory.clear();
            action(null);
        } else if (event.key.startsWith(prefix)) {
            const name = event.key.slice(prefix.length);
            memory.delete(name);
            action(name);
        }
    });
}
