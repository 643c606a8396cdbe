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

    private static let longest = TextLimit(bytes: WireRecorder.payloadLimit)

    /// What is kept of a message.
    private typealias Kept = (payload: WireFrame.Payload, isTruncated: Bool)

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
        guard let execution = self.execution, execution.keepsWhatComes else { return }
        let (summary, kept): (String, Kept?) =
            switch record.content {
            case .opened(let endpoint): ("connection to \(endpoint) opened", nil)
            case .closed(let reason): ("connection closed" + (reason.map { ": \($0)" } ?? ""), nil)
            case .bytes(let bytes): ("\(bytes.count) bytes", (Self.payload(of: bytes), isTruncated: false))
            case .request(let request):
                (
                    "\(request.head.method.rawValue) \(request.name ?? request.head.path ?? "/")",
                    Self.kept(request.body, of: execution)
                )
            case .response(let response):
                ("HTTP \(response.head.status.code)", Self.kept(response.body, of: execution))
            case .bodyPart(let bytes): ("\(bytes.count) bytes of the body", Self.kept(bytes, of: execution))
            case .message(.text(let text)): ("WebSocket text", Self.kept(text, of: execution))
            case .message(.binary(let bytes)): ("WebSocket binary", Self.kept(bytes, of: execution))
            case .linkMessage(.text(let text), let framing):
                (framing.nameOfText, Self.kept(text, of: execution))
            case .linkMessage(.binary(let bytes), let framing):
                (framing.nameOfBytes(record.direction), Self.kept(bytes, of: execution))
            case .control(let opcode, let bytes): ("WebSocket " + opcode.name, Self.kept(bytes, of: execution))
            }
        execution.record(
            .wire(
                WireFrame(
                    connection: record.connection, direction: record.direction == .sent ? .sent : .received,
                    summary: summary, payload: kept?.payload, isTruncated: kept?.isTruncated ?? false)))
    }

    /// Most of what is captured: it is text already, and need not be taken to bytes and checked once more.
    private static func kept(_ text: String, of execution: ScenarioExecution) -> Kept {
        guard text.utf8.count > Self.longest.bytes else { return (.text(text), isTruncated: false) }
        let start = Self.longest.beginning(of: text) { execution.secrets.masked($0) }
        return (.text(start), isTruncated: true)
    }

    private static func kept(_ bytes: [UInt8], of execution: ScenarioExecution) -> Kept {
        guard bytes.count > Self.longest.bytes else { return (Self.payload(of: bytes), isTruncated: false) }
        let start = execution.secrets.masked(Array(bytes.prefix(Self.longest.bytes + TextLimit.longestSecret)))
        return (Self.payload(of: Array(start.prefix(Self.longest.bytes))), isTruncated: true)
    }

    /// Text stays readable; other bytes are written as base64.
    private static func payload(of bytes: [UInt8]) -> WireFrame.Payload {
        if let text = String(validating: bytes, as: UTF8.self) { .text(text) } else { .base64(Base64.encode(bytes)) }
    }
}

extension LinkFraming {
    /// What a text on such a link is called.
    fileprivate var nameOfText: String {
        switch self {
        case .lines: "TCP line"
        case .prefixed: "TCP message"
        case .bytes: "TCP bytes"
        }
    }

    /// What bytes on such a link are called.
    ///
    /// A line that arrives may be no text, while bytes that are sent on a link by lines go out without a line end.
    fileprivate func nameOfBytes(_ direction: WireDirection) -> String {
        if self.isOfLines, direction == .sent { "TCP bytes" } else { self.nameOfText }
    }
}
