extension RequestMessage {
    /// Refuses what could be read as more than one request or header field: control characters, names that are none;
    /// and a GET or HEAD with content, which means nothing (RFC 9110 §9.3.1) and URLSession does not send.
    ///
    /// - Throws: `ClientError` `.invalidRequest`.
    public func checkGrammar() throws(ClientError) {
        guard Self.isToken(method.rawValue),
            headers.allSatisfy({ Self.isToken($0.name) && Self.isFieldValue($0.value) })
        else { throw ClientError(.invalidRequest) }
        guard body == nil || !method.isSafe else { throw ClientError(.invalidRequest) }
    }

    /// RFC 9110 §5.6.2.
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
    }

    /// RFC 9110 §5.5, without the line folds nobody may send: blanks, tabs, visible characters, bytes beyond ASCII.
    private static func isFieldValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
