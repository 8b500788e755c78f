extension RequestMessage {
    /// Whether an answer can be the server's: of the media type that `Accept` names, where it names one alone.
    ///
    /// A network's log-in page answers in the place of whoever is asked, with a page or by leading to one. Answers that
    /// ask for another try are taken as they are: gateways word them as they like.
    func accepts(_ response: HTTPResponse) -> Bool {
        guard let wanted = acceptedType, response.status < 500, ![401, 408, 425, 429].contains(response.status)
        else { return true }
        guard !(300..<400).contains(response.status) || response.status == 304 else { return false }
        guard !response.body.isEmpty, let type = response[header: "Content-Type"]?.mediaType else { return true }
        return type == wanted || wanted == "application/json" && type.hasSuffix("+json")
    }

    /// The media type that `Accept` names; nil where it names none, several or a range.
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
