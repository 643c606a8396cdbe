import Foundation
import JSON
import Machines
import Synchronization

@testable import Scenario

/// What rang while scenarios played, in order and each with its thread.
final class BellLog: Sendable {
    private let rings = Mutex<[(text: String, thread: Int)]>([])
    private let onRing: @Sendable ([String]) -> Void

    /// - Parameter onRing: Gets the texts so far, on the thread of the last one.
    init(onRing: @escaping @Sendable ([String]) -> Void = { _ in }) { self.onRing = onRing }

    /// The texts in the order in which they rang.
    var texts: [String] { self.rings.withLock { $0.map(\.text) } }

    /// The numbers of the threads on which texts with this beginning rang.
    func threads(_ beginning: String = "") -> Set<Int> {
        Set(self.rings.withLock { $0.filter { $0.text.hasPrefix(beginning) }.map(\.thread) })
    }

    /// How many texts with this beginning rang.
    func count(_ beginning: String) -> Int { self.texts.count { $0.hasPrefix(beginning) } }

    fileprivate func note(_ text: String) {
        let thread = ThreadNumber.current
        let texts = self.rings.withLock { rings in
            rings.append((text, thread))
            return rings.map(\.text)
        }
        self.onRing(texts)
    }

    /// A chat system of bells that ring here.
    var system: ChatSystem {
        ChatSystem(
            name: "bell", title: "Bells",
            client: ClientDeclaration(name: "bell", methods: BellClient.commands.methods, options: []) { _ in
                KeyedClientAdapter(BellClient(log: self))
            }, events: [], noise: [])
    }
}

/// A client that speaks to nobody: what scenarios do on their threads is seen by its ringing.
struct BellClient: ClientMachine {
    enum Action: Sendable {
        case ring(String)
        case endSlowly
    }

    enum Keys: MachineKeys {
        typealias Timer = NoTimer
        typealias Exchange = Never
        typealias Connection = Never
    }

    static let commands = CommandSet<Action>([
        CommandDeclaration("ring", Parameter.string("text", "What rings."), summary: "Rings.", as: { .ring($0) }),
        CommandDeclaration("end_slowly", summary: "Keeps the thread busy at the end.", as: { .endSlowly }),
    ])

    private let log: BellLog
    private var endsSlowly = false
    var identity: JSONObject { [:] }
    var properties: JSONObject { [:] }

    init(log: BellLog) { self.log = log }

    mutating func handle(_ input: Input, in step: inout Step) {}

    mutating func perform(_ action: Action, in step: inout Step) -> CommandOutcome {
        switch action {
        case .ring(let text): self.log.note(text)
        case .endSlowly: self.endsSlowly = true
        }
        return .done(.null)
    }

    mutating func tearDown(in step: inout Step) {
        if self.endsSlowly { Thread.sleep(forTimeInterval: 0.7) }
    }
}
