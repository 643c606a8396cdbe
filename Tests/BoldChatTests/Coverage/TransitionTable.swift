import JSON
import Machines

@testable import BoldChat

/// Every transition that the machines can make, found by playing with the machines themselves: the session by trying
/// every input in every state, chat and link by long walks of random inputs, in both profiles, quirks on and off.
///
/// Counted are changes of state; of a session also the refusals of a form, of a link also what opens or polls again.
enum TransitionTable {
    static let all: Set<CoverageRow> = Self.session.union(Self.chat).union(Self.link)

    private static let variants: [(profile: Profile, quirks: Quirks)] = Profile.all.flatMap { profile in
        let none = Quirks(Dictionary(uniqueKeysWithValues: Quirk.allCases.map { ($0, false) }), of: profile)
        return [(profile, Quirks(of: profile)), (profile, none)]
    }

    private static let session: Set<CoverageRow> = {
        var rows: Set<CoverageRow> = []
        for (_, quirks) in Self.variants {
            for (state, way) in SessionStateMachineTests.ways {
                for input in SessionStateMachineTests.inputs {
                    var machine = SessionStateMachine(quirks: quirks)
                    for earlier in way { _ = machine.handle(earlier) }
                    let verdict = machine.handle(input).verdict
                    // Out of turn a form is refused whatever stands in it.
                    if case .submitRequested(_, isValid: false) = input, verdict == .wrongState { continue }
                    let isRefusal = verdict == .invalidForm || verdict == .wrongState
                    guard machine.state != state || isRefusal else { continue }
                    rows.insert(CoverageRow(.session, state.rawValue, input.label, machine.state.rawValue))
                }
            }
        }
        return rows
    }()

    /// Where the walks of a chat begin: in each state, and where walks rarely come.
    private static let chatWays: [[ChatStateMachine.Input]] = {
        let sending = ChatStateMachineTests.ways[.sendingVisitorMessagesBeforeFinishing] ?? []
        let answer = ChatStateMachine.Input.startAnswered(ChatConnection([:]))
        let ways = ChatStateMachineTests.ways.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        return ways + [sending + [.linkReset, answer]]
    }()

    private static let chat: Set<CoverageRow> = {
        var rows: Set<CoverageRow> = []
        var random = RandomSource(seed: 11)
        for round in 0..<6000 {
            let (profile, quirks) = Self.variants[round % Self.variants.count]
            let way = Self.chatWays.randomElement(using: &random) ?? []
            var machine = ChatStateMachineTests.machine(after: way, profile: profile, quirks: quirks)
            for _ in 0..<25 {
                guard let input = ChatStateMachineTests.inputs.randomElement(using: &random) else { break }
                let before = machine.state
                _ = machine.handle(input)
                guard machine.state != before else { continue }
                rows.insert(CoverageRow(.chat, before.rawValue, input.label, machine.state.rawValue))
            }
        }
        return rows
    }()

    private static let link: Set<CoverageRow> = {
        var rows: Set<CoverageRow> = []
        var random = RandomSource(seed: 12)
        for round in 0..<6000 {
            let (profile, quirks) = Self.variants[round % Self.variants.count]
            var bench = LinkStateMachineTests.Bench(profile: profile, quirks: quirks, longPoll: round % 3 == 0)
            var connection = ConnectionID(1)
            if round % 5 == 0 {
                // The sixth failure is a rare thing to walk into.
                _ = bench.feed(.started)
                for number in 1...5 { _ = bench.feed(.openFailed(ConnectionID(UInt64(number)))) }
                connection = ConnectionID(6)
            }
            for _ in 0..<25 {
                guard let drawn = LinkStateMachineTests.inputs.randomElement(using: &random)?.input else { break }
                let input = Self.about(connection, drawn)
                let before = bench.machine.state
                let actions = bench.feed(input)
                // The time limit of silence is a minute.
                bench.now = bench.now + .seconds(Int64.random(in: 0...70, using: &random))
                var reopens = false
                for action in actions {
                    switch action {
                    case .open(let id, _): (connection, reopens) = (id, true)
                    case .poll, .setTimer(.reconnect, _), .setTimer(.poll, _), .setTimer(.outgoing, _): reopens = true
                    default: break
                    }
                }
                guard bench.machine.state != before || reopens else { continue }
                rows.insert(CoverageRow(.link, before.rawValue, input.label, bench.machine.state.rawValue))
            }
        }
        return rows
    }()

    /// An input that names the present connection, where it names one.
    private static func about(
        _ connection: ConnectionID, _ input: LinkStateMachine.Input
    ) -> LinkStateMachine.Input {
        switch input {
        case .opened: .opened(connection)
        case .openFailed: .openFailed(connection)
        case .received(_, let frame): .received(connection, frame)
        case .unreadable(_, let message): .unreadable(connection, message)
        case .closed(let id, let wasClean): .closed(id.number == 99 ? id : connection, wasClean: wasClean)
        default: input
        }
    }

    /// What changes of state look like to who looks after each input of the whole client.
    static let steps: Set<StateStep> = Set(Self.all.filter { $0.from != $0.to }.map(StateStep.init))

    /// Whether a change can come of one transition, or of two that one input of the client sets off.
    static func explains(_ step: StateStep) -> Bool {
        if self.steps.contains(step) { return true }
        return self.steps.contains { first in
            first.machine == step.machine && first.from == step.from
                && self.steps.contains(StateStep(step.machine, first.to, step.to))
        }
    }

    /// Changes that a machine alone can make but a client never shows, and why.
    ///
    /// The coverage test fails if a scenario shows one of them after all.
    static func reasonWhyImpossible(_ step: StateStep) -> String? {
        for state in [step.from, step.to] {
            if let reason = self.passedThrough["\(step.machine.rawValue)  \(state)"] { return reason }
        }
        switch (step.machine, step.from, step.to) {
        case (.session, "Idle", "PostChatForm"): return "there is no chat yet to have a transcript of"
        case (.session, "CreatingChat", "PostChatForm"), (.session, "SendingPostChatInfo", "PreChatForm"),
            (.session, "SendingPostChatInfo", "UnavailableForm"), (.session, "SendingUnavailableInfo", "PreChatForm"):
            return "the client reads no such thing in that answer"
        case (.chat, "OSSStarted", "Error"), (.chat, "SendingVisitorMessagesBeforeFinishing", "Error"):
            return "a link that was connected never fails, it times out"
        default: return nil
        }
    }

    /// States in which no machine rests, and why.
    static let passedThrough = [
        "chat  Idle": "a chat is created with its connection data, and a reset leads on to ChatStarting at once",
        "chat  ChatStarted": "a chat is started in the instant in which it has its connection data",
        "link  Error": "a link that has failed is taken away in the instant in which it fails",
    ]
}
