import HTTPServer
import JulietAPI

/// The API's description as a page for people, made of the same operations and schemas as the OpenAPI document.
///
/// Its script searches, shows one operation at a time and asks the service; without it the page shows everything. Addresses in it
/// are relative: it works below any base path.
struct DocumentationPage {
    private let description: APIDescription

    /// The page of a description.
    init(_ description: APIDescription) {
        self.description = description
    }

    /// The page, UTF-8.
    var bytes: [UInt8] { Array(text.utf8) }

    private var text: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Juliet: the API</title>
        <meta name="description" content="What clients of Juliet may ask, and what they are answered.">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="pages/icon.svg" type="image/svg+xml">
        <link rel="stylesheet" href="pages/colours.css">
        <link rel="stylesheet" href="pages/docs.css">
        <script src="pages/theme.js"></script>
        </head>
        <body>
        <a class="skip" href="#main">To the content</a>
        <header>
        <a class="wordmark" href="./"><img src="pages/icon.svg" alt="" width="28" height="28">Juliet</a>
        <a href="openapi.json">OpenAPI document</a>
        </header>
        <main id="main">
        <div class="preface">
        <h1>The API</h1>
        <p>\(HTML.text(APIDescription.about))</p>
        <p>Requests and answers are JSON, times are RFC 3339 in UTC. A token goes along as \
        <code>Authorization: Bearer jt_…</code>. Each request below says what \
        a repeat does, and whether an <code>Idempotency-Key</code> makes it happen once. Refusals are <a href="#Problem">problem details</a>.</p>
        </div>
        <nav aria-label="Contents">\(contents)</nav>
        <div class="reference">
        \(groups.map(section).joined(separator: "\n"))
        \(problems)
        \(codes)
        <section aria-labelledby="types"><h2 id="types">Types</h2>
        \(description.schemas.map(\.article).joined(separator: "\n"))
        </section>
        </div>
        </main>
        <script src="pages/docs.js"></script>
        </body>
        </html>

