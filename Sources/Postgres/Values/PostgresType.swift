/// A PostgreSQL type, by its object identifier (`pg_type.oid`).
public struct PostgresType: Hashable, Sendable, CustomStringConvertible {
    /// The object identifier.
    public let oid: UInt32

    /// A type by its identifier.
    public init(oid: UInt32) { self.oid = oid }

    // Computed, so that the hot road pays for no lazy initialisation.

    /// `boolean`
    public static var bool: PostgresType { .init(oid: 16) }
    /// `bytea`
    public static var bytea: PostgresType { .init(oid: 17) }
    /// `"char"`, one byte
    public static var char: PostgresType { .init(oid: 18) }
    /// `name`
    public static var name: PostgresType { .init(oid: 19) }
    /// `bigint`
    public static var int8: PostgresType { .init(oid: 20) }
    /// `smallint`
    public static var int2: PostgresType { .init(oid: 21) }
    /// `integer`
    public static var int4: PostgresType { .init(oid: 23) }
    /// `text`
    public static var text: PostgresType { .init(oid: 25) }
    /// `oid`
    public static var oid: PostgresType { .init(oid: 26) }
    /// `json`
    public static var json: PostgresType { .init(oid: 114) }
    /// `double precision`
    public static var float8: PostgresType { .init(oid: 701) }
    /// `character(n)`
    public static var bpchar: PostgresType { .init(oid: 1042) }
    /// `character varying(n)`
    public static var varchar: PostgresType { .init(oid: 1043) }
    /// `timestamp with time zone`
    public static var timestamptz: PostgresType { .init(oid: 1184) }
    /// `uuid`
    public static var uuid: PostgresType { .init(oid: 2950) }
    /// `jsonb`
    public static var jsonb: PostgresType { .init(oid: 3802) }

    /// The array type over this type, where there is a fixed one.
    var array: PostgresType? {
        switch oid {
        case 16: PostgresType(oid: 1000)
        case 17: PostgresType(oid: 1001)
        case 18: PostgresType(oid: 1002)
        case 19: PostgresType(oid: 1003)
        case 20: PostgresType(oid: 1016)
        case 21: PostgresType(oid: 1005)
        case 23: PostgresType(oid: 1007)
        case 25: PostgresType(oid: 1009)
        case 26: PostgresType(oid: 1028)
        case 114: PostgresType(oid: 199)
        case 701: PostgresType(oid: 1022)
        case 1042: PostgresType(oid: 1014)
        case 1043: PostgresType(oid: 1015)
        case 1184: PostgresType(oid: 1185)
        case 2950: PostgresType(oid: 2951)
        case 3802: PostgresType(oid: 3807)
        default: nil
        }
    }

    /// Whether values look like text: the text types, `unknown`, and types made in the database (enums, citext).
    var isTextual: Bool {
        switch oid {
        case 19, 25, 705, 1042, 1043: true
        case 16384...: true  // FirstNormalObjectId: everything below is built in
        default: false
        }
    }

    /// The type's name where it is known, else its number.
    public var description: String {
        switch oid {
        case 16: "bool"
        case 17: "bytea"
        case 18: "\"char\""
        case 19: "name"
        case 20: "int8"
        case 21: "int2"
        case 23: "int4"
        case 25: "text"
        case 26: "oid"
        case 114: "json"
        case 701: "float8"
        case 1042: "bpchar"
        case 1043: "varchar"
        case 1184: "timestamptz"
        case 1700: "numeric"
        case 2950: "uuid"
        case 3802: "jsonb"
        default: "type \(oid)"
        }
    }
}
