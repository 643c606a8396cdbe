import ChatCore

/// The names of events that scripts may use: those of all systems.
///
/// Whether a certain actor observes such events is for its ``ActorVocabulary`` to say.
struct EventNames: Sendable {
    private let kinds: [String: EventKind]

    /// Collects the kinds of events that systems declare.
    init(of systems: some Sequence<ChatSystem>) {
        self.kinds = Dictionary(
            systems.flatMap(\.eventKinds).map { ($0.rawValue, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the kind of a name, or nil if no system declares it.
    subscript(name: String) -> EventKind? { self.kinds[name] }

    /// Returns the name that a misspelt one was most likely meant to be.
    func suggestion(for name: String) -> String? { TextDistance.suggestion(for: name, among: self.kinds.keys) }
}
