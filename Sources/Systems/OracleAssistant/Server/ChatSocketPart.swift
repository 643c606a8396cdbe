import HTTPTypes
import JSON
import Machines

/// The WebSockets of the chat, and whose they are.
///
/// | a connection's state | input | → state | actions |
/// |---|---|---|---|
/// | none | `upgradeAsked` for this channel, without a need of a token | open | accepts, joins |
/// | none | `upgradeAsked` with a token that is taken | open | accepts, joins |
/// | none | `upgradeAsked` without the token that is needed | unknown | accepts |
/// | none | `upgradeAsked` otherwise | none | refuses, or accepts and closes |
/// | unknown | `received` a token that is taken | open | joins |
/// | unknown | `received` another token, or anything but a ping | none | leaves, closes |
/// | open | `received` a token | open | |
/// | unknown, open | `received` a ping | unchanged | answers it |
/// | open | `received` otherwise | open | takes the frame |
/// | unknown | `unreadable` | none | leaves, closes |
/// | open | `unreadable` | open | refuses the frame |
/// | unknown, open | `closed` | none | leaves |
struct ChatSocketPart: Sendable {
    /// What happens to the WebSockets.
    enum Input: Sendable {
        case upgradeAsked(ConnectionID, ChannelRequest)
        case received(ConnectionID, ClientFrame)
        /// What came is not JSON.
        case unreadable(ConnectionID)
        case closed(ConnectionID)
    }

    private struct Socket: Sendable {
        let userID: String
        var isAuthenticated: Bool
    }

    private var sockets: [ConnectionID: Socket] = [:]

    /// How many connections there are.
    var count: Int { self.sockets.count }

    /// The user of a connection.
    func user(of connection: ConnectionID) -> String? { self.sockets[connection]?.userID }

    /// Whether the server knows that a connection is its user's.
    func isAuthenticated(_ connection: ConnectionID) -> Bool { self.sockets[connection]?.isAuthenticated == true }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ gate: ChannelGate) -> [ServerAction] {
        switch input {
        case .upgradeAsked(let connection, let asked): return self.upgrade(connection, asked, gate)
        case .received(let connection, let frame): return self.take(frame, from: connection, gate)
        case .unreadable(let connection):
            guard let socket = self.sockets[connection] else { return [] }
            return socket.isAuthenticated ? [.refuseFrame("The frame is not JSON.")] : self.close(connection, gate)
        case .closed(let connection):
            return self.sockets.removeValue(forKey: connection) == nil ? [] : [.leave(connection)]
        }
    }

    private mutating func upgrade(
        _ connection: ConnectionID, _ asked: ChannelRequest, _ gate: ChannelGate
    ) -> [ServerAction] {
        guard ChannelAddress.segments.contains(asked.path.split(separator: "/").last.map(String.init) ?? "") else {
            return [.perform(.refuse(connection, Response(text: "Nothing is here.\n", status: .notFound)))]
        }
        guard gate.knows(asked), gate.channel.isEnabled else {
            return self.refuse(connection, asked, gate)
        }
        var isAuthenticated = !gate.channel.demandsToken
        if gate.channel.demandsToken, let token = asked.bearer {
            guard gate.takes(token, of: asked) else {
                return [.perform(.refuse(connection, Response(text: "AuthFailed\n", status: .unauthorized)))]
            }
            isAuthenticated = true
        }
        self.sockets[connection] = Socket(userID: asked.userID, isAuthenticated: isAuthenticated)
        return [.perform(.accept(connection, subprotocol: nil))] + (isAuthenticated ? [.join(connection)] : [])
    }

    private func refuse(
        _ connection: ConnectionID, _ asked: ChannelRequest, _ gate: ChannelGate
    ) -> [ServerAction] {
        if gate.faults[.lateRefusal] {
            return [
                .perform(.accept(connection, subprotocol: nil)),
                .perform(.close(connection, code: 1008, reason: "UnknownChannel")),
            ]
        }
        let isDisabled = gate.knows(asked)
        let text = isDisabled ? "The channel is disabled.\n" : "The channel or the user is unknown.\n"
        let response = Response(text: text, status: isDisabled ? .forbidden : .notFound)
        return [.perform(.refuse(connection, response))]
    }

    private mutating func take(
        _ frame: ClientFrame, from connection: ConnectionID, _ gate: ChannelGate
    ) -> [ServerAction] {
        guard let socket = self.sockets[connection] else { return [] }
        switch frame {
        case .authentication(let token):
            guard !socket.isAuthenticated else { return [] }
            guard gate.user(of: token) == socket.userID else { return self.close(connection, gate) }
            self.sockets[connection]?.isAuthenticated = true
            return [.join(connection)]
        case .ping:
            if gate.faults[.noPong] { return [] }
            return [.perform(.transmit(connection, .text(ServerFrame.pong.json.description)))]
        default: return socket.isAuthenticated ? [.take(frame)] : self.close(connection, gate)
        }
    }

    private mutating func close(_ connection: ConnectionID, _ gate: ChannelGate) -> [ServerAction] {
        self.sockets[connection] = nil
        let code = gate.faults.number(.authenticationCode) ?? 1008
        let closing =
            code == 1006
            ? OracleServer.Effect.abort(connection)
            : .close(connection, code: UInt16(clamping: code), reason: "AuthFailed")
        return [.leave(connection), .perform(closing)]
    }
}
