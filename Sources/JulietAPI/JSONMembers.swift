/// The members of a type's objects, each declared once: its name, the property it is tied to, and what it is for. The property
/// determines the member's schema, whether it can be missing, and how it is written and read.
package struct JSONMembers<Owner>: Sendable {
    /// A member.
    package struct Member: Sendable {
        fileprivate let name: String
        fileprivate let schema: Schema
        fileprivate let about: String
        fileprivate let isRequired: Bool
        fileprivate let path: any PartialKeyPath<Owner> & Sendable
        fileprivate let write: @Sendable (Owner, inout JSONWriter) -> Void
        /// Sets the property to what was sent; nil: nobody sends such objects.
        fileprivate var read: (@Sendable (inout Owner, V2.BodyMember, Span<UInt8>) throws(V2.RequestFault) -> Void)?

        /// A required member of an answer.
        package static func member<Value: JSONWritable>(
            _ name: String, _ value: any KeyPath<Owner, Value> & Sendable, _ about: String, _ rules: Schema.Rule...
        ) -> Member {
            Member(name: name, schema: Value.schema.with(rules), about: about, isRequired: true, path: value) {
                $1.member(name, $0[keyPath: value])
            }
        }

        /// An optional member of an answer, which is left out when there is no value.
        package static func optional<Value: JSONWritable>(
            _ name: String, _ value: any KeyPath<Owner, Value?> & Sendable, _ about: String, _ rules: Schema.Rule...
        ) -> Member {
            Member(name: name, schema: Value.schema.with(rules), about: about, isRequired: false, path: value) {
                $1.member(name, $0[keyPath: value])
            }
        }

        /// A member that a request must have.
        package static func required<Value: JSONReadable>(
            _ name: String, _ value: any WritableKeyPath<Owner, Value> & Sendable, _ about: String, _ rules: Schema.Rule...
        ) -> Member {
            Member(
                name: name, schema: Value.schema.with(rules), about: about, isRequired: true, path: value,
                write: { $1.member(name, $0[keyPath: value]) },
                read: { owner, member, body throws(V2.RequestFault) in
                    owner[keyPath: value] = try member.required(Value.read(member, in: body, rules))
                })
        }

        /// A member that a request may have. `null` is the same as none.
        package static func accepted<Value: JSONReadable>(
            _ name: String, _ value: any WritableKeyPath<Owner, Value?> & Sendable, _ about: String,
            _ rules: Schema.Rule...
        ) -> Member {
            Member(
                name: name, schema: Value.schema.with(rules).orNull, about: about, isRequired: false, path: value,
                write: { $1.member(name, $0[keyPath: value]) },
                read: { owner, member, body throws(V2.RequestFault) in
                    owner[keyPath: value] = try Value.read(member, in: body, rules)
                })
        }
    }

    /// The schema of an object with these members.
    let schema: Schema
    private let members: [Member]
    private let names: [String]
    /// The members' own, in an array of functions only, since a copy of a member is dearer than to write one.
    private let writers: [@Sendable (Owner, inout JSONWriter) -> Void]
    private let readers: [(@Sendable (inout Owner, V2.BodyMember, Span<UInt8>) throws(V2.RequestFault) -> Void)?]

    /// - Parameters:
    ///   - name: What the schema is called.
    ///   - about: What an object is for.
    package init(_ name: String, _ about: String, _ members: [Member]) {
        let properties = members.map { member in
            Schema.Property(member.name, member.schema, member.about, isRequired: member.isRequired)
        }
        schema = Schema(.object(properties), name: name, about: about)
        self.members = members
        names = members.map(\.name)
        writers = members.map(\.write)
        readers = members.map(\.read)
    }

    /// Writes the members of an object, in the order in which they are declared.
    func write(of owner: Owner, to writer: inout JSONWriter) {
        for write in writers { write(owner, &writer) }
    }

    /// Reads the members of an object that was sent, in the order in which they are declared.
    ///
    /// - Parameters:
    ///   - parent: A JSON Pointer to the object; empty for a whole body.
    ///   - ignored: Members that are not known here.
    func read(
        _ object: Span<UInt8>, into owner: inout Owner, below parent: String, ignoring ignored: [PartialKeyPath<Owner>]
    ) throws(V2.RequestFault) {
        if !ignored.isEmpty {
            let known = Self("", "", members.filter { !ignored.contains($0.path) })
            return try known.read(object, into: &owner, below: parent, ignoring: [])
        }
        let sent = try V2.BodyMembers(object, names, below: parent)
        for (index, read) in readers.enumerated() { try read?(&owner, sent[index], object) }
    }

    /// The name of a member.
    func name(of path: PartialKeyPath<Owner>) -> String { members.first { $0.path == path }?.name ?? "" }
}
