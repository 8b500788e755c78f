extension Schema {
    /// A member of an object that is a type of ours, tied to the property it holds: that tells its schema, and whether it
    /// can be missing.
    package struct Member<Owner> {
        fileprivate let name: String
        fileprivate let schema: Schema
        fileprivate let about: String
        fileprivate let isRequired: Bool

        /// One that is always there.
        package static func member<Value: JSONWritable>(
            _ name: String, _: KeyPath<Owner, Value>, _ about: String, _ rules: Rule...
        ) -> Member {
            Member(name: name, schema: Value.schema.with(rules), about: about, isRequired: true)
        }

        /// One that may be missing.
        package static func optional<Value: JSONWritable>(
            _ name: String, _: KeyPath<Owner, Value?>, _ about: String, _ rules: Rule...
        ) -> Member {
            Member(name: name, schema: Value.schema.with(rules), about: about, isRequired: false)
        }
    }

    /// The object that a type of answers is written as. What may be missing is never `null`.
    package static func answer<Owner>(
        _ name: String, of _: Owner.Type, _ about: String, _ members: [Member<Owner>]
    ) -> Schema {
        let properties = members.map { Property($0.name, $0.schema, $0.about, isRequired: $0.isRequired) }
        return Schema(.object(properties), name: name, about: about)
    }

    /// The object that a type of requests is read from. What may be missing may be `null` as well.
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
