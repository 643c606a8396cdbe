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

    /// Transitions that a machine alone can make but a client never does, and why.
    ///
    /// The coverage test fails if a scenario makes one of them after all.
    static func reasonWhyImpossible(_ row: CoverageRow) -> String? {
        switch (row.machine, row.from, row.input, row.to) {
        case (.session, "Idle", "transcript refused", _), (.session, "CreatingChat", "transcript refused", _):
            return "there is no chat yet to have a transcript of"
        case (.session, _, let input, _) where Self.unread.contains(input):
            return "the client reads no such thing in that answer"
        case (.chat, "ChatStarted", let input, _) where input != "start":
            return "a chat is started in the instant in which it has its connection data"
        case (.chat, "OSSStarted", "link failed", _),
            (.chat, "SendingVisitorMessagesBeforeFinishing", "link failed", _):
            return "a link that was connected never fails, it times out"
        case (.chat, "SendingVisitorMessagesBeforeFinishing", "answer time-out", _):
            return "the wish to finish stops the timer"
        case (.link, "WebSocketConnected", "socket not opened", _): return "the socket is open"
        case (.link, "LongPollConnecting", "timer inactivity", "Idle"):
            return "a link that was connected once polls no more for the first time; each start has a link of its own"
        default: return nil
        }
    }

    private static let unread: Set<String> = {
        let unavailable = ["unavailable with form", "unavailable without form"]
        let answers = [
            "createChat": ["post-chat form"], "pre_chat": ["post-chat form"],
            "post_chat": ["pre-chat form"] + unavailable,
            "unavailable": ["pre-chat form", "post-chat form"] + unavailable,
        ]
        return Set(answers.flatMap { call, kinds in kinds.map { "\(call) answered: \($0)" } })
    }()

    /// States in which no machine rests, and why.
    static let passedThrough = [
        "chat  Idle": "a chat is created with its connection data, and a reset leads on to ChatStarting at once"
    ]
}
