import HTTPServer
import JulietAPI

/// The documents that name the apps that may use the origin's passkeys and, on Apple's systems, open links to challenges (RFC 8615):
/// `/.well-known/apple-app-site-association` and `/.well-known/assetlinks.json`. Systems ask for them at the root of the
/// host, without any base path.
struct WellKnown: Sendable {
    private let appleApps: [String]
    private let androidApps: [AccountSettings.AndroidApp]

    /// The documents for which apps are set.
    init(_ settings: AccountSettings) {
        appleApps = settings.appleApps
        androidApps = settings.androidApps
    }

    /// Adds the URLs to a router.
    ///
    /// - Parameter basePath: What links to challenges begin with, without a slash at its end.
    func add(to router: inout Router, basePath: String) {
        if !appleApps.isEmpty {
            Self.add(
                Self.apple(appleApps, links: basePath + "/c/*"), at: "apple-app-site-association", to: &router)
        }
        if !androidApps.isEmpty { Self.add(Self.android(androidApps), at: "assetlinks.json", to: &router) }
    }

    private static func add(_ json: [UInt8], at name: String, to router: inout Router) {
        let content = StaticContent(json, type: "application/json", headers: ["Cache-Control": "no-cache"])
        router.on(.get, "/.well-known/\(name)") { request in content.response(to: request) }
    }

    /// Apple, "Supporting associated domains".
    private static func apple(_ apps: [String], links: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.openObject()
        writer.name("applinks")
        writer.openObject()
        writer.name("details")
        writer.openArray()
        writer.next()
        writer.openObject()
        writer.member("appIDs", apps)
        writer.name("components")
        writer.openArray()
        writer.next()
        writer.openObject()
        writer.member("/", links)
        writer.closeObject()
        writer.closeArray()
        writer.closeObject()
        writer.closeArray()
        writer.closeObject()
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
