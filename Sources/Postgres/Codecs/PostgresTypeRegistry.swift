/// The types made in the database that parameters name: enums, composites and others whose numbers differ from one
/// database to the next (what psycopg has `TypeInfo.fetch` and `register` for, and pgx `LoadType` and `RegisterType`).
///
/// ```swift
/// enum Mood: String, PostgresEncodable, PostgresDecodable {
///     case sad, happy
///     static var postgresTypeName: String? { "mood" }
/// }
///
/// configuration.types.register(Mood.self)
/// // … $1 takes [Mood.sad], without a cast.
/// ```
///
/// A single value needs no registration: the server knows the type of the place where it stands. Nor does reading.
public struct PostgresTypeRegistry: Sendable, Hashable {
    /// The names, as they were registered.
    public private(set) var names: Set<String> = []

    /// Without types.
    public init() {}

    /// Adds the type that a Swift type stands for, and the array of it. Traps unless it has a
    /// ``PostgresEncodable/postgresTypeName``.
    public mutating func register<Value: PostgresEncodable>(_: Value.Type) {
        guard let name = Value.postgresTypeName else { preconditionFailure("\(Value.self) has no postgresTypeName") }
        register(name: name)
    }

    /// Adds the type that a codec is for. Traps unless it has a ``PostgresCodec/postgresTypeName``.
    public mutating func register<Codec: PostgresCodec>(_: Codec.Type) { register(PostgresCoded<Codec>.self) }

    /// Adds a type by its name, with its schema unless that is on the search path (PostgreSQL, `to_regtype`).
    public mutating func register(name: String) {
        names.insert(name.hasSuffix("[]") ? String(name.dropLast(2)) : name)
    }

    static let sql = """
        SELECT name, to_regtype(name)::oid, to_regtype(name || '[]')::oid FROM unnest($1::text[]) AS name
        """

    /// What looks the numbers up.
    func lookUp(_ completion: @escaping (Result<RegisteredTypes, PostgresError>) -> Void) -> any Exchange {
        let submission = Submission(SQLText(trusted: Self.sql), [names.sorted()])
        var failure: PostgresError?
        return BatchExchange<SharedTransaction>([submission], options: .init()) { _, verdict in
            switch verdict {
            case .done: break
            case .rolledBack(let error, _), .unknown(let error): failure = error.beforeSending
            }
        } onEnd: { ending, _ in
            if case .rolledBack(_, let error) = ending { failure = error }
            do throws(PostgresError) {
                if let failure { throw failure }
                completion(.success(RegisteredTypes(try submission.rows(RegisteredTypes.decode))))
            } catch {
                completion(.failure(error))
            }
        }
    }
}

/// The numbers of registered types in one database, by name; those of arrays by the name with brackets.
final class RegisteredTypes: Sendable {
    let oids: [String: UInt32]

    init(_ rows: [(name: String, oid: UInt32?, array: UInt32?)]) {
        var oids: [String: UInt32] = [:]
        for row in rows {
            oids[row.name] = row.oid
            oids[row.name + "[]"] = row.array
        }
        self.oids = oids
    }

    static func decode(
        _ row: inout RowDecoder
    ) throws(PostgresDecodingError) -> (name: String, oid: UInt32?, array: UInt32?) {
        (try row.next(String.self), try row.next(UInt32?.self), try row.next(UInt32?.self))
    }
}

extension PostgresConnection {
    /// Looks up the numbers of the types of ``PostgresConfiguration/types`` once more: after a migration has made some of
    /// them anew. A session does so by itself when it begins.
    ///
    /// - Parameter timeout: From the call to the answer; `nil`, the default: no limit.
    /// - Throws: ``PostgresError`` as ``run(_:_:timeout:)``; the numbers are as before then.
    public func reloadTypes(timeout: Duration? = nil) async throws(PostgresError) {
        let names = configuration.types.names
        guard !names.isEmpty else { return }
        let rows = try await query(
            SQLText(trusted: PostgresTypeRegistry.sql), [names.sorted()], timeout: timeout,
            decode: RegisteredTypes.decode)
        let types = RegisteredTypes(rows)
        await onLoop { $0.connection.types = types }
    }
}
