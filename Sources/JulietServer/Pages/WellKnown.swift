import HTTPServer
import JulietAPI

/// The documents that name the apps that may use the origin's passkeys (RFC 8615): `/.well-known/apple-app-site-association` and
/// `/.well-known/assetlinks.json`. Systems ask for them at the root of the host, without any base path.
struct WellKnown: Sendable {
    private let documents: [(path: String, content: StaticContent)]

    /// The documents for which apps are set.
    init(_ settings: AccountSettings) {
        var documents: [(String, [UInt8])] = []
        if !settings.appleApps.isEmpty {
            documents.append(("/.well-known/apple-app-site-association", Self.apple(settings.appleApps)))
        }
        if !settings.androidApps.isEmpty {
            documents.append(("/.well-known/assetlinks.json", Self.android(settings.androidApps)))
        }
        self.documents = documents.map { path, json in
            (path, StaticContent(json, type: "application/json", headers: ["Cache-Control": "no-cache"]))
        }
    }

    /// Adds the URLs to a router.
    func add(to router: inout Router) {
        for (path, content) in documents { router.on(.get, path) { request in content.response(to: request) } }
    }

    /// Apple, "Supporting associated domains".
    private static func apple(_ apps: [String]) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.openObject()
        writer.name("webcredentials")
        writer.openObject()
        writer.member("apps", apps)
        writer.closeObject()
        writer.closeObject()
        return writer.bytes
    }

    /// Digital Asset Links: an app has one statement, with all its certificates.
    private static func android(_ apps: [AccountSettings.AndroidApp]) -> [UInt8] {
        var writer = JSONWriter(capacity: 512)
        writer.openArray()
        var packages: [String] = []
        for app in apps where !packages.contains(app.package) { packages.append(app.package) }
        for package in packages {
            writer.next()
            writer.openObject()
            writer.member("relation", ["delegate_permission/common.get_login_creds"])
            writer.name("target")
            writer.openObject()
            writer.member("namespace", "android_app")
            writer.member("package_name", package)
            writer.member("sha256_cert_fingerprints", apps.filter { $0.package == package }.map(\.fingerprint))
            writer.closeObject()
            writer.closeObject()
        }
        writer.closeArray()
        return writer.bytes
    }
}
