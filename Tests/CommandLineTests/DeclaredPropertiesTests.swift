import JSON
import Machines
import Testing

@testable import CommandLine

@Suite("Declared properties")
struct DeclaredPropertiesTests {
    /// What a client cannot do without.
    private static let needed: [String: JSONObject] = ["oracle": ["channel_id": "c"]]
    private static let clients = Systems.all.filter { !$0.client.properties.isEmpty }.map(\.name)
    private static let servers = Systems.all.filter { !$0.server.properties.isEmpty }.map(\.name)

    private func system(_ name: String) throws -> ChatSystem { try #require(Systems.all.first { $0.name == name }) }

    @Test("a client publishes what its system declares, no more and no less", arguments: Self.clients)
    func client(name: String) throws {
        let system = try self.system(name)
        let client = try system.client.make(
            ClientConfiguration(origin: "http://a.test", target: [:], options: Self.needed[name] ?? [:]))
        #expect(client.properties.names == system.client.properties.map(\.name))
    }

    @Test("a simulated server publishes what its system declares, no more and no less", arguments: Self.servers)
    func server(name: String) throws {
        let system = try self.system(name)
        let configuration = ServerConfiguration(origin: "http://a.test", options: [:], epochMilliseconds: 0)
        let server = try #require(try system.server.make?(configuration))
        #expect(server.properties.names == system.server.properties.map(\.name))
    }

    @Test("the plain systems declare theirs")
    func declared() {
        #expect(Set(Self.clients).isSuperset(of: ["http", "websocket"]))
        #expect(Set(Self.servers).isSuperset(of: ["http", "websocket"]))
    }
}
