/// The game's page without a network: the service worker, which a browser keeps with one release of the page.
enum PageWorker {
    /// The file `worker.js` beside the page.
    ///
    /// Its cache is named after its contents, and it knows the digest of each part. While services of two releases answer,
    /// it keeps nothing, so that it never has parts of both.
    ///
    /// - Parameters:
    ///   - page: The page as it is served here.
    ///   - parts: Its parts.
    ///   - folder: Where the parts are, relative to the page.
    static func file(for page: Page, parts: [Page], in folder: String) -> Page {
        let kept = [("", page)] + parts.map { ("\(folder)/\($0.name)", $0) }
        let list = kept.map { "\"\($0)\": \"\($1.digest)\"" }.joined(separator: ", ")
        let source = String(decoding: PackageResources.worker_js, as: UTF8.self)
        let release = Page.digest(of: Array((list + source).utf8)).prefix(12)
        return Page(
            "worker.js",
            Array(
                source.replacing("const release = \"\";", with: "const release = \"\(release)\";")
                    .replacing("const parts = {};", with: "const parts = { \(list) };").utf8))
    }
}
