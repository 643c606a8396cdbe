public import HTTPTypes
public import Machines

extension World {
    /// The events of a kind that a client has observed.
    public func events(_ client: Int, _ kind: EventKind) -> [ChatEvent] {
        self.events[client].map(\.event).filter { $0.kind == kind }
    }

    /// The requests that clients have sent.
    public var requests: [Request] {
        self.sent.compactMap { if case .request(let request) = $0.content { request } else { nil } }
    }

    /// The heads of the handshakes that clients have sent.
    public var handshakeHeads: [HTTPRequest] {
        self.sent.compactMap { if case .handshake(let head) = $0.content { head } else { nil } }
    }

    /// Returns a client as the machine that it is.
    public func client<Machine: ClientMachine>(_ number: Int, as: Machine.Type) -> Machine {
        guard let machine = self.clients[number] as? Machine else { preconditionFailure("it is no \(Machine.self)") }
        return machine
    }

    /// Returns the server as the machine that it is.
    public func server<Machine: ServerMachine>(as: Machine.Type) -> Machine {
        guard let machine = self.server as? Machine else { preconditionFailure("it is no \(Machine.self)") }
        return machine
    }
}
