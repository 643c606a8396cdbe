/// A server as an object that scripts can hold.
final class ServerHandle {
    let server: any ScenarioServer

    init(_ server: any ScenarioServer) {
        self.server = server
    }
}
