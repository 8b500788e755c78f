/// A PostgreSQL type, by its object identifier (`pg_type.oid`).
public struct PostgresType: Hashable, Sendable, CustomStringConvertible {
    /// The object identifier; 0 is ``unspecified``.
    public let oid: UInt32

    /// A type by its identifier.
    public init(oid: UInt32) { self.oid = oid }

    // Computed, so that the hot road pays for no lazy initialisation.

    /// No type: the server infers the parameter's from where it stands (libpq, `PQsendQueryParams`). Values of types
    /// made in the database, whose identifiers differ from one database to the next, travel so.
    public static var unspecified: PostgresType { .init(oid: 0) }
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
    /// `xml`
    public static var xml: PostgresType { .init(oid: 142) }
    /// `real`
    public static var float4: PostgresType { .init(oid: 700) }
    /// `double precision`
    public static var float8: PostgresType { .init(oid: 701) }
    /// `character(n)`
    public static var bpchar: PostgresType { .init(oid: 1042) }
    /// `character varying(n)`
    public static var varchar: PostgresType { .init(oid: 1043) }
    /// `date`
    public static var date: PostgresType { .init(oid: 1082) }
    /// `timestamp with time zone`
    public static var timestamptz: PostgresType { .init(oid: 1184) }
    /// `uuid`
    public static var uuid: PostgresType { .init(oid: 2950) }
    /// `jsonb`
    public static var jsonb: PostgresType { .init(oid: 3802) }

    /// The array type over this type, where it is built in and known here.
    @usableFromInline var array: PostgresType? {
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
        case 142: PostgresType(oid: 143)
        case 700: PostgresType(oid: 1021)
        case 701: PostgresType(oid: 1022)
        case 1042: PostgresType(oid: 1014)
        case 1043: PostgresType(oid: 1015)
        case 1082: PostgresType(oid: 1182)
        case 1184: PostgresType(oid: 1185)
        case 2950: PostgresType(oid: 2951)
        case 3802: PostgresType(oid: 3807)
        default: nil
        }
    }

    /// What an array of this type holds, where it is built in and known here.
    @usableFromInline var element: PostgresType? {
        switch oid {
        case 143: .xml
        case 199: .json
        case 1000: .bool
        case 1001: .bytea
        case 1002: .char
        case 1003: .name
        case 1005: .int2
        case 1007: .int4
        case 1009: .text
        case 1014: .bpchar
        case 1015: .varchar
        case 1016: .int8
        case 1021: .float4
        case 1022: .float8
        case 1028: .oid
        case 1182: .date
        case 1185: .timestamptz
        case 2951: .uuid
        case 3807: .jsonb
        default: nil
        }
    }

    /// Whether the type was made in the database: an enum, a composite, a type of an extension. A domain is reported as
    /// the type it is over.
    var isUserDefined: Bool { oid >= 16_384 }  // FirstNormalObjectId of access/transam.h

    /// Whether the type is built in and its binary form is its text.
    var isText: Bool {
        switch oid {
        // "char", name, text, json, xml, unknown, bpchar, varchar, refcursor, cstring
        case 18, 19, 25, 114, 142, 705, 1042, 1043, 1790, 2275: true
        default: false
        }
    }

    /// The type's name where it is known, else its number.
    public var description: String {
        switch oid {
        case 0: "unspecified"
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
        case 142: "xml"
        case 700: "float4"
        case 701: "float8"
        case 1042: "bpchar"
        case 1043: "varchar"
        case 1082: "date"
        case 1083: "time"
        case 1114: "timestamp"
        case 1184: "timestamptz"
        case 1186: "interval"
        case 1700: "numeric"
        case 2950: "uuid"
        case 3802: "jsonb"
        default: element.map { "\($0)[]" } ?? "type \(oid)"
        }
    }
}
