/// Why an attempt to connect failed, read out of libpq's text.
///
/// The text is all there is: libpq has the fields of an error, and so its SQLSTATE, for results only (`PQresultErrorField`),
/// and an attempt to connect has no result. Told to be verbose (`PQsetErrorVerbosity`), libpq writes the SQLSTATE into the
/// text. `PQERRORS_SQLSTATE` would write nothing else, and so lose what the server says.
struct ConnectionRefusal: Equatable {
    /// The text as libpq has it when it is not verbose.
    private(set) var message = ""
    /// What the server that refused last says; `nil` if none was reached.
    private(set) var sqlState: SQLState?

    /// Reads libpq's verbose text. For each host that was tried it has the host, then libpq's own reason or the server's error
    /// (`pqBuildErrorMessage3`):
    ///
    /// ```
    /// connection to server at "127.0.0.1", port 5432 failed: FATAL:  28P01: password authentication failed for user "x"
    /// DETAIL:  …
    /// LOCATION:  auth_failed, auth.c:321
    /// ```
    ///
    /// The words before two blanks are in the server's language or in libpq's. So the SQLSTATE is known by its place: on the
    /// first line of an error, behind the severity and two blanks, not within quotes. A line is an error's first one if it is
    /// the first of all, follows a `LOCATION`, or names a host, which libpq translates for programs that call `setlocale` only.
    init(verbose text: String) {
        var lines: [String] = []
        var isFirst = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            guard line.wholeMatch(of: #/[^:]+:  [^ ]+, [^ ]+\.c:[0-9]+/#) == nil else {
                isFirst = true
                continue
            }
            let match = line.prefixMatch(of: #/((?:[^"]|"[^"]*")*?[^ ":]+:  )([0-9A-Z]{5}): /#)
            if let match, isFirst || line.hasPrefix("connection to server ") {
                sqlState = SQLState(match.2)
                lines.append(String(match.1 + line[match.range.upperBound...]))
            } else {
                lines.append(line)
            }
            isFirst = false
        }
        message = lines.joined(separator: "\n")
    }
}
