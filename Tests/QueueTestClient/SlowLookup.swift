import JulietClient

/// Gives up a request whose host is looked up slowly, and prints what became of it and of one behind it.
///
/// - Parameter url: Of a server that answers at once.
func lookUpSlowly(beside url: String) async {
    let transport = SystemTransport()
    for (baseURL, timeout) in [("http://host.slow", Duration.milliseconds(200)), (url, .seconds(10))] {
        do {
            let response = try await transport.send(RequestMessage(path: "/"), to: baseURL, timeout: timeout)
            print(response.status)
        } catch {
            print(error)
        }
    }
}
