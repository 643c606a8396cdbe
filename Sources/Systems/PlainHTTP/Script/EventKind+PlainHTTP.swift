import Machines

/// The kinds of events that only plain HTTP has.
extension EventKind {
    static let abandoned = EventKind("abandoned")
}
