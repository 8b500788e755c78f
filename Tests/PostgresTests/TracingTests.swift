import EventLoop
import InMemoryTracing
import Postgres
import PostgresTracing
import Testing
import Tracing

@Suite("Tracing")
struct TracingTests {
    private func attribute(_ span: FinishedInMemorySpan, _ name: String) -> String? {
        if case .string(let text)? = span.attributes.get(name) { text } else { nil }
    }

    @Test(
        "each statement is a child of its caller's span, also in a batch with others', and another observer hears all")
    func spans() async throws {
        try await Fixture.run { fixture in
            try await fixture.createPlayers(8)
            let (tracer, watcher) = (InMemoryTracer(), Watcher())
            try await fixture.withClient({
                $0.observer = PostgresTracingObserver(forwardingTo: watcher, tracer: tracer)
            }) { client in
                await withTaskGroup(of: Void.self) { group in
                    for index in 0..<8 {
                        group.addTask {
                            await tracer.withSpan("request \(index)") { _ in
                                _ = try? await client.first(Bump(id: "p\(index)", by: index == 3 ? 2000 : 1))
                            }
                        }
                    }
                }
                try await tracer.withSpan("request 8") { _ in
                    try await client.withTransaction { _ = try await $0.execute(Bump(id: "p0")) }
                    let task = Task { try await client.execute(Bump(id: "p1")) }
                    task.cancel()
                    _ = await task.result
                }
            }
            #expect(tracer.activeSpans.isEmpty, "every span has an end")
            let spans = tracer.finishedSpans
            let requests = spans.filter { $0.operationName.hasPrefix("request") }
            let statements = spans.filter { $0.operationName == "Bump" }
            #expect(requests.count == 9 && statements.count == 10)
            for statement in statements {
                let parents = requests.filter {
                    $0.spanID == statement.parentSpanID && $0.traceID == statement.traceID
                }
                #expect(parents.count == 1)
                #expect(statement.kind == .client)
                #expect(attribute(statement, "db.system.name") == "postgresql")
                #expect(attribute(statement, "db.query.text") == Bump(id: "").sql.description)
            }
            let failed = statements.filter { attribute($0, "db.response.status_code") == "23514" }
            #expect(failed.count == 1 && attribute(failed[0], "error.type") == "server")
            #expect(failed[0].status?.code == .error)
            #expect(failed[0].parentSpanID == requests.first { $0.operationName == "request 3" }?.spanID)
            #expect(watcher.seen.statements.count == 9 && watcher.seen.opened >= 2)
        }
    }
}
