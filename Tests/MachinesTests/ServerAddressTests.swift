import JSON
import Machines
import Testing

/// Where the server of a system with its vendor's paths is.
struct ServerAddressTests {
    private func configuration(_ origin: String) -> ClientConfiguration {
        ClientConfiguration(origin: origin, target: [:], options: [:])
    }

    @Test(arguments: ["https://chat.example", "http://127.0.0.1:8080/", "wss://chat.example"])
    func hostsAreTaken(_ origin: String) throws {
        let address = try self.configuration(origin).serverAddress()
        #expect(address.path == "/")
        #expect(origin.hasPrefix("\(address.scheme)://\(address.authority)"))
    }

    @Test func aPathIsRefusedBecauseItWouldBeLost() throws {
        let error = try #require(throws: ConfigurationError.self) {
            try self.configuration("https://chat.example:8443/stage/1").serverAddress()
        }
        #expect(error.message.contains("write https://chat.example:8443, not https://chat.example:8443/stage/1"))
    }

    @Test(arguments: ["", "chat.example", "ftp://chat.example", "https://"])
    func whatIsNoServerIsRefused(_ origin: String) {
        #expect(throws: ConfigurationError.self) { try self.configuration(origin).serverAddress() }
    }

    @Test func aURLOfTheOptionsTakesThePlaceOfTheTarget() throws {
        let address = try self.configuration("https://chat.example/stage").serverAddress("http://127.0.0.1:1")
        #expect(address.authority == "127.0.0.1:1")
    }
}
