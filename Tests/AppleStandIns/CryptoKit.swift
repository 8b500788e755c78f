// swift-format-ignore-file

// What the documentation's samples use of CryptoKit, so that they can be compiled where there is none. Nothing of it is ever run.

public struct SHA256Digest: Sequence {
    public func makeIterator() -> Array<UInt8>.Iterator { fatalError() }
}

public enum SHA256 {
    public static func hash(data: some Sequence<UInt8>) -> SHA256Digest { fatalError() }
}
