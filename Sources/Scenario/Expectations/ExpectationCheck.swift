import Machines

/// Refuses expectations of an actor that go by what actors of its role never observe, and silences that nothing breaks.
struct ExpectationCheck {
    /// What actors of the role observe.
    let vocabulary: ActorVocabulary

    /// The name of the actor, for messages.
    let name: String

    /// Checks that a silence of the actor can be broken, if the script does not say by which event.
    ///
    /// - Parameters:
    ///   - absences: What it never observes as it is set up.
    ///   - isAllowed: Whether the scenario lets all events of a kind pass.
    /// - Throws: ``UsageError`` where every event is noise.
    func requireBreakableSilence(
        lacking absences: [EventKind: String] = [:], isAllowed: (EventKind) -> Bool
    ) throws(UsageError) {
        let (name, noise) = (self.name, self.vocabulary.noiseKinds)
        let present = self.vocabulary.eventKinds.subtracting(absences.keys)
        guard present.allSatisfy({ noise.contains($0) || isAllowed($0) }) else { return }
        let kinds = present.map(\.rawValue).sorted()
        throw UsageError(
            "\(name):expect_silence cannot fail without an event: whatever \(name) observes (\(kinds.joined(separator: ", "))) "
                + "need not be expected and breaks no silence; name the event, "
                + "as in \(name):expect_silence(\"1s\", \"\(kinds.first { $0 != "connected" } ?? "message")\")")
    }

    /// Returns the mistake of looking for an event that the actor never observes.
    ///
    /// - Parameter absence: What is not there, as the beginning of a sentence.
    func absent(_ kind: EventKind, because absence: String) -> UsageError {
        UsageError("\(absence), so \(self.name) never observes \"\(kind.rawValue)\"")
    }

    /// Checks that the actor can observe an event that a script expects of it.
    ///
    /// - Throws: ``UsageError`` that names the event and what the actor observes.
    func require(_ matcher: EventMatcher) throws(UsageError) {
        guard let kind = matcher.kind else { return }
        let name = self.name
        guard let known = self.vocabulary.fieldTypes(of: kind) else {
            if let absence = self.vocabulary.absences[kind] { throw self.absent(kind, because: absence) }
            let kinds = self.vocabulary.eventKinds.map(\.rawValue).sorted()
            throw UsageError(
                "\(name) never observes \"\(kind.rawValue)\""
                    + TextDistance.hint(kind.rawValue, among: kinds, listing: "it observes"))
        }
        if let whole = matcher.whole {
            if self.vocabulary.isClosed, let part = whole.homelessPart(among: Array(known.values)) {
                throw UsageError(
                    "\(kind.rawValue) of \(name) has no field that is a table, so \(part) never stands in it; ask for the "
                        + "wire form, as in { raw = match.button \"Yes\" }, or declare a field for it")
            }
            let fields = known.keys.sorted().map { ParameterDeclaration($0, known[$0] ?? .json, "") }
            if let contradiction = whole.contradiction(to: .record(fields), at: "the event") {
                // One that names what was meant needs no further advice.
                let example = known["text"] != nil ? "text" : known.keys.min() ?? "raw"
                let advice = contradiction.hasSuffix("?") ? "" : "; ask for its fields, as in { \(example) = … }"
                throw UsageError("\(kind.rawValue) of \(name): \(contradiction)\(advice)")
            }
        }
        for field in matcher.fields where field.name != "raw" {
            if let type = known[field.name] {
                guard let contradiction = field.matcher.contradiction(to: type, at: field.name) else { continue }
                throw UsageError("\(kind.rawValue) of \(name): \(contradiction)")
            }
            // Where servers add fields, only those that are declared in almost these letters are refused, and the wire
            // form, which every event has.
            let names = known.keys.sorted()
            let meant = TextDistance.suggestion(for: field.name, among: names + ["raw"])
            guard self.vocabulary.isClosed || meant != nil else { continue }
            throw UsageError(
                UnknownMember.text(
                    field.name, of: "\(kind.rawValue) of \(name)", as: "field",
                    among: meant == "raw" ? names + ["raw"] : names,
                    instead: field.name == "within"
                        ? "how long to wait stands in a table of its own, behind that of the fields: { … }, { within = \"1s\" }"
                        : nil))
        }
    }
}
