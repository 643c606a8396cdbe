import CommandLine
import RunRecord
import Testing

@Suite("What is empty is not taken for something, nor for anything")
struct EmptyValueTests {
    @Test(
        "a table without members takes no table that has some, at whatever depth",
        arguments: [
            Trap(
                """
                t:server(http, { answers = { { json = { ok = false, errors = { email = "taken" } } } } })
                local visitor = t:actor(http)
                visitor:get "/"
                visitor:expect("response", { json = { errors = {} } })
                """, .failure, "cannot observe response { json = { errors = {} } } any more"),
            Trap("expect({ errors = { email = \"taken\" } }, { errors = {} })", .failure, "expected { errors = {} }"),
            Trap("check({ { a = 1 } }, { {} })", .failure, "expected { {} }"),
        ])
    func emptyTables(trap: Trap) async throws { try await trap.expect() }

    @Test(
        "what a server left empty, and a list of events to which none came, is not there",
        arguments: [
            Trap(
                """
                t:server(http, { answers = { { json = { order = json.null } } } })
                local visitor = t:actor(http)
                visitor:get "/"
                expect(visitor:expect("response").json.order)
                """, .failure, "expect got null"),
            Trap("local client = connected(t)\nexpect(client:events \"frame\")", .failure, "expect got {}, an empty"),
        ])
    func nothing(trap: Trap) async throws { try await trap.expect() }
}
