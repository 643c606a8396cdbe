import Machines

// What a script asks of an actor is refused where it cannot come, or where nothing could make it fail.
extension Actor {
    private var expectationCheck: ExpectationCheck { ExpectationCheck(vocabulary: self.vocabulary, name: self.name) }

    /// Checks that the actor can observe what a script expects.
    ///
    /// - Parameter mayBeAbsent: Whether nothing is wrong if it cannot come to the actor as it is set up: a script that
    ///   plays several roles or profiles asks whether it has come, or lets it come.
    /// - Throws: ``UsageError`` that names the event and what the actor observes.
    func check(_ expression: EventExpression, mayBeAbsent: Bool = false) throws(UsageError) {
        let check = self.expectationCheck
        if case .event(let matcher) = expression {
            try check.require(matcher)
        } else {
            for matcher in expression.matchers { try check.require(matcher) }
        }
        guard !mayBeAbsent, let absences = self.backend?.absences, !absences.isEmpty,
            let kind = expression.unmet(where: { $0.kind.map { absences[$0] != nil } ?? false })?.kind,
            let absence = absences[kind]
        else { return }
        throw check.absent(kind, because: absence)
    }

    /// Checks that the actor can observe one of several events.
    ///
    /// - Throws: ``UsageError`` that names the event and what the actor observes.
    func check(_ matchers: [EventMatcher], mayBeAbsent: Bool = false) throws(UsageError) {
        try self.check(.any(matchers.map { .event($0) }), mayBeAbsent: mayBeAbsent)
    }

    /// Checks that the actor can observe an event that a script expects.
    ///
    /// - Throws: ``UsageError`` that names the event and what the actor observes.
    func check(_ matcher: EventMatcher, mayBeAbsent: Bool = false) throws(UsageError) {
        try self.check(.event(matcher), mayBeAbsent: mayBeAbsent)
    }

    /// Checks that something can come to the actor while it is to be silent, as far as that is known before: not before
    /// it has done anything, where nobody else is there who could let it.
    ///
    /// A client whose connection has ended shows by its silence that nothing came before.
    ///
    /// - Throws: ``UsageError`` if nothing can come.
    func checkBegun() throws(UsageError) {
        guard self.isClient, !self.hasBegun, self.means == .commands, self.execution.threads.all.count == 1 else {
            return
        }
        throw UsageError(
            "\(self.name):expect_silence cannot fail: \(self.name) has done nothing yet, so nothing can come to it; let it "
                + "connect or ask for something first")
    }

    /// Whether something could have come to a client, or by it to others: it was told to do something, or has observed
    /// something. The handlers of one in Lua run only for what came of that, too.
    private var hasBegun: Bool { self.lastCommand != nil || self.log.count > 0 }

    /// Checks that one of some events could have come to the actor by now: to a client that has begun, to a party of a
    /// server to which some client could have turned, and to who has asked for it where that is needed.
    ///
    /// To be asked afterwards, for another thread may let a client begin meanwhile.
    ///
    /// - Parameter matchers: The events; nil for any.
    /// - Throws: ``UsageError`` with the reason, as a sentence, if none could.
    func checkReached(by matchers: [EventMatcher]?) throws(UsageError) {
        if self.isClient {
            guard self.hasBegun || self.means != .commands else {
                throw UsageError(
                    "\(self.name) has done nothing, so nothing could come to it; let it connect or ask for something first"
                )
            }
        } else if let backend = self.backend, !backend.actsByItself, backend.awaitsOwnClients, self.log.count == 0 {
            // A thread that a handler has spawned, or another one of the scenario, may let the server do something yet.
            guard
                self.execution.threads.all.count > 1
                    || self.execution.servers.haveSentRequests || self.execution.servers.maySendRequests
                    || self.execution.actors.contains(where: { $0.isClient && $0.hasBegun })
            else {
                throw UsageError(
                    "no client has turned to its server, so nothing could come to \(self.name); let one connect first")
            }
        }
        let commands = self.vocabulary.commandsBefore
        guard !commands.isEmpty else { return }
        let wanted = matchers.map { $0.map(\.kind) } ?? self.vocabulary.eventKinds.map(Optional.some)
        let missing = wanted.map { kind in
            kind.flatMap { commands[$0] }.flatMap { self.askedFor.contains($0) ? nil : $0 }
        }
        guard let command = missing.first ?? nil, missing.allSatisfy({ $0 != nil }) else { return }
        throw UsageError("\(self.name) observes that only after \(self.name):\(command)(), which it was not told")
    }

    /// Checks that a silence without an event can be broken.
    ///
    /// - Throws: ``UsageError`` if nothing can break it.
    func checkSilence() throws(UsageError) {
        try self.expectationCheck.requireBreakableSilence(lacking: self.backend?.absences ?? [:]) {
            self.execution.cast.allowsAll($0)
        }
    }
}
