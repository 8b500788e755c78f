import StrictEncoding

/// The target of `scripts/fuzz-app-store`, compiled together with the reader's sources: whatever the bytes, it does not trap,
/// what it read is what was written, and there is no second way to write it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSignedText(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    checkText(String(decoding: bytes, as: UTF8.self))
    checkPayloads(bytes)
    // Header, payload and signature, so that the fuzzer need not learn base64 to get anywhere.
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return 0 }
    checkText(parts.map { Base64URL.encode($0) }.joined(separator: "."))
    checkPayloads(Array(parts[1]))
    return 0
}

private func checkText(_ text: String) {
    guard let jws = CompactJWS(text) else { return }
    if let certificates = try? jws.certificates(), certificates.count != 3 {
        fatalError("\(certificates.count) certificates: \(text)")
    }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, Array(parts[1]) == Array(Base64URL.encode(jws.payload).utf8),
        Array(parts[2]) == Array(Base64URL.encode(jws.signature).utf8)
    else { fatalError("written in another way: \(text)") }
    guard jws.signedBytes == Array(parts[0]) + [UInt8(ascii: ".")] + Array(parts[1]) else {
        fatalError("signed otherwise: \(text)")
    }
    checkPayloads(jws.payload)
}

private func checkPayloads(_ json: [UInt8]) {
    if let purchase = try? PurchasePayload(json: json) {
        let transaction = purchase.transaction
        check(transaction.transactionId.text)
        check([purchase.signedDate, purchase.purchaseDate] + [transaction.revocationDate].compactMap(\.self))
        let read = AppStoreTransaction(purchase, .production)
        guard read.appAccountToken == read.appAccountToken?.lowercased() else { fatalError("capitals") }
    }
    if let notification = try? NotificationPayload(json: json) {
        check(notification.notificationUUID.text)
        check([notification.signedDate])
        _ = notification.subject?.environmentName
    }
}

private func check(_ name: String) {
    guard 1...64 ~= name.utf8.count, name.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { fatalError("name: \(name)") }
}

private func check(_ dates: [AppStoreDate]) {
    for date in dates where date.milliseconds < 0 || date.milliseconds > 1 << 53 { fatalError("date: \(date)") }
}
