extension V2 {
    /// The members of a body that are known, by their names, and what was read of them.
    struct BodyMembers {
        private var members: [BodyMember]

        /// Reads a whole body, or an object within one: one object and nothing after it, or nothing at all.
        ///
        /// - Parameters:
        ///   - names: The known members.
        ///   - parent: A JSON Pointer to the object; empty for the body.
        init(_ body: Span<UInt8>, _ names: [String], below parent: String = "") throws(RequestFault) {
            members = names.map { BodyMember(name: $0, parent: parent) }
            guard !body.isEmpty else { return }
            do {
                try read(body)
            } catch {
                throw RequestFault(path: parent, detail: RequestFailure(error, type: nil).message)
            }
        }

        /// A member, by the place of its name.
        subscript(index: Int) -> BodyMember { members[index] }

        /// A member; one that is missing when its name is not among the known ones.
        subscript(name: String) -> BodyMember {
            members.first { $0.name == name } ?? BodyMember(name: name, parent: "")
        }

        private mutating func read(_ body: Span<UInt8>) throws(JSONError) {
            var scanner = JSONScanner()
            var others = JSONNames()
            try scanner.openOutermostObject(in: body)
            while let name = try scanner.nextName(in: body) {
                var isKnown = false
                for index in members.indices where !isKnown {
                    isKnown = try members[index].read(name, in: body, with: &scanner)
                }
                if isKnown { continue }
                try others.insert(name, in: body)
                _ = try scanner.value(in: body)
            }
            try scanner.finish(in: body)
        }
    }

    /// A member of a body that is known, and what was read of it.
    package struct BodyMember {
        fileprivate let name: String
        fileprivate let parent: String
        private var token: JSONToken?
        /// Where the value lies.
        private var range = 0..<0

        fileprivate init(name: String, parent: String) {
            self.name = name
            self.parent = parent
        }

        /// Reads the value if the name is this one's; otherwise reads nothing and returns false.
        fileprivate mutating func read(
            _ name: JSONText, in body: Span<UInt8>, with scanner: inout JSONScanner
        ) throws(JSONError) -> Bool {
            guard name.equals(self.name, in: body) else { return false }
            guard token == nil else { throw JSONError(.duplicateName, at: name.range.lowerBound) }
            _ = scanner.peek(in: body)
            let start = scanner.position
            token = try scanner.value(in: body)
            range = start..<scanner.position
            return true
        }

        /// The value; nil when it is missing or `null`.
        ///
        /// - Parameters:
        ///   - expectation: What it must be, for people.
        ///   - read: Returns nil for a value of another kind.
        func value<Value>(
            _ expectation: @autoclosure () -> String, read: (JSONToken) -> Value?
        ) throws(RequestFault) -> Value? {
            switch token {
            case nil, .null: return nil
            case let token?:
                guard let value = read(token) else { throw fault("must be \(expectation())") }
                return value
            }
        }

        /// The value of a string; nil when it is missing or `null`.
        func text(in body: Span<UInt8>) throws(RequestFault) -> String? {
            try value("a string") { try? $0.text(in: body) }
        }

        /// The value of a string that must not be missing.
        func requiredText(in body: Span<UInt8>) throws(RequestFault) -> String { try required(text(in: body)) }

        /// The value of a boolean; nil when it is missing or `null`.
        func boolean() throws(RequestFault) -> Bool? {
            try value("true or false") { token in
                if case .boolean(let value) = token { value } else { nil }
            }
        }

        /// The object as it was sent; nil when it is missing or `null`.
        func object(in body: Span<UInt8>) throws(RequestFault) -> [UInt8]? {
            try value("an object") { token in
                guard case .nested = token, body[range.lowerBound] == UInt8(ascii: "{") else { return nil }
                return range.map { body[$0] }
            }
        }

        /// A JSON Pointer to it.
        var pointer: String { "\(parent)/\(name)" }

        /// Refuses what is missing.
        func required<Value>(_ value: Value?) throws(RequestFault) -> Value {
            guard let value else { throw .missing(name, below: parent) }
            return value
        }

        private func fault(_ complaint: String) -> RequestFault {
            RequestFault(path: pointer, detail: "\"\(name)\" \(complaint).")
        }
    }
}
