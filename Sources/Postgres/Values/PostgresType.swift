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
    /// `cidr`
    public static var cidr: PostgresType { .init(oid: 650) }
    /// `real`
    public static var float4: PostgresType { .init(oid: 700) }
    /// `double precision`
    public static var float8: PostgresType { .init(oid: 701) }
    /// `inet`
    public static var inet: PostgresType { .init(oid: 869) }
    /// `character(n)`
    public static var bpchar: PostgresType { .init(oid: 1042) }
    /// `character varying(n)`
    public static var varchar: PostgresType { .init(oid: 1043) }
    /// `date`
    public static var date: PostgresType { .init(oid: 1082) }
    /// `time without time zone`
    public static var time: PostgresType { .init(oid: 1083) }
    /// `timestamp without time zone`
    public static var timestamp: PostgresType { .init(oid: 1114) }
    /// `timestamp with time zone`
    public static var timestamptz: PostgresType { .init(oid: 1184) }
    /// `interval`
    public static var interval: PostgresType { .init(oid: 1186) }
    /// `numeric`
    public static var numeric: PostgresType { .init(oid: 1700) }
    /// `uuid`
    public static var uuid: PostgresType { .init(oid: 2950) }
    /// `jsonb`
    public static var jsonb: PostgresType { .init(oid: 3802) }

    /// `macaddr8`
    public static var macaddr8: PostgresType { .init(oid: 774) }
    /// `macaddr`
    public static var macaddr: PostgresType { .init(oid: 829) }
    /// `bit(n)`
    public static var bit: PostgresType { .init(oid: 1560) }
    /// `bit varying(n)`
    public static var varbit: PostgresType { .init(oid: 1562) }
    /// `int4range`
    public static var int4range: PostgresType { .init(oid: 3904) }
    /// `numrange`
    public static var numrange: PostgresType { .init(oid: 3906) }
    /// `tsrange`
    public static var tsrange: PostgresType { .init(oid: 3908) }
    /// `tstzrange`
    public static var tstzrange: PostgresType { .init(oid: 3910) }
    /// `daterange`
    public static var daterange: PostgresType { .init(oid: 3912) }
    /// `int8range`
    public static var int8range: PostgresType { .init(oid: 3926) }
    /// `int4multirange`
    public static var int4multirange: PostgresType { .init(oid: 4451) }
    /// `nummultirange`
    public static var nummultirange: PostgresType { .init(oid: 4532) }
    /// `tsmultirange`
    public static var tsmultirange: PostgresType { .init(oid: 4533) }
    /// `tstzmultirange`
    public static var tstzmultirange: PostgresType { .init(oid: 4534) }
    /// `datemultirange`
    public static var datemultirange: PostgresType { .init(oid: 4535) }
    /// `int8multirange`
    public static var int8multirange: PostgresType { .init(oid: 4536) }

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
        case 650: PostgresType(oid: 651)
        case 700: PostgresType(oid: 1021)
        case 701: PostgresType(oid: 1022)
        case 869: PostgresType(oid: 1041)
        case 1042: PostgresType(oid: 1014)
        case 1043: PostgresType(oid: 1015)
        case 1082: PostgresType(oid: 1182)
        case 1083: PostgresType(oid: 1183)
        case 1114: PostgresType(oid: 1115)
        case 1184: PostgresType(oid: 1185)
        case 1186: PostgresType(oid: 1187)
        case 1700: PostgresType(oid: 1231)
        case 2950: PostgresType(oid: 2951)
        case 3802: PostgresType(oid: 3807)
        case 774: PostgresType(oid: 775)
        case 829: PostgresType(oid: 1040)
        case 1560: PostgresType(oid: 1561)
        case 1562: PostgresType(oid: 1563)
        case 3904: PostgresType(oid: 3905)
        case 3906: PostgresType(oid: 3907)
        case 3908: PostgresType(oid: 3909)
        case 3910: PostgresType(oid: 3911)
        case 3912: PostgresType(oid: 3913)
        case 3926: PostgresType(oid: 3927)
        case 4451: PostgresType(oid: 6150)
        case 4532: PostgresType(oid: 6151)
        case 4533: PostgresType(oid: 6152)
        case 4534: PostgresType(oid: 6153)
        case 4535: PostgresType(oid: 6155)
        case 4536: PostgresType(oid: 6157)
        default: nil
        }
    }

    /// What an array of this type holds, where it is built in and known here.
    @usableFromInline var element: PostgresType? {
        switch oid {
        case 143: .xml
        case 199: .json
        case 651: .cidr
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
        case 1041: .inet
        case 1115: .timestamp
        case 1182: .date
        case 1183: .time
        case 1185: .timestamptz
        case 1187: .interval
        case 1231: .numeric
        case 2951: .uuid
        case 3807: .jsonb
        case 775: .macaddr8
        case 1040: .macaddr
        case 1561: .bit
        case 1563: .varbit
        case 3905: .int4range
        case 3907: .numrange
        case 3909: .tsrange
        case 3911: .tstzrange
        case 3913: .daterange
        case 3927: .int8range
        case 6150: .int4multirange
        case 6151: .nummultirange
        case 6152: .tsmultirange
        case 6153: .tstzmultirange
        case 6155: .datemultirange
        case 6157: .int8multirange
        default: nil
        }
    }

    /// The range type over this type, where it is built in.
    var range: PostgresType? {
        switch self {
        case .int4: .int4range
        case .int8: .int8range
        case .numeric: .numrange
        case .timestamp: .tsrange
        case .timestamptz: .tstzrange
        case .date: .daterange
        default: nil
        }
    }

    /// The multirange type over the ranges of this type, where it is built in.
    var multirange: PostgresType? {
        switch self {
        case .int4: .int4multirange
        case .int8: .int8multirange
        case .numeric: .nummultirange
        case .timestamp: .tsmultirange
        case .timestamptz: .tstzmultirange
        case .date: .datemultirange
        default: nil
        }
    }

    /// What the bounds of this range or multirange are, where it is built in.
    var bound: PostgresType? {
        switch self {
        case .int4range, .int4multirange: .int4
        case .int8range, .int8multirange: .int8
        case .numrange, .nummultirange: .numeric
        case .tsrange, .tsmultirange: .timestamp
        case .tstzrange, .tstzmultirange: .timestamptz
        case .daterange, .datemultirange: .date
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
        case 650: "cidr"
        case 700: "float4"
        case 701: "float8"
        case 869: "inet"
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
        case 774: "macaddr8"
        case 829: "macaddr"
        case 1560: "bit"
        case 1562: "varbit"
        case 3904: "int4range"
        case 3906: "numrange"
        case 3908: "tsrange"
        case 3910: "tstzrange"
        case 3912: "daterange"
        case 3926: "int8range"
        case 4451: "int4multirange"
        case 4532: "nummultirange"
        case 4533: "tsmultirange"
        case 4534: "tstzmultirange"
        case 4535: "datemultirange"
        case 4536: "int8multirange"
        default: element.map { "\($0)[]" } ?? "type \(oid)"
        }
    }
}
