import StrictEncoding

/// The target of `scripts/fuzz-credentials`, compiled together with the sources that take passkeys and ID tokens apart:
/// whatever the bytes, nothing traps, what was read is what was written, and there is no second way to write it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCredentials(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    // The first byte chooses, so that one corpus serves all.
    switch first % 5 {
    case 0: checkCBOR(rest)
    case 1: checkAuthenticatorData(rest)
    case 2: checkClientData(rest)
    case 3: checkToken(rest)
    default: checkJSON(rest)
    }
    return 0
}

private func checkCBOR(_ bytes: [UInt8]) {
    let loose = try? CBORReader.item(bytes, form: .wellFormed)
    if let item = try? CBORReader.item(bytes), written(item) != bytes || item != loose {
        fatalError("written in another way: \(bytes)")
    }
    if let loose, (try? CBORReader.item(written(loose), form: .wellFormed)) != loose {
        fatalError("another value: \(bytes)")
    }
    if let data = AttestationObject.authenticatorData(bytes) { check(data) }
}

private func checkAuthenticatorData(_ bytes: [UInt8]) {
    guard let data = AuthenticatorData(bytes) else {
        if bytes.count >= 37 { fatalError("too short: \(bytes)") }
        return
    }
    check(data)
    guard let credential = data.attestedCredential() else { return }
    let length = [UInt8(credential.id.count >> 8), UInt8(credential.id.count & 255)]
    let all = Array(bytes[..<37]) + credential.aaguid + length + credential.id + written(credential.key)
    guard all == Array(bytes.prefix(all.count)) else { fatalError("written in another way: \(bytes)") }
    guard data.flags.contains(.extensions) || all.count == bytes.count else { fatalError("trailing: \(bytes)") }
}

private func check(_ data: AuthenticatorData) {
    if let credential = data.attestedCredential() {
        guard 1...1023 ~= credential.id.count, credential.aaguid.count == 16,
            written(credential.key) == credential.keyBytes, !data.hasNoCredential()
        else { fatalError("credential: \(credential)") }
    }
    guard data.relyingPartyHash.count == 32 else { fatalError("hash") }
}

private func checkClientData(_ bytes: [UInt8]) {
    for type in ["webauthn.create", "webauthn.get"] as [ExactText] {
        guard let client = try? ClientData(Base64URL.encode(bytes), type: type) else { continue }
        guard client.bytes == bytes else { fatalError("other bytes: \(bytes)") }
        var seen: [UInt8]?
        let challenge = try? client.verify(origins: ["https://a.example"]) { challenge in
            seen = challenge
            return true
        }
        if let challenge, challenge != seen { fatalError("challenge: \(bytes)") }
    }
}

private func checkToken(_ bytes: [UInt8]) {
    checkText(String(decoding: bytes, as: UTF8.self))
    // Header, payload and signature, so that the fuzzer need not learn base64 to get anywhere.
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return }
    checkText(parts.map { Base64URL.encode($0) }.joined(separator: "."))
}

private func checkText(_ text: String) {
    guard let jws = CompactJWS(text) else { return }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, Array(parts[1]) == Array(Base64URL.encode(jws.payload).utf8),
        Array(parts[2]) == Array(Base64URL.encode(jws.signature).utf8),
        jws.signedBytes == Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1])
    else { fatalError("written in another way: \(text)") }
    guard let claims = try? Claims(jws.payload) else { return }
    guard 1...255 ~= claims.subject.string.unicodeScalars.count else { fatalError("subject: \(text)") }
    _ = claims.isValid(at: 1_800_000_000, skew: 60)
}

private func checkJSON(_ bytes: [UInt8]) {
    guard let json = JSON(bytes) else { return }
    // Read, written and read again it is the same.
    guard JSON(Array(text(of: json).utf8)) == json else { fatalError("another value: \(bytes)") }
    for element in json.members?["keys"]?.elements ?? [] {
        guard let members = element.members, let key = try? KeyMembers(members) else { continue }
        switch key.numbers {
        case .rsa(let modulus, let exponent):
            guard 256...1024 ~= modulus.count, modulus.first != 0, exponent.first ?? 0 != 0 else { fatalError("RSA") }
        case .p256(let x, let y):
            guard x.count == 32, y.count == 32 else { fatalError("P-256") }
        }
    }
}

private func text(of json: JSON) -> String {
    switch json {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let text): text.string
    case .string(let text): JSONText.string(text.string)
    case .array(let elements): JSONText.array(elements.map(text(of:)))
    case .object(let members):
        "{" + members.map { JSONText.string($0.string) + ":" + text(of: $1) }.joined(separator: ",") + "}"
    }
}
