extension V2 {
    /// The members of a body that are known, three at most, and what was read of them.
    struct BodyMembers {
        private(set) var first: BodyMember
        private(set) var second: BodyMember
        private(set) var third: BodyMember

        /// Reads a whole body: one object and nothing after it, or nothing at all.
        ///
        /// - Parameters:
        ///   - first: The name of a known member; nil: there is none.
        ///   - second: The name of another one.
        ///   - third: The name of one more.
        init(
            _ body: Span<UInt8>, _ first: String? = nil, _ second: String? = nil, _ third: String? = nil
        ) throws(RequestFault) {
            self.first = BodyMember(name: first)
            self.second = BodyMember(name: second)
            self.third = BodyMember(name: third)
            guard !body.isEmpty else { return }
            do {
                try read(body)
            } catch {
                throw RequestFault(path: "", detail: RequestFailure(error, type: nil).message)
            }
        }

        private mutating func read(_ body: Span<UInt8>) throws(JSONError) {
            var scanner = JSONScanner()
            var others = JSONNames()
            try scanner.openOutermostObject(in: body)
            while let name = try scanner.nextName(in: body) {
                if try first.read(name, in: body, with: &scanner) { continue }
                if try second.read(name, in: body, with: &scanner) { continue }
                if try third.read(name, in: body, with: &scanner) { continue }
                try others.insert(name, in: body)
                _ = try scanner.value(in: body)
            }
            try scanner.finish(in: body)
        }
    }

    /// A member of a body that is known, and what was read of it.
    struct BodyMember {
        private let name: String?
        private var token: JSONToken?

        fileprivate init(name: String?) {
            self.name = name
        }

        /// Reads the value if the name is this one's; answers false, nothing read, for another's.
        fileprivate mutating func read(
            _ name: JSONText, in body: Span<UInt8>, with scanner: inout JSONScanner
        ) throws(JSONError) -> Bool {
            guard let own = self.name, name.equals(own, in: body) else { return false }
            guard token == nil else { throw JSONError(.duplicateName, at: name.range.lowerBound) }
            token = try scanner.value(in: body)
            return true
        }

        /// The value; nil when it is missing or `null`.
        ///
        /// - Parameters:
        ///   - expectation: What it must be, for people.
        ///   - read: Answers nil for a value that is something else.
        func value<Value>(_ expectation: String, read: (JSONToken) -> Value?) throws(RequestFault) -> Value? {
            switch token {
            case nil, .null: return nil
            case let token?:
                guard let value = read(token) else { throw fault("must be \(expectation)") }
                return value
            }
        }

        /// The value of a string; nil when it is missing or `null`.
        func text(in body: Span<UInt8>) throws(RequestFault) -> String? {
            try value("a string") { try? $0.text(in: body) }
        }

        /// The value of a boolean; nil when it is missing or `null`.
        func boolean() throws(RequestFault) -> Bool? {
            try value("true or false") { token in
                if case .boolean(let value) = token { value } else { nil }
            }
        }

        /// Refuses what is missing.
        func required<Value>(_ value: Value?) throws(RequestFault) -> Value {
            guard let value else { throw fault("is missing") }
            return value
        }

        private func fault(_ complaint: String) -> RequestFault {
            let name = name ?? ""
            return RequestFault(path: "/" + name, detail: "\"\(name)\" \(complaint).")
        }
    }
}
