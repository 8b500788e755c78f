import Crypto
import Foundation
import StrictEncoding

extension TestAuthority {
    /// What the leaf signs, as compact JWS.
    ///
    /// - Parameters:
    ///   - payload: What is signed, in JSON.
    ///   - header: The header, if it is to be another than ES256 with the three certificates.
    public func sign(_ payload: JSONValue, header: JSONValue? = nil) throws -> String {
        try sign(payload.json, header: header)
    }

    /// The same for a text, JSON or not.
    public func sign(_ payload: String, header: JSONValue? = nil) throws -> String {
        let signed = Base64URL.encode((header ?? self.header).json.utf8) + "." + Base64URL.encode(payload.utf8)
        let signature = try leafKey.signature(for: Data(signed.utf8))
        return signed + "." + Base64URL.encode(signature.rawRepresentation)
    }

    /// The header of what the leaf signs.
    public var header: JSONValue { header(certificates) }

    /// The same with other certificates.
    public func header(_ certificates: [[UInt8]], algorithm: String = "ES256") -> JSONValue {
        ["alg": .text(algorithm), "x5c": .array(certificates.map { .text(Data($0).base64EncodedString()) })]
    }

    /// A body of `POST /app-store/notifications`.
    public func body(of notification: TestNotification) throws -> String {
        JSONValue.object(["signedPayload": .text(try sign(notification.payload(signedBy: self)))]).json
    }
}
