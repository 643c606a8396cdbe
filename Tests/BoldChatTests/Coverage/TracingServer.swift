import JSON
import Machines
import Synchronization

@testable import BoldChat

/// The simulated account of the product, watched: what it does for visitors goes into a ledger.
struct TracingServer: ServerMachine {
    typealias Timer = BoldChatServer.Timer
    typealias Action = DeskCommand

    static func commands(of party: String?) -> CommandSet<DeskCommand> { BoldChatServer.commands(of: party) }

    private var server: BoldChatServer
    private let ledger: DeedLedger
    private let number: Int

    init(_ configuration: ServerConfiguration, ledger: DeedLedger) throws(ConfigurationError) {
        self.server = try BoldChatServer(configuration)
        self.ledger = ledger
        self.number = ledger.open()
    }

    var properties: JSONObject { self.server.properties }
    var target: JSONObject? { self.server.target }

    mutating func handle(_ input: Input, in step: inout Step) {
        self.server.handle(input, in: &step)
        self.note(step)
    }

    mutating func perform(_ command: DeskCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        let outcome = self.server.perform(command, by: party, in: &step)
        self.note(step)
        return outcome
    }

    /// What agents are told of what visitors do; that one types may be told as often as it is so.
    private static let told: Set<EventKind> = [
        .message, .attachmentUploaded, .cobrowseActive, .cobrowseRejected, .cobrowseEnded, .remoteControl, .chatEnded,
    ]

    private func note(_ step: Step) {
        var told: [String] = []
        for case .emit(let party, let event) in step.effects where Self.told.contains(event.kind) {
            let text = event.fields["text"]?.string ?? event.fields["file"]?.string ?? ""
            told.append("\(party) is told \(event.kind.rawValue) \(text)")
        }
        let chats = self.server.chats.newest(.max)
        var state = ["chats": chats.count, "mails": self.server.mails.count]
        for chat in chats {
            for message in chat.transcript.messages where message.posting.type == .visitor {
                state["said: \(message.posting.text)", default: 0] += 1
            }
        }
        self.ledger.note(self.number, state, told)
    }
}

/// What the servers of an execution have done, by what it is.
final class DeedLedger: Sendable {
    typealias Deeds = [String: Int]

    private struct Page: Sendable {
        var state: Deeds = [:]
        var told: Deeds = [:]
    }

    private let pages = Mutex<[Page]>([])

    /// Begins the page of a server.
    func open() -> Int {
        self.pages.withLock { pages in
            pages.append(Page())
            return pages.count - 1
        }
    }

    func note(_ number: Int, _ state: Deeds, _ told: [String]) {
        self.pages.withLock { pages in
            // A server of an execution whose page was taken has nothing more to tell.
            guard pages.indices.contains(number) else { return }
            pages[number].state = state
            for deed in told { pages[number].told[deed, default: 0] += 1 }
        }
    }

    /// Takes what was done since the ledger was taken last.
    func take() -> Deeds {
        self.pages.withLock { pages in
            defer { pages = [] }
            return pages.reduce(into: Deeds()) { deeds, page in
                deeds.merge(page.state) { $0 + $1 }
                deeds.merge(page.told) { $0 + $1 }
            }
        }
    }
}
