extension RequestMessage {
    /// Whether an answer can be the server's: it has the media type that `Accept` names, if that names a single one, and a
    /// 304 answers a conditional request only.
    ///
    /// A network's log-in page answers instead of the server, with a page or a redirect to one. Answers that ask for
    /// another try are accepted in any form, because gateways word them in many ways.
    func accepts(_ response: HTTPResponse) -> Bool {
        if response.status == 304 { return isConditional }
        guard let wanted = acceptedType, response.status < 500, ![401, 408, 425, 429].contains(response.status)
        else { return true }
        guard !(300..<400).contains(response.status) else { return false }
        guard !response.body.isEmpty, let type = response[header: "Content-Type"]?.mediaType else { return true }
        return type == wanted || wanted == "application/json" && type.hasSuffix("+json")
    }

    /// The media type that `Accept` names; nil if it names none, several or a range.
    private var acceptedType: String? {
        guard let value = headers.value(of: "Accept"),
            !value.contains(","), !value.contains("*")
        else { return nil }
        return value.mediaType
    }
}

extension String {
    /// A media type without its parameters, lower case (RFC 9110 §8.3.1).
    var mediaType: String {
        let type = prefix { $0 != ";" }
        return type.split(separator: " ").joined().lowercased()
    }
}
