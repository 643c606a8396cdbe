import HTTPTypes
import JSON
import Machines

/// A client of any WebSocket server: it opens, sends what the script says and shows what arrives.
///
/// | state | input | → state | events |
/// |---|---|---|---|
/// | idle, closed | `connect` | connecting | |
/// | connecting | opened | open | `connected` |
/// | connecting | open failed | closed | `error` |
/// | open | message | open | `frame` |
/// | open | `close` | closing | |
/// | connecting, open, closing | `drop` | closed | |
/// | open, closing | closed | closed | `disconnected` |
struct PlainWebSocketClient: ClientMachine {
    /// What it has under way: no timers, no requests, and the connections that it opened, counted from 1.
    enum Keys: MachineKeys {
        typealias Timer = NoTimer
        typealias Exchange = Never
        typealias Connection = UInt64
    }

    static var commands: CommandSet<ClientCommand> { ClientCommand.commands }

    private enum State: String, CaseIterable {
        case idle, connecting, open, closing, closed
    }

    private let options: ConnectOptions
    private var state = State.idle
    private var connection: UInt64 = 0
    private var subprotocol: String?
    /// How the last connection ended, in words, where it was not the script that ended it.
    private var loss: String?
    /// Whether messages on the connection are only counted.
    private var countsFrames = false
    /// What has arrived on the connection while messages were only counted.
    private var counted = (frames: Int64(0), bytes: Int64(0))

    /// Creates a client that is not connected.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        self.options = try ConnectOptions(
            origin: configuration.origin, target: configuration.target, options: configuration.options)
    }

    var identity: JSONObject { ["connection": .integer(Int64(self.connection))] }

    var absences: [EventKind: String] {
        guard self.state == .idle ? self.options.countsFrames : self.countsFrames else { return [:] }
        return [.frame: "with counts = true messages are only counted, in the properties frames and bytes"]
    }

    /// What scripts can read.
    static let declaredProperties = [
        PropertyDeclaration("state", .choice(State.allCases.map(\.rawValue)), "What the connection is."),
        PropertyDeclaration("subprotocol", .string, "The sub-protocol that the server chose; null if it chose none."),
        PropertyDeclaration("frames", .integer, "How many messages have arrived while they were only counted."),
        PropertyDeclaration("bytes", .integer, "How many bytes these messages had."),
    ]

    var properties: JSONObject {
        [
            "state": .string(self.state.rawValue), "subprotocol": self.subprotocol.map { .string($0) } ?? .null,
            "frames": .integer(self.counted.frames), "bytes": .integer(self.counted.bytes),
        ]
    }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .opened(self.connection, let subprotocol) where self.state == .connecting:
            self.state = .open
            self.subprotocol = subprotocol
            var fields = JSONObject()
            fields["subprotocol"] = subprotocol.map { .string($0) }
            step.ask(.emit(ChatEvent(.connected, fields)))
        case .openFailed(self.connection, let failure) where self.state == .connecting:
            self.state = .closed
            var fields: JSONObject = ["code": .string(failure.code.rawValue), "message": .string(failure.message)]
            fields["status"] = failure.status.map { .integer(Int64($0)) }
            if !failure.body.isEmpty { fields["body"] = .string(String(decoding: failure.body, as: UTF8.self)) }
            step.ask(.emit(ChatEvent(.error, fields)))
        case .received(self.connection, let message) where self.countsFrames:
            self.counted.frames += 1
            switch message {
            case .text(let text): self.counted.bytes += Int64(text.utf8.count)
            case .binary(let bytes): self.counted.bytes += Int64(bytes.count)
            }
        case .received(self.connection, let message): step.ask(.emit(FrameFields.event(of: message)))
        case .closed(self.connection, let closure):
            self.loss = self.state == .open ? closure.text(isByClient: false) : nil
            self.state = .closed
            step.ask(.emit(FrameFields.event(of: closure)))
        default: break
        }
    }

    mutating func perform(_ command: ClientCommand, in step: inout Step) -> CommandOutcome {
        switch (command, self.state) {
        case (.connect(let changed), .idle), (.connect(let changed), .closed):
            let options: ConnectOptions
            do throws(ConfigurationError) {
                options = try self.options.overridden(by: changed ?? [:])
            } catch {
                return .refused(error.message)
            }
            self.connection += 1
            self.loss = nil
            self.countsFrames = options.countsFrames
            self.counted = (0, 0)
            self.state = .connecting
            step.ask(
                .open(self.connection, options.request, subprotocols: options.subprotocols, options.webSocket))
        case (.connect, _): return .refused("the connection is \(self.state.rawValue) already; close it first")
        case (.close(let code, let reason), .open):
            let code = code ?? 1000
            guard code == 1000 || 3000...4999 ~= code else {
                return .refused("close takes the code 1000 or one from 3000 to 4999 (RFC 6455 §7.4), not \(code)")
            }
            if let obstacle = CloseReason.obstacle(to: reason ?? "") { return .refused(obstacle) }
            self.state = .closing
            step.ask(.close(self.connection, code: UInt16(code), reason: reason ?? ""))
        case (.drop, .open), (.drop, .connecting), (.drop, .closing):
            self.state = .closed
            step.ask(.abort(self.connection))
        case (.send(let sending), .open):
            do throws(CommandError) {
                step.ask(.transmit(self.connection, try sending.message))
            } catch {
                return .refused(error.message)
            }
        case (.send, _), (.close, _), (.drop, _):
            if let loss = self.loss { return .disconnected(loss) }
            return .refused(
                "\(command.method) needs an open connection, but it is \(self.state.rawValue); call connect and expect \"connected\" first"
            )
        }
        return .done(.null)
    }

    mutating func tearDown(in step: inout Step) {
        switch self.state {
        case .open: step.ask(.close(self.connection, code: 1000, reason: ""))
        case .connecting: step.ask(.abort(self.connection))
        case .idle, .closing, .closed: break
        }
    }
}
