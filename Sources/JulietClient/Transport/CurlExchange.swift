#if canImport(CCurl)
    import CCurl
    import Synchronization

    /// One request under way, and the caller that waits for its answer.
    final class CurlExchange: @unchecked Sendable {
        // Invariant: all but `waiter` is touched by the loop of its `CurlExchanges` alone.

        /// The continuation of the caller; it is resumed once.
        typealias Completion = @Sendable (Result<HTTPResponse, ClientError>) -> Void

        private enum Waiter {
            case none
            case waiting(Completion)
            case ended
        }

        private let waiter = Mutex(Waiter.none)

        private let message: RequestMessage
        private let url: String
        /// Receives the answer as a stream; nil: it is delivered as a whole.
        private let stream: Stream?
        /// How many bytes head and content may have together; of a stream only the head counts.
        private let limit: Int
        private(set) var handle: UnsafeMutableRawPointer?
        private var fields: UnsafeMutablePointer<curl_slist>?
        /// Where libcurl says more about a failure than its number does.
        private var failure: UnsafeMutablePointer<CChar>?

        private var headers: [HeaderField] = []
        /// Whether the empty line behind the header has come: libcurl takes the end of the connection for that line.
        private var isHeadWhole = false
        private var body: [UInt8] = []
        private var hasToldHead = false
        private var size = 0
        /// Why libcurl was told to stop.
        private var stopped: ClientError.Code?
        /// When the server was last heard.
        private var lastByte = ContinuousClock.now

        /// Where an answer goes that is delivered as it comes.
        struct Stream: Sendable {
            /// How long the server may be silent.
            let silence: Duration
            /// Returns false if the reader is too far behind.
            let take: @Sendable (ResponsePart) -> Bool
        }

        init(_ message: RequestMessage, url: String, limit: Int, stream: Stream? = nil) {
            self.message = message
            self.url = url
            self.limit = limit
            self.stream = stream
        }

        deinit { freeHandle() }

        // MARK: The caller

        /// - Returns: False if it was cancelled before; the caller has been resumed then.
        func begin(_ completion: @escaping Completion) -> Bool {
            let isNew = waiter.withLock { waiter in
                guard case .none = waiter else { return false }
                waiter = .waiting(completion)
                return true
            }
            if !isNew { completion(.failure(ClientError(.cancelled))) }
            return isNew
        }

        /// Resumes the caller, unless that was done before.
        ///
        /// - Returns: Whether a caller waited.
        func end(_ result: Result<HTTPResponse, ClientError>) -> Bool {
            let last = waiter.withLock { waiter in
                defer { waiter = .ended }
                return waiter
            }
            guard case .waiting(let completion) = last else { return false }
            completion(result)
            return true
        }

        var isEnded: Bool {
            waiter.withLock { if case .ended = $0 { true } else { false } }
        }

        // MARK: libcurl's part

        /// Makes the handle that libcurl drives.
        ///
        /// - Returns: Nil when memory is short, or the libcurl of this machine lacks an option.
        func makeHandle() -> UnsafeMutableRawPointer? {
            lastByte = .now
            handle = curl_easy_init()
            failure = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
            failure?.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
            guard let handle, setRequest(of: handle), setAnswer(of: handle) else { return nil }
            return handle
        }

        func freeHandle() {
            if let handle { curl_easy_cleanup(handle) }
            handle = nil
            curl_slist_free_all(fields)
            fields = nil
            failure?.deallocate()
            failure = nil
        }

        private func setRequest(of handle: UnsafeMutableRawPointer) -> Bool {
            var isSet = juliet_curl_set_text(handle, CURLOPT_URL, url) == CURLE_OK
            if message.method == .head {
                isSet = juliet_curl_set_number(handle, CURLOPT_NOBODY, 1) == CURLE_OK && isSet
            }
            let takesBody = [.post, .put, .patch].contains(message.method)
            if let content = message.body ?? (takesBody ? [] : nil) {
                let isPost = juliet_curl_set_number(handle, CURLOPT_POST, 1) == CURLE_OK
                isSet = setContent(content, of: handle) && isPost && isSet
            }
            isSet = juliet_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, message.method.rawValue) == CURLE_OK && isSet
            for field in message.headers {
                // Without a value libcurl would take the field back.
                add(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
            }
            // What libcurl adds by itself.
            add("Expect:")
            if message.headers.value(of: "Content-Type") == nil { add("Content-Type:") }
            return juliet_curl_set_pointer(handle, CURLOPT_HTTPHEADER, fields) == CURLE_OK && isSet
        }

        /// It is copied.
        private func setContent(_ content: [UInt8], of handle: UnsafeMutableRawPointer) -> Bool {
            let size = juliet_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.count))
            guard size == CURLE_OK else { return false }
            // An array without elements may have no address.
            if content.isEmpty { return juliet_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, "") == CURLE_OK }
            return content.withUnsafeBytes { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    juliet_curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
                }
            } == CURLE_OK
        }

        private func add(_ line: String) {
            if let longer = curl_slist_append(fields, line) { fields = longer }
        }

        private func setAnswer(of handle: UnsafeMutableRawPointer) -> Bool {
            let own = Unmanaged.passUnretained(self).toOpaque()
            // A slow look-up must not delay the other exchanges when this one is cancelled.
            juliet_curl_set_quick_exit(handle)
            let settings = [
                juliet_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
                // Every content coding that this libcurl can decode.
                juliet_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, ""),
                // The time-out is the transport's.
                juliet_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT, 86_400),
                juliet_curl_set_pointer(handle, CURLOPT_PRIVATE, own),
                juliet_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, failure),
                juliet_curl_set_pointer(handle, CURLOPT_HEADERDATA, own),
                juliet_curl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, exchange in
                    let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
                    return CurlExchange.at(exchange)?.takeHeader(bytes) == true ? size * count : 0
                },
                juliet_curl_set_pointer(handle, CURLOPT_WRITEDATA, own),
                juliet_curl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, exchange in
                    let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
                    // Another number than that of the bytes ends the transfer.
                    return CurlExchange.at(exchange)?.takeContent(bytes) == true ? bytes.count : bytes.count + 1
                },
            ]
            return settings.allSatisfy { $0 == CURLE_OK }
        }

        /// When a stream times out, unless its server is heard before; nil: it is no stream. libcurl measures speed, which is 0 for a
        /// few bytes now and then.
        var silenceEnd: ContinuousClock.Instant? {
            stream.map { lastByte + $0.silence }
        }

        /// Takes some of the content, decoded.
        ///
        /// - Returns: False: no more is taken, and `stopped` says why.
        private func takeContent(_ bytes: UnsafeRawBufferPointer) -> Bool {
            lastByte = .now
            guard let stream else {
                guard hasRoom(for: bytes.count) else { return false }
                body.append(contentsOf: bytes)
                return true
            }
            guard tellHead() else { return false }
            return bytes.isEmpty || tell(.content(Array(bytes)), stream)
        }

        private func tellHead() -> Bool {
            guard let stream, !hasToldHead else { return true }
            hasToldHead = true
            var status = 0
            juliet_curl_get_status(handle, &status)
            return tell(.head(HTTPResponse(status: status, headers: headers)), stream)
        }

        private func tell(_ part: ResponsePart, _ stream: Stream) -> Bool {
            guard stream.take(part) else {
                stopped = .tooLarge
                return false
            }
            return true
        }

        private func hasRoom(for count: Int) -> Bool {
            size += count
            if size > limit { stopped = .tooLarge }
            return size <= limit
        }

        private static func at(_ pointer: UnsafeMutableRawPointer?) -> CurlExchange? {
            pointer.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Takes a line of a head. That of an interim answer is dropped when the next status line comes.
        ///
        /// - Returns: False: no more is taken, and `stopped` says why.
        private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
            lastByte = .now
            guard hasRoom(for: bytes.count) else { return false }
            let line = String(decoding: bytes, as: UTF8.self)
            let text = line.prefix { $0 != "\r\n" && $0 != "\n" && $0 != "\r" }
            if text.isEmpty {
                isHeadWhole = line.hasSuffix("\n") || line.hasSuffix("\r\n")
            } else if text.hasPrefix("HTTP/") {
                headers = []
                isHeadWhole = false
            } else if let colon = text.firstIndex(of: ":") {
                let value = text[text.index(after: colon)...]
                headers.append(HeaderField(String(text[..<colon]), Self.withoutBlanks(value)))
            }
            return true
        }

        private static func withoutBlanks(_ text: Substring) -> String {
            let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
            var text = text.drop(while: isBlank)
            while let last = text.last, isBlank(last) { text.removeLast() }
            return String(text)
        }

        /// Whether a connection has taken any of the request, or a proxy the request to lead to the server.
        private var hasSent: Bool {
            var size = 0
            juliet_curl_get_request_size(handle, &size)
            return size > 0
        }

        /// The result.
        ///
        /// - Parameter code: libcurl's.
        func result(_ code: CURLcode) -> Result<HTTPResponse, ClientError> {
            if let stopped { return .failure(ClientError(stopped)) }
            guard code == CURLE_OK else {
                let text = failure.map { String(cString: $0) } ?? ""
                var error = ClientError(
                    CurlFailure.code(of: Int(code.rawValue), text: text, url: url),
                    underlying: CurlFailure(number: Int(code.rawValue)))
                // When a kept connection is dead libcurl sends again on a new one, and reports that one only.
                if error.isUnsent, hasSent { error.code = .connectionLost }
                return .failure(error)
            }
            var status = 0
            juliet_curl_get_status(handle, &status)
            // The connection ended in the middle of the head.
            guard isHeadWhole, (200..<600).contains(status) else {
                return .failure(ClientError(isHeadWhole ? .notHTTP : .connectionLost))
            }
            guard tellHead() else { return .failure(ClientError(.tooLarge)) }
            return .success(HTTPResponse(status: status, headers: headers, body: body))
        }
    }
#endif
