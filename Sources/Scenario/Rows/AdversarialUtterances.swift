import JSON
import Machines

/// The rows of `utterances.adversarial`: each utterance as each mutator says it.
struct AdversarialUtterances {
    /// Utterances are at most this many bytes long.
    static let longest = 1_000

    /// What the call takes.
    static let members = [
        ParameterDeclaration("of", .list(.string), "What is asked; each text has at most 1,000 bytes."),
        ParameterDeclaration(
            "kinds", .list(.choice(UtteranceMutator.Kind.allCases.map(\.rawValue))), optional: true,
            "Which kinds of mutators; all unless given."),
        ParameterDeclaration(
            "mutators", .list(.choice(UtteranceMutator.allCases.map(\.rawValue))), optional: true,
            "Which mutators, in the place of kinds."),
        ParameterDeclaration(
            "seed", .integer, optional: true, "Chooses among the ways that mutators have; the run's unless given."),
    ]

    /// The seed, if the script gives one.
    let seed: UInt64?

    private let utterances: [String]
    private let mutators: [UtteranceMutator]

    /// Reads the table of the call.
    ///
    /// - Throws: ``UsageError`` that says what is expected.
    init(_ table: JSONObject, _ call: String) throws(UsageError) {
        let given = try ArgumentChecker(call: call).record(table, Self.members)
        self.seed = given["seed"]?.integer.map { UInt64(bitPattern: $0) }
        let texts = try Self.texts("of", in: given, call) ?? []
        guard texts.allSatisfy({ !$0.isBlank && $0.utf8.count <= Self.longest }) else {
            throw UsageError("\(call): of takes texts that are not blank and at most \(Self.longest) bytes long")
        }
        self.utterances = texts
        let (kinds, names) = (try Self.texts("kinds", in: given, call), try Self.texts("mutators", in: given, call))
        guard kinds == nil || names == nil else {
            throw UsageError("\(call) takes kinds or mutators, not both; a kind is several mutators")
        }
        self.mutators = UtteranceMutator.allCases.filter { mutator in
            kinds?.contains(mutator.kind.rawValue) ?? names?.contains(mutator.rawValue) ?? true
        }
        let total = self.utterances.count * self.mutators.count
        guard total <= RowReader.mostRows else {
            throw UsageError(
                "\(call) gives \(total) rows, and a scenario has at most \(RowReader.mostRows); name fewer mutators or "
                    + "utterances")
        }
    }

    /// Reads a list that is not empty.
    private static func texts(
        _ name: String, in table: JSONObject, _ call: String
    ) throws(UsageError) -> [String]? {
        guard let value = table[name], !value.isNull else { return nil }
        let texts = value.array?.compactMap(\.string) ?? []
        guard !texts.isEmpty else { throw UsageError("\(call): \(name) is a list that is not empty") }
        return texts
    }

    /// Returns the rows, one mutator after the other.
    ///
    /// Each row has randomness of its own by its mutator and its utterance, so that it stays as it is when others come
    /// or go. An utterance that a mutator cannot change yields no row, since playing it unchanged would prove nothing.
    ///
    /// - Parameter random: The randomness of all rows.
    /// - Throws: ``UsageError`` if no mutator changes any utterance.
    func rows(_ random: RandomSource, _ call: String) throws(UsageError) -> [JSONValue] {
        var rows: [JSONValue] = []
        for mutator in self.mutators {
            for (place, utterance) in self.utterances.enumerated() {
                var source = random.derived(for: "\(mutator.rawValue) \(utterance)")
                let text = mutator.mutated(utterance, using: &source)
                guard text != utterance else { continue }
                rows.append([
                    "name": .string("\(mutator.rawValue) \(place + 1): \(utterance.prefix(40))"),
                    "kind": .string(mutator.kind.rawValue), "mutator": .string(mutator.rawValue),
                    "original": .string(utterance), "text": .string(text),
                ])
            }
        }
        guard !rows.isEmpty else {
            throw UsageError(
                "\(call): none of the mutators changes any of the utterances (\(self.mutators.map(\.rawValue).joined(separator: ", ")))"
            )
        }
        return rows
    }
}
