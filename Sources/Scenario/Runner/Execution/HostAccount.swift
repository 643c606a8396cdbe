/// What the tool holds for a scenario outside of its script's memory, in bytes; an estimate of what grows with the
/// script and its servers.
final class HostAccount {
    /// What something is held for.
    enum Purpose: Int, CaseIterable {
        case record, events, failures, threads, commands

        fileprivate var text: String {
            switch self {
            case .record: "log lines and other entries of the record"
            case .events: "observed events"
            case .failures: "failures that the scenario went on after"
            case .threads: "spawned functions"
            case .commands: "what was sent without waiting"
            }
        }
    }

    /// How much may be held.
    let limit: Int

    /// One for each purpose.
    private var held: InlineArray<5, Int> = .init(repeating: 0)
    private var total = 0

    /// Whether the scenario was told that too much is held for it.
    var isToldOf = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Notes that more is held.
    ///
    /// - Returns: Whether it is more than may be.
    func add(_ bytes: Int, for purpose: Purpose) -> Bool {
        self.held[purpose.rawValue] += bytes
        self.total += bytes
        return self.total > self.limit
    }

    /// Notes that less is held.
    func remove(_ bytes: Int, for purpose: Purpose) {
        self.held[purpose.rawValue] -= bytes
        self.total -= bytes
    }

    /// Notes that nothing is held for a purpose any more.
    func removeAll(for purpose: Purpose) {
        self.remove(self.held[purpose.rawValue], for: purpose)
    }

    /// Why the scenario ends: what most is held for.
    var excess: String {
        let parts = Purpose.allCases.map { ($0, self.held[$0.rawValue]) }.filter { $0.1 >= 1 << 20 }
            .sorted { $0.1 > $1.1 }.map { "\($0.1 >> 20) MB of \($0.0.text)" }
        return "the scenario made the tool hold more than \(self.limit >> 20) MB: \(parts.joined(separator: ", ")); "
            + "limits.held_memory in repartee.lua raises the limit"
    }
}
