import HTTPTypes
import JSON
import Machines

/// Asks a fuzzing server for the number of its cases, plays each one by echoing, and has the reports written.
struct EchoClient: ClientMachine {
    private enum Task {
        case count
        case run(Int)
        case report
    }

    private let authority: String
    private var task = Task.count
    private var cases = 0
    private var connections: UInt64 = 0

    init(authority: String) { self.authority = authority }

    mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        switch input {
        case .received(let id, let message):
            switch self.task {
            case .count: if case .text(let text) = message { self.cases = Int(text) ?? 0 }
            case .run: step.ask(.transmit(id, message))
            case .report: break
            }
        case .closed: self.next(in: &step)
        case .openFailed(_, let failure):
            step.ask(.emit(ChatEvent(.error, ["text": .string(failure.message)])))
            self.next(in: &step)
        default: break
        }
    }

    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        self.open("/getCaseCount", in: &step)
        return .done(.null)
    }

    func tearDown(in step: inout ClientStep) {}

    private mutating func next(in step: inout ClientStep) {
        switch self.task {
        case .count: self.task = .run(1)
        case .run(let number): self.task = .run(number + 1)
        case .report:
            step.ask(.emit(ChatEvent(.ended, ["text": .string("played \(self.cases) cases")])))
            return
        }
        guard case .run(let number) = self.task, number <= self.cases else {
            self.task = .report
            self.open("/updateReports?agent=repartee", in: &step)
            return
        }
        self.open("/runCase?case=\(number)&agent=repartee", in: &step)
    }

    private mutating func open(_ path: String, in step: inout ClientStep) {
        self.connections += 1
        let head = HTTPRequest(method: .get, scheme: "ws", authority: self.authority, path: path)
        step.ask(.open(ConnectionID(self.connections), head, subprotocols: []))
    }

    var identity: JSONObject { [:] }
    var properties: JSONObject { [:] }
}
