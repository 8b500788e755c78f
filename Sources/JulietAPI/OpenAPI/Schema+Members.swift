extension Schema {
    /// A member of an object, tied to the property of its type, which determines its schema and whether it can be
    /// missing.
    package struct Member<Owner> {
        fileprivate let name: String
        fileprivate let schema: Schema
        fileprivate let about: String
        fileprivate let isRequired: Bool

        /// A required member.
        package static func member<Value: JSONWritable>(
            _ name: String, _: KeyPath<Owner, Value>, _ about: String, _ rules: Rule...
        ) -> Member {
            Member(name: name, schema: Value.schema.with(rules), about: about, isRequired: true)
        }

        /// An optional member.
        package static func optional<Value: JSONWritable>(
            _ name: String, _: KeyPath<Owner, Value?>, _ about: String, _ rules: Rule...
        ) -> Member {
            Member(name: name, schema: Value.schema.with(rules), about: about, isRequired: false)
        }
    }

    /// The object of a type of answers. Optional members are never `null`.
    package static func answer<Owner>(
        _ name: String, of _: Owner.Type, _ about: String, _ members: [Member<Owner>]
    ) -> Schema {
        let properties = members.map { Property($0.name, $0.schema, $0.about, isRequired: $0.isRequired) }
        return Schema(.object(properties), name: name, about: about)
    }

    /// The object of a type of requests. Optional members may be `null`.
    package static func request<Owner>(
        _ name: String, of _: Owner.Type, _ about: String, _ members: [Member<Owner>]
    ) -> Schema {
        let properties = members.map { member in
            Property(
                member.name, member.isRequired ? member.schema : member.schema.orNull, member.about,
                isRequired: member.isRequired)
        }
        return Schema(.object(properties), name: name, about: about)
    }
}
