/// An array's text form, `{1,NULL,"a \"b\""}`, taken apart (`array_out`).
enum ArrayText {
    /// What stands between the commas.
    enum Part: Equatable {
        case null
        /// An element, without its quotes.
        case element(String)
        /// An array in the array, as it stands there.
        case array(String)
    }

    private static let (comma, quote, backslash) = (UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\\"))
    private static let (opening, closing) = (UInt8(ascii: "{"), UInt8(ascii: "}"))

    /// The parts of the outermost dimension; `nil`: that is no array.
    static func parts(of text: String) -> [Part]? {
        var rest = Array(text.utf8)[...]
        // The bounds, where they do not begin with 1: `[0:2]={…}`.
        if rest.first == UInt8(ascii: "[") {
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            rest = rest[(equals + 1)...]
        }
        guard rest.popFirst() == opening, rest.popLast() == closing else { return nil }
        var parts: [Part] = []
        while !rest.isEmpty {
            guard let part = next(&rest) else { return nil }
            parts.append(part)
            guard rest.isEmpty || rest.popFirst() == comma && !rest.isEmpty else { return nil }
        }
        return parts
    }

    private static func next(_ rest: inout ArraySlice<UInt8>) -> Part? {
        switch rest.first {
        case opening: return array(&rest).map { .array(String(decoding: $0, as: UTF8.self)) }
        case quote: return quoted(&rest).map { .element(String(decoding: $0, as: UTF8.self)) }
        default:
            let text = rest.prefix { $0 != comma }
            guard !text.isEmpty, !text.contains(where: { [quote, backslash, opening, closing].contains($0) }) else {
                return nil
            }
            rest = rest[text.endIndex...]
            return text.elementsEqual("NULL".utf8) ? .null : .element(String(decoding: text, as: UTF8.self))
        }
    }

    /// Passes over quotes and what is between them.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        rest.removeFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote { return text }
            guard let plain = byte == backslash ? rest.popFirst() : byte else { return nil }
            text.append(plain)
        }
        return nil
    }

    /// Passes over an array, up to the brace that ends it.
    private static func array(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let whole = rest
        var depth = 0
        while let byte = rest.first {
            switch byte {
            case quote:
                guard quoted(&rest) != nil else { return nil }
                continue
            case opening: depth += 1
            case closing: depth -= 1
            default: break
            }
            rest.removeFirst()
            if depth == 0 { return whole[..<rest.startIndex] }
        }
        return nil
    }
}
