import HTTPTypes
import JSON
import Machines
import RunRecord
import Secrets
import Transport

/// Puts what goes over the wire into the run record.
final class WireRecorder: WireObserver {
    /// At most this many bytes of a message are kept; of plain bytes all are.
    static let payloadLimit = 16 << 10

    private var execution: ScenarioExecution?
    let wantsBytes: Bool

    init(execution: ScenarioExecution, wantsBytes: Bool) {
        self.execution = execution
        self.wantsBytes = wantsBytes
    }

    /// Records nothing more; connections may outlive the execution.
    func end() {
        self.execution = nil
    }

    func observe(_ record: WireRecord) {
        guard self.execution?.keepsWhatComes == true else { return }
        // Most of what is captured: it is text already, and need not be taken to bytes and checked once more.
        switch record.content {
        case .message(.text(let text)) where text.utf8.count <= Self.payloadLimit:
            return self.keep(record, "WebSocket text", .text(text), isTruncated: false)
        case .linkMessage(.text(let text), let framing) where text.utf8.count <= Self.payloadLimit:
            let summary = Self.name(of: .text(text), framing, record.direction)
            return self.keep(record, summary, .text(text), isTruncated: false)
        default: break
        }
        let (summary, payload) = self.described(record.content, record.direction)
        var kept = payload
        if case .bytes = record.content {} else { kept = payload.map { self.cut($0) } }
        self.keep(record, summary, kept.map(Self.recorded), isTruncated: payload?.count != kept?.count)
    }

    private func keep(_ record: WireRecord, _ summary: String, _ payload: WireFrame.Payload?, isTruncated: Bool) {
        self.execution?.record(
            .wire(
                WireFrame(
                    connection: record.connection, direction: record.direction == .sent ? .sent : .received,
                    summary: summary, payload: payload, isTruncated: isTruncated)))
    }

    /// A secret at the place of the cut is taken out before, so that no beginning of it stays.
    private func cut(_ payload: [UInt8]) -> [UInt8] {
        guard payload.count > Self.payloadLimit, let execution = self.execution else { return payload }
        let start = Array(payload.prefix(Self.payloadLimit + Self.longestSecret))
        return Array(execution.secrets.masked(start).prefix(Self.payloadLimit))
    }

    private static let longestSecret = 4 << 10

    /// Text stays readable; other bytes are written as base64.
    private static func recorded(_ bytes: [UInt8]) -> WireFrame.Payload {
        if let text = String(validating: bytes, as: UTF8.self) { .text(text) } else { .base64(Base64.encode(bytes)) }
    }

    /// Returns what a message of a link is called.
    ///
    /// A line that arrives may be no text, while bytes that are sent on a link by lines go out without a line end.
    private static func name(
        of message: WebSocketMessage, _ framing: LinkFraming, _ direction: WireDirection
    ) -> String {
        switch (framing, message, direction) {
        case (.lines, .text, _), (.lines, .binary, .received): "TCP line"
        case (.prefixed, _, _): "TCP message"
        case (.lines, .binary, .sent), (.bytes, _, _): "TCP bytes"
        }
    }

    private func described(_ content: WireContent, _ direction: WireDirection) -> (String, [UInt8]?) {
        switch content {
        case .opened(let endpoint): ("connection to \(endpoint) opened", nil)
        case .closed(let reason): ("connection closed" + (reason.map { ": \($0)" } ?? ""), nil)
        case .bytes(let bytes): ("\(bytes.count) bytes", bytes)
        case .request(let request):
            ("\(request.head.method.rawValue) \(request.name ?? request.head.path ?? "/")", request.body)
        case .response(let response): ("HTTP \(response.head.status.code)", response.body)
        case .bodyPart(let bytes): ("\(bytes.count) bytes of the body", bytes)
        case .message(.text(let text)): ("WebSocket text", Array(text.utf8))
        case .message(.binary(let bytes)): ("WebSocket binary", bytes)
        case .linkMessage(let message, let framing): (Self.name(of: message, framing, direction), message.bytes)
        case .control(let opcode, let bytes): ("WebSocket " + opcode.name, bytes)
        }
    }
}
