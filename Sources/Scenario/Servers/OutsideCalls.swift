import HTTPTypes
import Machines
import RunRecord
import Secrets
import Transport

/// What reaches the simulated servers of a scenario from outside of the run, for its record and its failures.
///
/// Whoever waits for what a bot sends is told what it has sent: it may have called another path, and got an error.
final class OutsideCalls: WireObserver {
    /// A request, or a message on a connection that carries such.
    private struct Call {
        let connection: String
        let at: Instant

        /// What it was, with the beginning of what it had in it; secrets are taken out where it is shown.
        let text: String

        /// Whether it is answered on its own.
        let isRequest: Bool

        /// What it was answered with; nil as long as it is not.
        var answer: String?
    }

    /// So many are kept.
    private static let limit = 8

    /// Connections may outlive it.
    private weak var execution: ScenarioExecution?
    private let recorder: WireRecorder?
    private var calls: [Call] = []

    /// How many there were before those.
    private var forgottenCount = 0

    /// - Parameter recorder: Puts what goes over the wire into the record, if that is wanted.
    init(of execution: ScenarioExecution, recorder: WireRecorder?) {
        self.execution = execution
        self.recorder = recorder
    }

    var wantsBytes: Bool { self.recorder?.wantsBytes ?? false }

    func observe(_ record: WireRecord) {
        guard let execution = self.execution, !execution.isJudged else { return }
        self.recorder?.observe(record)
        switch (record.direction, record.content) {
        case (.received, .request(let request)):
            let head = "\(request.head.method.rawValue) \(request.head.path ?? "/")"
            self.add(head, request.body, isRequest: true, record, in: execution)
        case (.received, .message(let message)):
            self.add("WebSocket", message.bytes, isRequest: false, record, in: execution)
        case (.received, .linkMessage(let message, _)):
            self.add("TCP", message.bytes, isRequest: false, record, in: execution)
        case (.sent, .response(let response)):
            let place = self.calls.lastIndex {
                $0.connection == record.connection && $0.isRequest && $0.answer == nil
            }
            if let place {
                let body = response.head.status.code < 400 ? "" : Self.text(response.body)
                self.calls[place].answer = "\(response.head.status.code)" + (body.isEmpty ? "" : ": \(body)")
            }
        default: break
        }
    }

    private func add(
        _ what: String, _ body: [UInt8], isRequest: Bool, _ record: WireRecord, in execution: ScenarioExecution
    ) {
        if self.calls.count == Self.limit {
            self.calls.removeFirst()
            self.forgottenCount += 1
        }
        let text = Self.text(body)
        self.calls.append(
            Call(
                connection: record.connection, at: execution.instant(of: record.at),
                text: text.isEmpty ? what : "\(what)  \(text)", isRequest: isRequest))
    }

    /// The beginning of a body: far more than is shown, so that no secret in that lacks its end.
    private static func text(_ body: [UInt8]) -> String {
        String(decoding: body.prefix(Ending.bodyLimit), as: UTF8.self)
    }

    /// What a failure says of them; nil if there were none.
    var section: ScenarioFailure.Section? {
        guard let secrets = self.execution?.secrets, !self.calls.isEmpty else { return nil }
        let missing = self.forgottenCount > 0 ? ["… \(self.forgottenCount) more before"] : []
        return .init(heading: "from outside", lines: missing + self.calls.map { self.line(of: $0, without: secrets) })
    }

    private func line(of call: Call, without secrets: SecretMasker) -> String {
        let server = call.connection.prefix { $0 != "/" }
        let answer =
            call.isRequest
            ? "  " + (call.answer.map { "answered \(ArrivalLine.text($0, without: secrets))" } ?? "not answered") : ""
        return
            "\(call.at.timelineText)  \(server)  \(ArrivalLine.text(call.text, without: secrets))\(answer)"
    }
}

extension ScenarioFailure {
    /// Creates the failure of what somebody did at the simulated servers of a scenario, of which no event tells; what
    /// reached them from outside speaks for it.
    init(
        atServers kind: ProblemKind, _ message: String, in execution: ScenarioExecution, _ sections: [Section]
    ) {
        self.init(
            category: .failure, kind: kind, message: message, position: execution.definition.position,
            sections: sections + [execution.connections.outsideCalls.section].compactMap { $0 })
    }
}
