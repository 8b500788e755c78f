/// Why a message of one kind cannot be one of the other. Never holds what the message holds.
public enum HTTPTypesError: Error, Sendable, Hashable {
    /// A method that is no token (RFC 9110 §9.1).
    case malformedMethod
    /// A path that is missing, or that could not stand in a request line: it does not start with a slash, has characters
    /// outside RFC 3986, half an escape or a fragment; `*` without OPTIONS; a path with CONNECT (RFC 9113 §8.3.1, §8.5).
    case malformedPath
    /// An authority that is not a host with at most one port, or that holds user information (RFC 9113 §8.3.1); or CONNECT
    /// without host and port.
    case malformedAuthority
    /// Several `Host` lines, or one that differs from the authority (RFC 9113 §8.3.1).
    case ambiguousAuthority
    /// A `:protocol` (RFC 8441), which HTTP/1.1 has no place for.
    case extendedConnect
    /// A pseudo-header field among the field lines (RFC 9113 §8.3).
    case pseudoField
    /// More than 65,534 field lines, the most that `HTTPFields` takes.
    case tooManyFields
    /// A status that ends no exchange: below 200 (RFC 9110 §15.2).
    case statusNotFinal
}
