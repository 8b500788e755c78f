import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ClientError {
    /// Names what URLSession reports.
    init(transport error: any Error) {
        let code = (error as? URLError).flatMap { Self.code(of: $0) } ?? .other
        self.init(code, underlying: error)
    }
}

#if canImport(FoundationNetworking)

    extension ClientError {
        /// What Linux's URLSession means: libcurl's errors, few of them under a number of their own.
        ///
        /// - Parameter isOnline: Whether this machine has a way out, asked when it found no host or no way there.
        static func code(of error: URLError, isOnline: () -> Bool = { NetworkRoute.exists }) -> Code? {
            let code: Code? =
                switch error.code {
                case .networkConnectionLost: .connectionLost
                case .timedOut: .timedOut
                case .cannotFindHost: .hostNotFound
                case .cannotConnectToHost: .connectionRefused
                case .cancelled: .cancelled
                case .badURL: .invalidURL
                // The connection ended before the first byte.
                case .badServerResponse: .connectionLost
                // The URL was checked before: what is not supported is the answer's version or status line.
                case .unsupportedURL: .notHTTP
                default: Self.code(ofText: error.localizedDescription)
                }
            guard code == .hostNotFound || code == .connectionRefused, !isLocal(error), !isOnline() else { return code }
            return .noNetwork
        }

        private static func code(ofText text: String) -> Code? {
            let text = text.lowercased()
            return sentences.first { _, parts in parts.contains { text.contains($0) } }?.code
        }

        /// Parts of libcurl's sentences. The first that fits counts: one about TLS can tell of a lost connection too.
        private static let sentences: [(code: Code, parts: [String])] = [
            (.connectionRefused, ["connect to server", "failed to connect"]),
            (.hostNotFound, ["could not resolve"]),
            (
                .connectionLost,
                [
                    "transfer closed", "recv failure", "send failure", "reset by peer", "broken pipe", "unexpected eof",
                    "ssl_read", "ssl_write", "ssl_error_syscall", "connection died", "stream was not closed",
                    "was reset", "empty reply",
                ]
            ),
            (.tls, ["ssl", "tls", "certificate"]),
            (.notHTTP, ["chunk", "encoding", "header", "http/0.9", "http version", "content-length", "weird"]),
        ]

        /// Whether the request was for this machine itself, which needs no way out.
        private static func isLocal(_ error: URLError) -> Bool {
            guard let host = error.failingURL?.host else { return false }
            return host == "localhost" || host.hasPrefix("127.") || host == "::1"
        }
    }

#else

    extension ClientError {
        static func code(of error: URLError) -> Code? {
            switch error.code {
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: .noNetwork
            case .networkConnectionLost: .connectionLost
            case .timedOut: .timedOut
            case .cannotFindHost, .dnsLookupFailed: .hostNotFound
            case .cannotConnectToHost: .connectionRefused
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .tls
            case .cancelled: .cancelled
            case .badURL, .unsupportedURL: .invalidURL
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData: .notHTTP
            default: nil
            }
        }
    }

#endif
