#if canImport(Darwin)
    import Foundation

    extension ClientError {
        /// Names what URLSession reports.
        init(transport error: any Error) {
            let code = (error as? URLError).flatMap { Self.code(of: $0) } ?? .other
            self.init(code, underlying: error)
        }
    }

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
                .clientCertificateRequired:
                .tls
            case .appTransportSecurityRequiresSecureConnection: .insecureConnection
            case .cancelled: .cancelled
            case .badURL, .unsupportedURL: .invalidURL
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData: .notHTTP
            default: nil
            }
        }
    }
#endif
