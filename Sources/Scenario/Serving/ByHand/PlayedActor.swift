import JSON
import Machines

/// Somebody whom a person plays, or the server that they talk to.
struct PlayedActor: Hashable, Sendable {
    /// What it is.
    enum Role: Hashable, Sendable {
        case server
        case client
        /// A party of the server of this kind, such as `agent`.
        case party(String)
    }

    let name: String
    let role: Role

    /// The local variable of a saved scenario that holds it.
    let variable: String

    /// The options that it was made with.
    let options: JSONObject

    /// What can be asked of it.
    func methods(in system: ChatSystem) -> [MethodDeclaration] {
        switch self.role {
        case .server: system.server.methods
        case .client: system.client.methods
        case .party(let kind): system.parties.first { $0.name == kind }?.methods ?? []
        }
    }

    /// What it observes.
    func events(in system: ChatSystem) -> [EventDeclaration] {
        switch self.role {
        case .server: []
        case .client: system.events
        case .party(let kind): system.parties.first { $0.name == kind }?.events ?? []
        }
    }
}
