// What this browser remembers. Where it is told to remember nothing, it is kept for as long as the page is open.

const prefix = "juliet.";
const memory = new Map();

/** The value under a name; undefined when there is none. */
export function read(name) {
    try {
        const text = localStorage.getItem(prefix + name);
        return text === null ? undefined : JSON.parse(text);
    } catch {
        return memory.get(name);
    }
}

/** Keeps a value, or forgets it when it is undefined. The other tabs are told. */
export function write(name, value) {
    try {
        if (value === undefined) localStorage.removeItem(prefix + name);
        else localStorage.setItem(prefix + name, JSON.stringify(value));
    } catch {
        if (value === undefined) memory.delete(name);
        else memory.set(name, value);
    }
}

/** The names that begin so, in order. What tabs write at the same time is under a name of its own: none is lost. */
export function namesBeginning(start) {
    let names;
    try {
        names = Object.keys(localStorage).filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    } catch {
        names = [...memory.keys()];
    }
    return names.filter((name) => name.startsWith(start)).sort();
}

/** Calls a function with the name of what another tab has written; null when it wrote all anew. */
export function onForeignWrite(action) {
    addEventListener("storage", (event) => {
        if (event.key === null) action(null);
        else if (event.key.startsWith(prefix)) action(event.key.slice(prefix.length));
    });
}
