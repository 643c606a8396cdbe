import JSON
import Machines
import Testing

@testable import Scenario

@Suite("What scripts have said of the network")
struct NetworkStatementsTests {
    private static func conditions(_ members: JSONObject) throws -> NetworkConditions {
        try NetworkConditions(checking: members, of: "t:network")
    }

    private static func order(_ client: String?, _ members: JSONObject, line: Int = 1) throws -> NetworkOrder {
        NetworkOrder(
            client: client, conditions: try self.conditions(members),
            position: ScriptPosition(file: "a.lua", line: line))
    }

    @Test("takes one word of a play as long as nothing is said")
    func size() {
        #expect(MemoryLayout<Boxed<NetworkStatements>>.size == MemoryLayout<Int>.size)
    }

    @Test("is told in lines, those of single clients until something is said of all")
    func lines() throws {
        var statements = NetworkStatements()
        #expect(statements.lines == [])
        statements.add(try Self.conditions(["loss": 0.5]), of: "Ada", at: .start) { _ in false }
        statements.add(try Self.conditions(["loss": 1]), of: "Ada", at: .start + .seconds(1)) { _ in false }
        statements.add(try Self.conditions([:]), of: "Bob", at: .start + .seconds(2)) { _ in false }
        #expect(statements.lines == ["Ada  loss=1  since 1s", "Bob  without faults  since 2s"])
        statements.add(try Self.conditions([:]), of: nil, at: .start + .seconds(3)) { _ in false }
        #expect(statements.lines == [])
    }

    @Test("remembers that bits were at risk or a direction was ended for its side, and no other fault")
    func interference() throws {
        for (members, hasInterfered) in [
            (["corrupt": 0.1], true), (["half_close": "client"], true), (["cut": true, "loss": 1], false),
        ] as [(JSONObject, Bool)] {
            var statements = NetworkStatements()
            #expect(!statements.hasInterfered)
            statements.add(try Self.conditions(members), of: "Ada", at: .start) { _ in false }
            statements.add(try Self.conditions([:]), of: nil, at: .start) { _ in false }
            #expect(statements.hasInterfered == hasInterfered, "\(members)")
        }
    }

    @Test("has idle orders where none has struck while it held, whatever comes to pass afterwards")
    func orders() throws {
        var statements = NetworkStatements()
        statements.add(try Self.order("Ada", ["stall": true]))
        statements.add(try Self.order("Bob", ["stall": true]))
        #expect(statements.findIdleOrders { $0.client == "Bob" }.map(\.client) == ["Ada"])
        statements.add(try Self.conditions([:]), of: "Ada", at: .start) { _ in false }
        #expect(statements.findIdleOrders { _ in true }.map(\.client) == ["Ada"])
        statements.add(try Self.conditions([:]), of: nil, at: .start) { _ in true }
        #expect(statements.findIdleOrders { _ in false }.map(\.client) == ["Ada"])
    }

    @Test("keeps an idle order once however often it is given, and of all a bounded number")
    func repeatedOrders() throws {
        var statements = NetworkStatements()
        func give(_ client: String?, _ members: JSONObject, line: Int) throws {
            statements.add(try Self.order(client, members, line: line))
            statements.add(try Self.conditions([:]), of: client, at: .start) { _ in false }
        }
        func idle() -> [NetworkOrder] { statements.findIdleOrders { _ in false } }
        for _ in 1...100 { try give(nil, ["stall": true], line: 1) }
        #expect(idle().count == 1)
        // The last one still holds.
        statements.add(try Self.order(nil, ["stall": true], line: 1))
        #expect(idle().count == 1)
        try give(nil, ["stall": true], line: 2)
        try give(nil, ["stall": "1KB"], line: 2)
        try give("Ada", ["stall": "1KB"], line: 2)
        #expect(idle().map(\.position?.line) == [1, 2, 2, 2] && idle().last?.client == "Ada")
        for line in 3...100 { try give(nil, ["stall": true], line: line) }
        #expect(idle().count == NetworkStatements.mostIdle)
    }

    @Test("holds any number of clients to orders of their own that may strike yet")
    func manyClients() throws {
        var statements = NetworkStatements()
        let clients = (1...100).map { "ada-\($0)" }
        for client in clients {
            statements.add(try Self.conditions(["stall": "1KB"]), of: client, at: .start) { _ in false }
            statements.add(try Self.order(client, ["stall": "1KB"]))
        }
        #expect(statements.findIdleOrders { $0.client != clients.last }.map(\.client) == [clients.last])
    }

    @Test("knows that an order for all has struck a client that gets a network of its own afterwards")
    func commonOrder() throws {
        var statements = NetworkStatements()
        statements.add(try Self.order(nil, ["stall": true]))
        statements.add(try Self.conditions(["loss": 1]), of: "Ada", at: .start) { _ in true }
        #expect(statements.findIdleOrders { _ in false }.isEmpty)
        statements.add(try Self.order(nil, ["stall": true]))
        statements.add(try Self.conditions(["loss": 1]), of: "Ada", at: .start) { _ in false }
        #expect(statements.findIdleOrders { _ in true }.isEmpty)
    }
}
