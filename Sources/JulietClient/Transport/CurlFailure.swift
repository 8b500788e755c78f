#if canImport(CCurl)
    /// An error of libcurl's: what `ClientError.underlying` holds.
    public struct CurlFailure: Error, Hashable, Sendable {
        /// The number of `CURLcode`.
        public let number: Int

        /// Names what libcurl reports.
        ///
        /// - Parameters:
        ///   - number: Of `CURLcode`.
        ///   - text: What libcurl says beside it.
        ///   - url: Where the request was to go.
        ///   - isOnline: Whether this machine has a network, asked when it found no host or no route to it.
        static func code(
            of number: Int, text: String = "", url: String, isOnline: () -> Bool = { NetworkRoute.exists }
        ) -> ClientError.Code {
            let code = code(of: number, text: text)
            guard code == .hostNotFound || code == .connectionRefused, !isLocal(url), !isOnline() else { return code }
            return .noNetwork
        }

        private static func code(of number: Int, text: String) -> ClientError.Code {
            switch number {
            case 3: .invalidURL
            case 5, 7: .connectionRefused
            case 6: .hostNotFound
            case 28: .timedOut
            // What came was no HTTP answer, or one of another version, with an invalid coding, or with a length that is
            // out of range; invalid chunks have no number of their own.
            case 1, 8, 23, 43, 61, 63, 100: .notHTTP
            case 56 where text.lowercased().contains("chunk"): .notHTTP
            // A body cut short, nothing at all, sending and receiving, streams of HTTP/2 and HTTP/3.
            case 16, 18, 52, 55, 56, 92, 95: .connectionLost
            case 35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 96, 98: .tls
            default: .other
            }
        }

        /// Whether the request was for this machine itself, which needs no network.
        private static func isLocal(_ url: String) -> Bool {
            guard let start = url.firstRange(of: "://") else { return false }
            let authority = url[start.upperBound...].prefix { $0 != "/" && $0 != "?" }
            if authority.hasPrefix("[::1]") { return true }
            let host = authority.prefix { $0 != ":" }
            return host == "localhost" || host.hasPrefix("127.")
        }
    }
#endif
