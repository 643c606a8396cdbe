public import Machines
public import RunRecord
public import Transport

/// Which faults can happen, as systems promise: what none of them can meet is not played.
///
/// Whether a fault can strike at a point at all, whatever the system, its ``Transport/FaultPoint`` knows.
public struct PossibleFaults {
    private let promises: [FaultPromise]

    /// What must hold for every system: a stream of bytes has no pieces.
    private static let streamPromise = FaultPromise(
        FaultKind.oneByte.rawValue, .sameEnd, because: "a byte stream may deliver in any pieces (RFC 9293)")

    /// - Parameter promises: What the systems of the scenario promise.
    init(_ promises: [FaultPromise]) { self.promises = promises }

    /// Whether a fault can happen at a point: messages come twice only where the system says what becomes of them.
    func contains(_ kind: FaultKind, at point: FaultPoint) -> Bool {
        let promise = self.promise(kind, at: point)?.promise
        return kind == .duplicate ? promise == .sameEnd : promise != .impossible
    }

    /// Returns what is promised of a fault at a point, if anything is.
    func promise(_ kind: FaultKind, at point: FaultPoint) -> FaultPromise? {
        let fitting = self.promises.filter { promise in
            promise.fault == kind.rawValue && promise.isSent ?? point.isSent == point.isSent
                && (promise.content.map { point.summary.contains($0) } ?? true)
        }
        // What is said about one content goes before what is said about all.
        return fitting.first { $0.content != nil } ?? fitting.first ?? (kind == .oneByte ? Self.streamPromise : nil)
    }

    /// The faults that cannot happen with the systems of scenarios, with the reasons, for people.
    public static func missing(_ kinds: [FaultKind], with systems: [ChatSystem]) -> [ImpossibleFault] {
        systems.flatMap { system in
            kinds.flatMap { kind -> [ImpossibleFault] in
                let promises = system.faultPromises.filter { $0.fault == kind.rawValue }
                guard !promises.isEmpty || kind != .duplicate else {
                    let reason = "the system does not say which of its messages may come twice"
                    return [ImpossibleFault(kind: kind.rawValue, system: system.title, isSent: nil, reason: reason)]
                }
                return promises.filter { $0.promise == .impossible }.map {
                    ImpossibleFault(kind: kind.rawValue, system: system.title, isSent: $0.isSent, reason: $0.reason)
                }
            }
        }
    }
}
