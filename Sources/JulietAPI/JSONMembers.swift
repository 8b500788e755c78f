/// The members of a type's objects, each declared once: its name, the property it is tied to, and what it is for. The property
/// determines the member's schema, whether it can be missing, and how it is written and read.
package struct JSONMembers<Owner>: Sendable {
    /// A member.
    package struct Member: Sendable {
        fileprivate let property: Schema.Property
        fileprivate let write: @Sendable (Owner, inout JSONWriter) -> Void
        /// Sets the property to what was sent; nil: nobody sends such objects.
        fileprivate var read: (@Sendable (inout Owner, V2.BodyMember, Span<UInt8>) throws(V2.RequestFault) -> Void)?
        /// The property, if it can be set.
        fileprivate var path: (any PartialKeyPath<Owner> & Sendable)?

        /// A required member of an answer.
        package static func member<Value: JSONWritable>(
            _ name: String, _ value: @escaping @Sendable (Owner) -> Value, _ about: String, _ rules: Schema.Rule...
        ) -> Member {
            Member(property: Schema.Property(name, Value.schema.with(rules), about)) { $1.member(name, value($0)) }
        }

        /// An optional member of an answer, which is left out when there is no value.
        package static func optional<Value: JSONWritable>(
            _ name: String, _ value: @escaping @Sendable (Owner) -> Value?, _ about: String, _ rules: Schema.Rule...
        ) -> Member {
            Member(property: Schema.Property(name, Value.schema.with(rules), about, isRequired: false)) {
                $1.member(name, value($0))
            }
        }

        /// A member that a request must have.
        package static func required<Value: JSONReadable>(
            _ name: String, _ value: any WritableKeyPath<Owner, Value> & Sendable, _ about: String,
            _ rules: Schema.Rule...
        ) -> Member {
            Member(
                property: Schema.Property(name, Value.schema.with(rules), about),
                write: { $1.member(name, $0[keyPath: value]) },
                read: { owner, member, body throws(V2.RequestFault) in
                    owner[keyPath: value] = try member.required(Value.read(member, in: body, rules))
                }, path: value)
        }

        /// A member that a request may have. `null` is the same as none.
        package static func accepted<Value: JSONReadable>(
            _ name: String, _ value: any WritableKeyPath<Owner, Value?> & Sendable, _ about: String,
            _ rules: Schema.Rule...
        ) -> Member {
            Member(
                property: Schema.Property(name, Value.schema.with(rules).orNull, about, isRequired: false),
                write: { $1.member(name, $0[keyPath: value]) },
                read: { owner, member, body throws(V2.RequestFault) in
                    owner[keyPath: value] = try Value.read(member, in: body, rules)
                }, path: value)
        }
    }

    /// The schema of an object with these members.
    let schema: Schema
    private let members: [Member]
    private let names: [String]
    // Each is one function for all members. A generic loop over functions would look their types up for each object.
    private let writer: @Sendable (Owner, inout JSONWriter) -> Void
    private let reader: @Sendable (inout Owner, V2.BodyMembers, Span<UInt8>) throws(V2.RequestFault) -> Void

    /// - Parameters:
    ///   - name: What the schema is called.
    ///   - about: What an object is for.
    package init(_ name: String, _ about: String, _ members: [Member]) {
        self.init(Schema(.object(members.map(\.property)), name: name, about: about), members)
    }

    private init(_ schema: Schema, _ members: [Member]) {
        self.schema = schema
        self.members = members
        names = members.map(\.property.name)
        var all: (@Sendable (Owner, inout JSONWriter) -> Void) = { _, _ in }
        var allRead: (@Sendable (inout Owner, V2.BodyMembers, Span<UInt8>) throws(V2.RequestFault) -> Void) = {
            _, _, _ throws(V2.RequestFault) in
        }
        for (index, member) in members.enumerated() {
            all = { [all, write = member.write] owner, writer in
                all(owner, &writer)
                write(owner, &writer)
            }
            guard let read = member.read else { continue }
            allRead = { [allRead] owner, sent, object throws(V2.RequestFault) in
                try allRead(&owner, sent, object)
                try read(&owner, sent[index], object)
            }
        }
        writer = all
        reader = allRead
    }

    /// Writes the members of an object, in the order in which they are declared.
    func write(of owner: Owner, to writer: inout JSONWriter) { self.writer(owner, &writer) }

    /// Reads the members of an object that was sent, in the order in which they are declared.
    ///
    /// - Parameter parent: A JSON Pointer to the object; empty for a whole body.
    func read(_ object: Span<UInt8>, into owner: inout Owner, below parent: String) throws(V2.RequestFault) {
        // Comparing a function that throws a type with nil needs macOS 15.
        assert(
            members.allSatisfy { member in
                guard let _ = member.read else { return false }
                return true
            }, "members of answers are not read")
        try reader(&owner, V2.BodyMembers(object, names, below: parent), object)
    }

    /// The same without some members, which are not known then.
    func without(_ ignored: [PartialKeyPath<Owner>]) -> Self {
        Self(schema, members.filter { !($0.path.map(ignored.contains) ?? false) })
    }
}
