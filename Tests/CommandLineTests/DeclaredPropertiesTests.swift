import JSON
import Machines
import Testing

@testable import CommandLine

@Suite("Declared properties")
struct DeclaredPropertiesTests {
    /// What a client cannot do without.
    private static let needed: [String: JSONObject] = ["oracle": ["channel_id": "c"]]
    private static let names = BuiltInSystems.all.map(\.name)

    private func system(_ name: String) throws -> ChatSystem {
        try #require(BuiltInSystems.all.first { $0.name == name })
    }

    @Test("a client publishes what its system declares, no more and no less", arguments: Self.names)
    func client(name: String) throws {
        let system = try self.system(name)
        let client = try system.client.make(
            ClientConfiguration(origin: "http://a.test", target: [:], options: Self.needed[name] ?? [:]))
        #expect(client.properties.names == system.client.properties.map(\.name))
    }

    @Test("a simulated server publishes what its system declares, no more and no less", arguments: Self.names)
    func server(name: String) throws {
        let system = try self.system(name)
        let configuration = ServerConfiguration(origin: "http://a.test", options: [:], epochMilliseconds: 0)
        let server = try #require(try system.server.make?(configuration))
        #expect(server.properties.names == system.server.properties.map(\.name))
    }

    @Test("no property has the name of a method, which would hide it", arguments: Self.names)
    func hidden(name: String) throws {
        let system = try self.system(name)
        #expect(Set(system.client.properties.map(\.name)).isDisjoint(with: system.client.methods.map(\.name)))
        #expect(
            Set(system.server.properties.map(\.name)).isDisjoint(
                with: system.server.methods.map(\.name) + system.parties.map(\.name)))
    }
}