        """
    }

    private var groups: [String] {
        description.operations.reduce(into: []) { groups, operation in
            if !groups.contains(operation.group) { groups.append(operation.group) }
        }
    }

    private func operations(of group: String) -> [APIOperation] {
        description.operations.filter { $0.group == group }
    }

    private var contents: String {
        let groups = groups.map { group in
            let items = operations(of: group).map { operation in
                "<li><a href=\"#\(operation.name)\">\(operation.signature)</a></li>"
            }
            return "<li><a href=\"#\(HTML.anchor(group))\">\(HTML.text(group))</a><ul>\(items.joined())</ul></li>"
        }
        let rest =
            "<li><a href=\"#problems\">Problems</a></li>"
            + "<li><a href=\"#codes\">Errors of the published app's URLs</a></li><li><a href=\"#types\">Types</a></li>"
        return "<ul>\(groups.joined())\(rest)</ul>"
    }

    private func section(_ group: String) -> String {
        let anchor = HTML.anchor(group)
        return """
            <section aria-labelledby="\(anchor)"><h2 id="\(anchor)">\(HTML.text(group))</h2>
            \(operations(of: group).map(\.article).joined(separator: "\n"))
            </section>
            """
    }

    private var codes: String {
        let rows = ErrorCode.allCases.map { code in
            ["<code>\(code.rawValue)</code>", String(code.status), HTML.text(code.message)]
        }
        return """
            <section aria-labelledby="codes"><h2 id="codes">Errors of the published app's URLs</h2>
            <p>What <code>error.code</code> says beside the keys of the answer, which are there whatever went wrong. \
            HTTP's status is the worse of the answer's two. What HTTP itself refuses has codes that begin with \
            <code>http.</code></p>
            \(HTML.table(["Code", "Status", "What it says"], rows))
            </section>
            """
    }

    private var problems: String {
        let rows = description.problems.map { code in
            [
                "<code id=\"problem-\(code.rawValue)\">\(code.rawValue)</code>", String(code.status),
                "\(HTML.text(code.title)). \(HTML.text(code.detail))",
            ]
        }
        return """
            <section aria-labelledby="problems"><h2 id="problems">Problems</h2>
            <p>What is answered below <code>/v2</code> instead of what was asked. Any request may meet \
            \(V2.ProblemCode.common.map(\.link).joined(separator: ", ")).</p>
            \(HTML.table(["Code", "Status", "What it says"], rows))
            </section>
            """
    }
}

extension APIOperation {
    fileprivate var signature: String {
        "<span class=\"method \(method.rawValue.lowercased())\">\(method)</span> <code>\(HTML.path(path))</code>"
    }

    fileprivate var article: String {
        """
        <article id="\(name)" \(data)><h3>\(signature)</h3>
        <p>\(HTML.text(about)) \(proof.sentence)</p>
        \(HTML.markdown(text))
        \(inputs)\(outputs)\(samples)\(curl)
        </article>
        """
    }

    private var inputs: String {
        // The key that everything that changes something takes is told of once, at the top.
        var rows = parameters.filter { $0.place != .header }.map { parameter in
            [
                "<code>\(HTML.text(parameter.name))</code>", parameter.place.rawValue, parameter.schema.summary,
                HTML.text(parameter.about),
            ]
        }
        if let request {
            rows += request.members.map { [$0[0], "body", $0[1], $0[2]] }
            if case .oneOf = request.form {
                rows.append(["", "body", request.summary, HTML.text(request.about ?? "")])
            }
        }
        return rows.isEmpty ? "" : HTML.table(["Name", "In", "Type", "What it is"], rows)
    }

    /// What the page's script needs to ask for it.
    private var data: String {
        let query = parameters.filter { $0.place == .query }.map(\.name).joined(separator: " ")
        let token =
            switch proof {
            case .token: "some"
            case .nothing, .appKey: "none"
            }
        return "data-method=\"\(method)\" data-path=\"\(path)\" data-query=\"\(query)\" data-token=\"\(token)\""
    }

    /// What to type, behind a fold.
    private var curl: String {
        let body = requestExamples.first.map { " -d '\(String(decoding: $0.json, as: UTF8.self))'" } ?? ""
        let verb = method == .get || (method == .post && !body.isEmpty) ? "" : " -X \(method)"
        let header =
            if case .token(isOptional: false) = proof { " -H \"Authorization: Bearer $TOKEN\"" } else { "" }
        let swift = swift.map { "<p>JulietClient</p>\(HTML.code("try await juliet.send(\($0))"))" } ?? ""
        return """
            <details><summary>In a shell\(swift.isEmpty ? "" : ", in Swift")</summary>
            <p>curl</p>\(HTML.code("curl -s\(verb) $URL\(path)\(header)\(body)"))\(swift)</details>
            """
    }

    /// What to send and what comes back, behind a fold.
    private var samples: String {
        let answers = answers.filter { $0.status.code < 300 && !$0.examples.isEmpty }
        guard !requestExamples.isEmpty || !answers.isEmpty else { return "" }
        let sent = requestExamples.map { HTML.code(JSONIndentation.indent($0.json), attribute: "data-request") }
        let received = answers.flatMap { answer in
            answer.examples.map { "<p>\(answer.status.code)</p>" + HTML.code(JSONIndentation.indent($0.json)) }
        }
        return """
            <details><summary>Example</summary>
            \((sent.isEmpty ? [] : ["<p>Request</p>"] + sent).joined())\(received.joined())</details>
            """
    }

    private var outputs: String {
        let rows = answers.compactMap { answer -> [String]? in
            let status = String(answer.status.code)
            switch answer.content {
            case .nothing: return [status, "", HTML.text(answer.about)]
            // The published app's errors are told of once, below.
            case .json where answer.status.code >= 400: return nil
            case .json(let schema): return [status, schema.summary, HTML.text(answer.about)]
            case .problem(let codes):
                let own = codes.filter { !V2.ProblemCode.common.contains($0) }
                return own.isEmpty
                    ? nil : [status, own.map(\.link).joined(separator: ", "), HTML.text(Answer(own).about)]
            }
        }
        return HTML.table(["Status", "Answer", "What it means"], rows)
    }
}

extension APIOperation.Proof {
    fileprivate var sentence: String {
        switch self {
        case .nothing: "<span class=\"who\">Without a token.</span>"
        case .token(isOptional: true): "<span class=\"who\">With a token or without.</span>"
        case .token(isOptional: false): "<span class=\"who\">With a player's token.</span>"
        case .appKey: "<span class=\"who\">With an <code>AuthToken</code>, if the service has keys.</span>"
        }
    }
}

extension V2.ProblemCode {
    fileprivate var link: String { "<a href=\"#problem-\(rawValue)\"><code>\(rawValue)</code></a>" }
}
