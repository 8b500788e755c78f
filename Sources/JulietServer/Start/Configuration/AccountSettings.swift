package import OpenIDConnect
package import WebAuthn

/// The ways to sign in other than recovery codes.
package struct AccountSettings: Sendable {
    /// An identity provider.
    package struct Provider: Sendable {
        /// The provider's name in requests.
        package var name: String
        /// Which tokens are accepted.
        package var rules: IdentityProvider
        /// The path of a JWK Set.
        package var keysFile: String
    }

    /// Where the page is, such as `https://juliet.example`; nil, the default: not set.
    package var origin: String?
    /// The relying party of passkeys; nil, the default: there are no passkeys.
    package var relyingParty: RelyingParty?
    /// Apps of Apple's systems that may use the passkeys: `TEAMID.com.example.juliet`.
    package var appleApps: [String] = []
    /// Apps of Android that may.
    package var androidApps: [AndroidApp] = []
    /// The identity providers. Default: none.
    package var providers: [Provider] = []

    /// The defaults.
    package init() {}

    /// An app of Android.
    package struct AndroidApp: Sendable, Equatable {
        /// `com.example.juliet`
        package let package: String
        /// The SHA-256 of its certificate, as `keytool` prints it: `14:6D:E9:…`.
        package let fingerprint: String

        /// Reads `package=fingerprint`; nil if the text is something else.
        init?(_ text: String) {
            guard
                let parts = text.wholeMatch(
                    of: #/(?<package>[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+)=(?<digest>[0-9A-Fa-f:]+)/#)
            else { return nil }
            let digits = parts.digest.uppercased().filter { $0 != ":" }
            let pairs = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
            let fingerprint = pairs.joined(separator: ":")
            guard digits.count == 64, ["\(fingerprint)", String(digits)].contains(parts.digest.uppercased()) else {
                return nil
            }
            package = String(parts.package)
            self.fingerprint = fingerprint
        }
    }
}

extension AccountSettings {
    /// Reads the keys `accounts.…` and `identities.…`.
    ///
    /// - Parameter title: What authenticators show of the service.
    init(_ reader: inout SettingsReader, title: String) {
        let origin = reader.text(
            "accounts.origin", "", expecting: "an origin such as https://juliet.example",
            "The origin of the page, for passkeys, link previews, and against pages whose own name leads here; none: no passkeys",
            rule: Self.origin)
        let suffix = reader.text(
            "accounts.relyingParty", "", expecting: "a domain such as juliet.example",
            "The domain that passkeys are for, if pages on several of its hosts use them; none: the host of accounts.origin"
        ) { $0.wholeMatch(of: #/([a-z0-9\-]+(\.[a-z0-9\-]+)*)?/#) == nil ? nil : $0 }
        let others = reader.list(
            "accounts.otherOrigins",
            expecting: "origins such as https://other.example or android:apk-key-hash:…, separated by commas",
            "Other origins whose passkeys are accepted, and whose pages may send requests here: Android apps, other pages of the domain",
            rule: Self.otherOrigins)
        appleApps = reader.list(
            "accounts.appleApps", expecting: "apps such as TEAMID.com.example.juliet, separated by commas",
            "Apps that may use the passkeys: fills /.well-known/apple-app-site-association"
        ) { $0.allSatisfy { $0.wholeMatch(of: #/[A-Z0-9]{1,20}\.[A-Za-z0-9.\-]{1,155}/#) != nil } ? $0 : nil }
        let android = reader.list(
            "accounts.androidApps",
            expecting: "apps with the SHA-256 of their certificate, such as com.example.juliet=14:6D:E9:…",
            "Apps that may use the passkeys: fills /.well-known/assetlinks.json"
        ) { texts in texts.allSatisfy { AndroidApp($0) != nil } ? texts : nil }
        androidApps = android.compactMap { AndroidApp($0) }
        if let host = Self.host(of: origin) {
            self.origin = origin
            let id = suffix.isEmpty ? host : suffix
            if id != host, !host.hasSuffix("." + id) || !id.contains(".") {
                reader.refuse(
                    "accounts.relyingParty: \"\(id)\" must be \(host) (the host of accounts.origin) or a domain above it"
                )
            }
            relyingParty = RelyingParty(id: id, name: title, origins: Set([origin] + others))
        }
        providers = Self.providers(&reader)
    }

    private static func providers(_ reader: inout SettingsReader) -> [Provider] {
        let names = reader.list(
            "identities.providers",
            expecting: "names of lower-case letters, digits and hyphens, each once, separated by commas, such as apple",
            "Providers whose ID tokens sign players in, each with identities.NAME.…; none: no provider",
            rule: Self.names)
        return names.map { name in
            let key = "identities.\(name)"
            let issuers = reader.list(
                "\(key).issuers", expecting: "URLs such as https://appleid.apple.com, separated by commas",
                "The issuers in tokens of \(name) (iss)"
            ) { $0 }
            let audiences = reader.list(
                "\(key).audiences", expecting: "bundle ids or client ids, separated by commas",
                "The audiences that tokens of \(name) may have (aud)"
            ) { $0 }
            let file = reader.text(
                "\(key).keys", "", expecting: "the path of a JWK Set",
                "The file of \(name)'s keys, which is read again when it changes"
            ) { $0 }
            if reader.part == .all {
                for (missing, what) in [
                    ("issuers", issuers.isEmpty), ("audiences", audiences.isEmpty), ("keys", file.isEmpty),
                ]
                where what {
                    reader.refuse("\(key).\(missing): identities.providers names \(name), so set this key")
                }
            }
            return Provider(
                name: name, rules: IdentityProvider(issuers: Set(issuers), audiences: Set(audiences)), keysFile: file)
        }
    }

    /// Names that sessions use for other ways to sign in.
    private static let reservedNames = ["registration", "passkey"]

    private static func names(_ texts: [String]) -> [String]? {
        let areNames = texts.allSatisfy {
            $0.wholeMatch(of: #/[a-z][a-z0-9\-]{0,31}/#) != nil && !reservedNames.contains($0)
        }
        return areNames && Set(texts).count == texts.count ? texts : nil
    }

    /// An origin in which browsers offer passkeys: of HTTPS, or of this machine.
    private static func origin(_ text: String) -> String? {
        if text.isEmpty { return text }
        guard text != "*", let origin = WebSettings.origins([text])?.first, let host = host(of: origin),
            origin.hasPrefix("https://") || origin.hasPrefix("http://") && host == "localhost",
            host.contains(where: \.isLetter), !host.hasPrefix("[")
        else { return nil }
        return origin
    }

    private static func otherOrigins(_ texts: [String]) -> [String]? {
        let origins = texts.compactMap { text in
            text.wholeMatch(of: #/android:apk-key-hash:[A-Za-z0-9_\-]{43}/#) != nil ? text : origin(text)
        }
        return origins.count == texts.count && !origins.contains("") ? origins : nil
    }

    private static func host(of origin: String) -> String? {
        guard let range = origin.firstRange(of: "://") else { return nil }
        return String(origin[range.upperBound...].prefix { $0 != ":" })
    }
}
