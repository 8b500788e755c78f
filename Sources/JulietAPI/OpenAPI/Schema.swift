/// The JSON of a type: JSON Schema 2020-12, as far as our types need it.
///
/// Each type defines its schema once, beside its coding; objects, by their members (``JSONMembers``).
package struct Schema: Hashable, Sendable {
    /// What kind of value it is.
    package indirect enum Form: Hashable, Sendable {
        /// `true` or `false`.
        case boolean
        /// A number without a fraction, however it is spelled.
        case integer
        /// A number.
        case number
        /// A text.
        case string
        /// Any number of values.
        case array(of: Schema)
        /// Members; those that are not listed are ignored.
        case object([Property])
        /// One of several shapes. A constant member distinguishes them, if it is named.
        case oneOf([Schema], by: String?)
    }

    /// A constraint on a value.
    package indirect enum Rule: Hashable, Sendable {
        /// A number is no less.
        case minimum(Int)
        /// An integer is within it.
        case range(ClosedRange<Int>)
        /// How many Unicode scalars a string has.
        case length(ClosedRange<Int>)
        /// An array has as many elements.
        case count(Int)
        /// The format of a string: one of JSON Schema's, or one of ours that the description explains.
        case format(String)
        /// A regular expression that a string matches.
        case pattern(String)
        /// The only strings there are.
        case choices([String])
        /// A constraint on each element of an array.
        case elements(Rule)
    }

    /// A member of an object.
    package struct Property: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// Its value.
        package let schema: Schema
        /// What it is, for people.
        package let about: String
        /// Whether it is required.
        package let isRequired: Bool

        /// Describes a member.
        package init(_ name: String, _ schema: Schema, _ about: String, isRequired: Bool = true) {
            self.name = name
            self.schema = schema
            self.about = about
            self.isRequired = isRequired
        }
    }

    /// What kind of value it is.
    package let form: Form
    /// Its constraints.
    package private(set) var rules: [Rule]
    /// Whether `null` is accepted, too.
    package private(set) var isNullable = false
    /// Its name in descriptions; nil: it is written where it is used.
    package let name: String?
    /// What it is, for people; said of what has a name.
    package let about: String?

    /// Describes a value.
    package init(_ form: Form, _ rules: [Rule] = [], name: String? = nil, about: String? = nil) {
        self.form = form
        self.rules = rules
        self.name = name
        self.about = about
    }

    /// A boolean.
    package static let boolean = Schema(.boolean)
    /// An integer.
    package static let integer = Schema(.integer)
    /// A number.
    package static let number = Schema(.number)
    /// A string.
    package static let string = Schema(.string)

    /// A string with only one value.
    package static func constant(_ text: String) -> Schema { Schema(.string, [.choices([text])]) }

    /// The same with more rules.
    package func with(_ rules: [Rule]) -> Schema {
        var schema = self
        schema.rules += rules
        return schema
    }

    /// The same, or `null`.
    package var orNull: Schema {
        var schema = self
        schema.isNullable = true
        return schema
    }

    /// Whether a value is required: an object with required members.
    package var isRequired: Bool {
        guard case .object(let properties) = form else { return true }
        return properties.contains { $0.isRequired }
    }

    /// The schemas it is made of.
    package var parts: [Schema] {
        switch form {
        case .boolean, .integer, .number, .string: []
        case .array(let element): [element]
        case .object(let properties): properties.map(\.schema)
        case .oneOf(let schemas, by: _): schemas
        }
    }
}

extension Schema.Rule {
    /// A string of as many lower-case hex digits.
    package static func hexDigits(_ count: Int) -> Self { .pattern("^[0-9a-f]{\(count)}$") }

    /// A recovery code in groups.
    package static let recoveryCode = Self.pattern("^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){3}$")

    /// A string is an account of the app.
    static let account = Self.format("account")
}
