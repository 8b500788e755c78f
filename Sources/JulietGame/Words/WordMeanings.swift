/// What words mean, as lists say it: lines of a word, a tab and a text.
package struct WordMeanings: Sendable {
    /// A list.
    package typealias Source = (name: String, read: () throws -> [UInt8]?)

    /// The changes by lists, made or only found.
    package struct Summary: Sendable, Hashable, Encodable {
        /// As in the summaries of lists of words.
        package let kind = "meaning"
        /// Words that meant something else, or nothing.
        package let changed: Int
        /// Words whose meaning was the same.
        package let unchanged: Int
        /// Words that are in no list of the language.
        package let skipped: Int

        private enum CodingKeys: CodingKey { case kind, changed, unchanged, skipped }
    }

    /// How many Unicode scalars a text can have.
    static let lengths = 1...280

    /// The texts of words that a list can have.
    let texts: [String: String]
    /// How many words there are, also those that are too short or too long for a list.
    let count: Int

    /// Reads lists to their ends.
    ///
    /// - Parameters:
    ///   - sources: Lists as UTF-8. Blank lines and lines that begin with `#` are ignored.
    ///   - spelling: How their words are written.
    /// - Throws: `WordListImport.Refusal` with the lines that are wrong, or what reading threw.
    package init(reading sources: [Source], spelling: WordSpelling) throws {
        var texts: [String: String] = [:]
        var places: [String: String] = [:]
        var others = 0
        var refusal = WordListImport.Refusal()
        for source in sources {
            func take(number: Int, line: ArraySlice<UInt8>) {
                let place = "\(source.name):\(number)"
                do {
                    let (word, text) = try Self.parse(line, spelling)
                    if let word {
                        if let first = places.updateValue(place, forKey: word) {
                            throw Fault("\"\(word)\" has a meaning in \(first) already")
                        }
                        texts[word] = text
                    } else {
                        others += 1
                    }
                } catch {
                    refusal.add("\(place): \(error)")
                }
            }
            var lines = WordListLines(commentsFollow: false)
            while let bytes = try source.read() { lines.consume(bytes, word: take) }
            lines.finish(word: take)
        }
        guard refusal.count == 0 else { throw refusal }
        self.texts = texts
        count = texts.count + others
    }

    private struct Fault: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// The word and the text of a line; no word where it has too few or too many letters for any list.
    private static func parse(_ line: ArraySlice<UInt8>, _ spelling: WordSpelling) throws -> (
        word: String?, text: String
    ) {
        guard let line = String(validating: line, as: UTF8.self) else { throw WordSpelling.Fault.encoding }
        guard let tab = line.firstIndex(of: "\t") else { throw Fault("has no meaning after a word and a tab") }
        let spelled = line[..<tab].trimmed
        let text = line[tab...].trimmed
        guard !text.isEmpty else { throw Fault("has no meaning after a word and a tab") }
        guard lengths.contains(text.unicodeScalars.count) else {
            throw Fault(
                "the meaning has \(text.unicodeScalars.count) characters, at most \(lengths.upperBound) are possible")
        }
        let breaks: Set<Unicode.GeneralCategory> = [.control, .lineSeparator, .paragraphSeparator]
        if let sign = text.unicodeScalars.first(where: { breaks.contains($0.properties.generalCategory) }) {
            throw Fault("the meaning has a control character, U+\(String(sign.value, radix: 16, uppercase: true))")
        }
        do {
            return (try spelling.word(spelled), text)
        } catch .length {
            return (nil, text)
        } catch {
            throw Fault("\(spelled.quoted) \(error)")
        }
    }
}

extension Substring {
    /// Without white space around it.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
