import HTTPTypes
import JSON
import Machines

/// Sends bodies to a collector, one at a time; says `response` for what was taken and `error` for what was not.
///
/// Values are cumulative from the start of the run, so a body that was not taken loses nothing but its moment, and
/// nothing is sent twice.
struct CollectorClient: ClientMachine {
    private let address: CollectorAddress
    private let headers: HTTPFields
    private var last: UInt64 = 0
    private var isSending = false

    /// How long a collector may take to answer. Defined here; its answer is what the end of a run waits for.
    private static let timeLimit = Duration.seconds(5)

    init(_ address: CollectorAddress, headers: [HTTPField]) {
        self.address = address
        var fields: HTTPFields = [.contentType: "application/json", .userAgent: "repartee/\(Version.text)"]
        for field in headers { fields[field.name] = field.value }
        self.headers = fields
    }

    var identity: JSONObject { [:] }
    var properties: JSONObject { [:] }

    mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        switch input {
        case .responded(ExchangeID(self.last), let response): self.answered(response, in: &step)
        case .exchangeFailed(ExchangeID(self.last), let failure): self.failed(failure.message, in: &step)
        default: break
        }
    }

    private mutating func answered(_ response: Response, in step: inout ClientStep) {
        guard response.head.status.kind == .successful else {
            return self.failed("it answers \(response.head.status.code)", in: &step)
        }
        // A collector may take the request and refuse points of it (OTLP specification, "Partial Success").
        let partial = (try? JSONReader.read(response.body))?["partialSuccess"]
        let count = partial?["rejectedDataPoints"]
        let rejected = count?.integer ?? count?.string.flatMap { Int64($0) } ?? 0
        guard rejected == 0 else {
            let reason = partial?["errorMessage"]?.string ?? "it does not say why"
            return self.failed("it refuses \(rejected) points: \(reason)", in: &step)
        }
        self.isSending = false
        step.ask(.emit(ChatEvent(.response)))
    }

    private mutating func failed(_ message: String, in step: inout ClientStep) {
        self.isSending = false
        step.ask(.emit(ChatEvent(.error, ["message": .string(message)])))
    }

    /// Sends the text of the command `push`; one that is still on its way is given up.
    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        if self.isSending { step.ask(.cancel(ExchangeID(self.last))) }
        self.last += 1
        self.isSending = true
        let head = HTTPRequest(
            method: .post, scheme: self.address.scheme, authority: self.address.authority, path: self.address.path,
            headerFields: self.headers)
        let body = Array((command.arguments["body"]?.string ?? "").utf8)
        step.ask(.send(ExchangeID(self.last), Request(head, body: body, timeLimit: Self.timeLimit)))
        return .done(.null)
    }

    mutating func tearDown(in step: inout ClientStep) {}
}
