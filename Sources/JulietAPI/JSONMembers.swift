/// The members of a type's objects, each declared once: its name, the property it is tied to, and what it is for. The property
/// determines the member's schema and whether it can be missing.
package struct JSONMembers<Owner>: Sendable {
    /// A member.
    package struct Member: Sendable {
        fileprivate let name: String
        fileprivate let schema: Schema
        fileprivate let about: String
        fileprivate let isRequired: Bool
        fileprivate let write: @Sendable (Owner, inout JSONWriter) -> Void

        /// A required member.
        package static func member<Value: JSONWritable>(
            _ name: String, _ value: any KeyPath<Owner, Value> & Sendable, _ about: String, _ rules: Schema.Rule...
        ) -> Member {
            Member(name: name, schema: Value.schema.with(rules), about: about, isRequired: true) { owner, writer in
                writer.member(name, owner[keyPath: value])
            }
        }

        /// An optional member, which is left out when there is no value.
        package static func optional<Value: JSONWritable>(
            _ name: String, _ value: any KeyPath<Owner, Value?> & Sendable, _ about: String, _ rules: Schema.Rule...
        ) -> Member {
            Member(name: name, schema: Value.schema.with(rules), about: about, isRequired: false) { owner, writer in
                writer.member(name, owner[keyPath: value])
            }
        }
    }

    /// The schema of an object with these members.
    let schema: Schema
    private let members: [Member]

    /// The object of a type of answers. Optional members are never `null`.
    package static func answer(_ name: String, _ about: String, _ members: [Member]) -> Self {
        Self(name, about, members) { $0 }
    }

    /// The object of a type of requests. Optional members may be `null`.
    package static func request(_ name: String, _ about: String, _ members: [Member]) -> Self {
        Self(name, about, members, optional: \.orNull)
    }

    private init(_ name: String, _ about: String, _ members: [Member], optional: (Schema) -> Schema) {
        let properties = members.map { member in
            Schema.Property(
                member.name, member.isRequired ? member.schema : optional(member.schema), member.about,
                isRequired: member.isRequired)
        }
        schema = Schema(.object(properties), name: name, about: about)
        self.members = members
    }

    /// Writes the members of an object, in the order in which they are declared.
    func write(of owner: Owner, to writer: inout JSONWriter) {
        for member in members { member.write(owner, &writer) }
    }
}
