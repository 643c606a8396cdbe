import Machines

/// How what a client had under way has ended, and whom it does not reach.
///
/// | input | the last ending | the client reaches nobody | losses |
/// |---|---|---|---|
/// | opened | forgotten | no | |
/// | responded, responseBegan | answered | no | |
/// | bodyReceived | with these bytes | | |
/// | exchangeFailed, openFailed | failed | if it could not connect | one more after the first |
/// | closed | closed | | the first, or one more, if the other side closed |
/// | the client drops a connection | dropped | | |
/// | ``forgetLosses()`` | | | counted anew |
struct ClientOutcomes {
    /// How the last thing ended that the machine had under way; nil once a WebSocket is open.
    private(set) var ending: Ending?

    /// The connections that the machine has lost since they were last forgotten, from the first that was open on.
    private(set) var losses: Ending.Losses?

    /// Why the machine reaches nobody: its last connection could not be opened. Nil once something has answered.
    private(set) var unreachable: TransportFailure?

    /// Why hosts were not connected to that the server named, as many as fit into a report. A client that gives its
    /// errors words of its own says nothing of it.
    private(set) var refusals: [String] = []

    /// So many refusals fit into a report.
    private static let refusalLimit = 3

    /// Takes note of what the machine hears.
    ///
    /// - Parameter closing: The WebSocket or link that the machine has asked to close.
    mutating func note(_ input: ClientInput, closing: ConnectionID?, at now: Instant) {
        switch input {
        case .exchangeFailed(_, let failure), .openFailed(_, let failure):
            let isUnreachable = failure.code == .cannotConnect || failure.code == .tlsFailed
            self.unreachable = isUnreachable ? failure : nil
            if failure.code == .hostRefused, self.refusals.count < Self.refusalLimit,
                !self.refusals.contains(failure.message)
            {
                self.refusals.append(failure.message)
            }
            self.note(.failed(failure), at: now)
        case .responded(_, let response):
            self.unreachable = nil
            self.note(Ending.Manner(response), at: now)
        case .responseBegan(_, let head):
            self.unreachable = nil
            self.note(Ending.Manner(Response(head)), at: now)
        case .opened:
            self.unreachable = nil
            self.ending = nil
        case .closed(let id, let closure): self.note(.closed(closure, byClient: id == closing), at: now)
        case .bodyReceived(_, let bytes): self.ending?.append(bytes)
        case .responseEnded, .received, .timerFired, .scriptReturned: break
        }
    }

    /// Counts the losses from now on anew.
    mutating func forgetLosses() { self.losses = nil }

    /// Takes note of how something ended.
    mutating func note(_ manner: Ending.Manner, at now: Instant) {
        let ending = Ending(manner, at: now)
        self.ending = ending
        guard ending.isLoss else { return }
        if self.losses != nil {
            self.losses?.count += 1
        } else if case .closed = manner {
            self.losses = Ending.Losses(first: ending)
        }
    }
}
