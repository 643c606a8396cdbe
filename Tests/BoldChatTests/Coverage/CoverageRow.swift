@testable import BoldChat

/// The machines of a client.
enum ClientPartName: String, CaseIterable, Sendable {
    case session, chat, link
}

/// A transition of one of the client's machines: what led from one state to another.
struct CoverageRow: Hashable, Sendable {
    let machine: ClientPartName
    let from: String
    let input: String
    let to: String

    init(_ machine: ClientPartName, _ from: String, _ input: String, _ to: String) {
        self.machine = machine
        self.from = from
        self.input = input
        self.to = to
    }
}

/// A change of a machine's state as it is seen from outside: with whatever led to it.
struct StateStep: Hashable, Sendable, CustomStringConvertible {
    let machine: ClientPartName
    let from: String
    let to: String

    init(_ machine: ClientPartName, _ from: String, _ to: String) {
        self.machine = machine
        self.from = from
        self.to = to
    }

    init(_ row: CoverageRow) {
        self.init(row.machine, row.from, row.to)
    }

    var description: String { "\(self.machine.rawValue)  \(self.from) → \(self.to)" }
}

/// Where the machines of a client are.
struct MachineStates {
    private let session: String
    private let chat: String?
    private let link: String?

    init(_ view: ClientView) {
        self.session = view.state.rawValue
        self.chat = view.chat?.state.rawValue
        self.link = view.link?.state.rawValue
    }

    /// The changes up to a later moment; a machine that is new has changed nothing.
    func changes(to later: MachineStates) -> [StateStep] {
        var changes: [StateStep] = []
        for (machine, before, after) in [
            (ClientPartName.session, self.session as String?, later.session as String?),
            (.chat, self.chat, later.chat), (.link, self.link, later.link),
        ] {
            if let before, let after, before != after { changes.append(StateStep(machine, before, after)) }
        }
        return changes
    }
}
