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
/// | open, closing | closed | closed | `disconnected` |
struct WebSocketClient: ClientMachine {
    private enum State: String {
        case idle, connecting, open, closing, closed
    }

    private let options: ConnectOptions
    private var state = State.idle
    private var connection = ConnectionID(0)
    private var subprotocol: String?
    /// Whether messages on the connection are only counted.
    private var countsFrames = false
    /// What has arrived on the connection while messages were only counted.
    private var counted = (frames: Int64(0), bytes: Int64(0))

    /// Creates a client that is not connected.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        self.options = try ConnectOptions(
            origin: configuration.origin, target: configuration.target, options: configuration.options)
    }

    var identity: JSONObject { ["connection": .integer(Int64(self.connection.number))] }

    var properties: JSONObject {
        [
            "state": .string(self.state.rawValue), "subprotocol": self.subprotocol.map { .string($0) } ?? .null,
            "frames": .integer(self.counted.frames), "bytes": .integer(self.counted.bytes),
        ]
    }

    mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        switch input {
        case .opened(self.connection, let subprotocol) where self.state == .connecting:
            self.state = .open
            self.subprotocol = subprotocol
            step.ask(.emit(ChatEvent(.connected, ["subprotocol": subprotocol.map { .string($0) } ?? .null])))
        case .openFailed(self.connection, let failure) where self.state == .connecting:
            self.state = .closed
            var fields: JSONObject = ["code": .string(failure.code.rawValue), "message": .string(failure.message)]
            fields["status"] = failure.status.map { .integer(Int64($0)) }
            step.ask(.emit(ChatEvent(.error, fields)))
        case .received(self.connection, let message) where self.countsFrames:
            self.counted.frames += 1
            switch message {
            case .text(let text): self.counted.bytes += Int64(text.utf8.count)
            case .binary(let bytes): self.counted.bytes += Int64(bytes.count)
            }
        case .received(self.connection, let message): step.ask(.emit(FrameFields.event(of: message)))
        case .closed(self.connection, let closure):
            self.state = .closed
            step.ask(.emit(FrameFields.event(of: closure)))
        default: break
        }
    }

    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        switch (command.name, self.state) {
        case ("connect", .idle), ("connect", .closed):
            let options: ConnectOptions
            do { options = try self.options.overridden(by: command.arguments["options"]?.object ?? [:]) } catch {
                return .refused(error.message)
            }
            self.connection = ConnectionID(self.connection.number + 1)
            self.countsFrames = options.countsFrames
            self.counted = (0, 0)
            self.state = .connecting
            step.ask(.open(self.connection, options.request, subprotocols: options.subprotocols))
            return .done(.null)
        case ("connect", _): return .refused("the connection is \(self.state.rawValue) already; close it first")
        case ("close", .open):
            self.state = .closing
            let code = command.arguments["code"]?.integer ?? 1000
            guard code == 1000 || 3000...4999 ~= code else {
                return .refused("close takes the code 1000 or one from 3000 to 4999 (RFC 6455 §7.4), not \(code)")
            }
            let reason = command.arguments["reason"]?.string ?? ""
            step.ask(.close(self.connection, code: UInt16(code), reason: reason))
            return .done(.null)
        case ("drop", .open), ("drop", .connecting), ("drop", .closing):
            self.state = .closed
            step.ask(.abort(self.connection))
            return .done(.null)
        case (_, .open):
            switch FrameFields.message(of: command) {
            case .success(let message):
                step.ask(.transmit(self.connection, message))
                return .done(.null)
            case .failure(let error): return .refused(error.message)
            case nil: return .refused("\(command.name) is not a method of a WebSocket client")
            }
        default:
            return .refused(
                "\(command.name) needs an open connection, but it is \(self.state.rawValue); call connect and expect \"connected\" first"
            )
        }
    }

    mutating func tearDown(in step: inout ClientStep) {
        switch self.state {
        case .open: step.ask(.close(self.connection, code: 1000, reason: ""))
        case .connecting: step.ask(.abort(self.connection))
        case .idle, .closing, .closed: break
        }
    }
}
