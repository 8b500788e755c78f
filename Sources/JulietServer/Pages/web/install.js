// The page as an app: it starts without a network, and can be put beside the other apps.

/** What the browser offers: its event that installs the page; undefined where it offers none, or has installed it. */
export const install = { offer: undefined };

/** Lets the browser keep the page, when it has nothing better to do, and notes whether it would install it. */
export function prepareApp() {
    addEventListener("beforeinstallprompt", (event) => {
        event.preventDefault();
        install.offer = event;
    });
    addEventListener("appinstalled", () => { install.offer = undefined; });
    // Without HTTPS there is no service worker; and a browser may be set to keep nothing.
    const keep = () => navigator.serviceWorker?.register("worker.js").catch(() => {});
    const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
    if (document.readyState === "complete") whenIdle(keep);
    else addEventListener("load", () => whenIdle(keep));
}
