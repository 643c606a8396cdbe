import Machines

/// The names of events that scripts may use: those of all systems, also of those that the script itself declares.
///
/// Whether a certain actor observes such events is for its ``ActorVocabulary`` to say.
struct EventNames: Sendable {
    private let shared: [String: EventKind]

    /// Those of systems that the script itself declares: each of thousands of users has its own, all share the others.
    private var own: [String: EventKind] = [:]

    /// Collects the kinds of events that systems declare.
    init(of systems: some Sequence<ChatSystem>) {
        self.shared = Dictionary(
            systems.flatMap(\.eventKinds).map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds the kinds of a system that the script declares.
    mutating func add(_ system: ChatSystem) {
        for kind in system.eventKinds { self.own[kind.rawValue] = kind }
    }

    /// Returns the kind of a name, or nil if no system declares it.
    subscript(name: String) -> EventKind? { self.shared[name] ?? self.own[name] }

    /// Returns the end of a sentence that says that there is no such event: which one may be meant, or nothing.
    func hint(for name: String) -> String {
        TextDistance.hint(name, among: Array(self.shared.keys) + self.own.keys, otherwise: "")
    }
}
