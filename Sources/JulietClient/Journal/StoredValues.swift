#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RequestMessage {
    /// The body as it is, the rest as JSON, which may grow fields.
    func write(to writer: inout ByteWriter) throws {
        var rest = self
        rest.body = nil
        writer.data(Array(try JSONEncoder().encode(rest)))
        writer.optional(body) { $0.data($1) }
    }

    init(from reader: inout ByteReader) throws {
        self = try JSONDecoder().decode(RequestMessage.self, from: Data(try reader.data()))
        body = try reader.optional { (reader: inout ByteReader) throws(ByteReader.Failure) in try reader.data() }
    }
}

extension RetryPolicy {
    func write(to writer: inout ByteWriter) {
        writer.data((try? JSONEncoder().encode(self)).map(Array.init) ?? [])
    }

    init(from reader: inout ByteReader) throws(ByteReader.Failure) {
        let bytes = try reader.data()
        guard let policy = try? JSONDecoder().decode(RetryPolicy.self, from: Data(bytes)) else {
            throw ByteReader.Failure()
        }
        self = policy
    }
}

extension HTTPResponse {
    func write(to writer: inout ByteWriter) {
        writer.integer(UInt32(clamping: status))
        writer.list(headers) {
            $0.text($1.name)
            $0.text($1.value)
        }
        writer.data(body)
    }

    init(from reader: inout ByteReader) throws(ByteReader.Failure) {
        let status = Int(try reader.integer(UInt32.self))
        let headers = try reader.list { (reader: inout ByteReader) throws(ByteReader.Failure) in
            HeaderField(try reader.text(), try reader.text())
        }
        self.init(status: status, headers: headers, body: try reader.data())
    }
}

extension ClientError {
    /// All but the error it was made from, which only this launch of the app knows.
    func write(to writer: inout ByteWriter) {
        writer.text(code.rawValue)
        writer.list(codingPath) { $0.text($1) }
        writer.optional(refusal) { writer, refusal in
            writer.integer(UInt32(clamping: refusal.status))
            writer.optional(refusal.code) { $0.text($1) }
            writer.optional(refusal.message) { $0.text($1) }
            refusal.response.write(to: &writer)
            writer.integer(UInt8(refusal.isOfService ? 1 : 0))
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Failure) {
        let code = Code(rawValue: try reader.text())
        let path = try reader.list { (reader: inout ByteReader) throws(ByteReader.Failure) in try reader.text() }
        self.init(code, codingPath: path)
        refusal = try reader.optional { (reader: inout ByteReader) throws(ByteReader.Failure) in
            let status = Int(try reader.integer(UInt32.self))
            let text = { (reader: inout ByteReader) throws(ByteReader.Failure) in try reader.text() }
            return Refusal(
                status: status, code: try reader.optional(text), message: try reader.optional(text),
                response: try HTTPResponse(from: &reader),
                isOfService: try reader.integer(UInt8.self) == 1)
        }
    }
}

extension QueueOutcome<HTTPResponse> {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .success(let response):
            writer.integer(UInt8(1))
            response.write(to: &writer)
        case .failure(let error):
            writer.integer(UInt8(2))
            error.write(to: &writer)
        case .aborted(let reason):
            writer.integer(UInt8(3))
            writer.integer(UInt8(reason == .cancelled ? 1 : 2))
        }
    }

    init(from reader: inout ByteReader) throws(ByteReader.Failure) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .success(try HTTPResponse(from: &reader))
        case 2: self = .failure(try ClientError(from: &reader))
        case 3: self = .aborted(try reader.integer(UInt8.self) == 1 ? .cancelled : .replaced)
        default: throw ByteReader.Failure()
        }
    }
}
