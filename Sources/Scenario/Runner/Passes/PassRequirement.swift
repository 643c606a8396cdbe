import JSON
import Machines
import RunRecord
import Statistics

/// How often a scenario must pass: what `passes` in its options says.
struct PassRequirement: Hashable, Sendable {
    /// What decides it.
    let test: SequentialTest

    /// One minus the error rates of the test, as the script wrote it.
    let confidence: Double

    /// After so many tries there is no other, decided or not.
    let limit: Int

    /// What is under test, as the script says it: a baseline of something else is not compared with.
    let fingerprint: String?

    /// More tries of a scenario would have the seeds of its next repetition.
    static let tryLimit = 1000

    /// The least rate that may be asked for: as many tries as there may be tell none below it from zero.
    private static let leastRate = 0.001

    /// The declared members, from which scripts are checked and the reference is made.
    static let parameters = [
        ParameterDeclaration("at_least", .number, "The pass rate that is good enough, between 0 and 1."),
        ParameterDeclaration(
            "confidence", .number, optional: true,
            "How sure each verdict is, between 0.5 and 1; 0.95 unless given: at most 5 % of wrong ones."),
        ParameterDeclaration(
            "margin", .number, optional: true,
            "How far below at_least a rate is bad; 0.1 unless given, or half of at_least if that is less."),
        ParameterDeclaration(
            "at_most_tries", .integer, optional: true,
            "After so many tries without a verdict the scenario is inconclusive; as many as a test of fixed size needs unless given, at most 1000."
        ),
        ParameterDeclaration(
            "fingerprint", .string, optional: true,
            "What is under test, such as the version of a model; with a baseline of something else the scenario is an error."
        ),
    ]

    /// Reads a table that has been checked against ``parameters``.
    ///
    /// - Throws: ``UsageError`` that names the member and what it may be.
    init(_ table: JSONObject) throws(UsageError) {
        let atLeast = table["at_least"]?.double ?? 0
        let confidence = table["confidence"]?.double ?? 0.95
        let margin = table["margin"]?.double ?? min(0.1, atLeast / 2)
        guard atLeast >= Self.leastRate, atLeast < 1 else {
            let remedy = (2..<100).contains(atLeast) ? "; did you mean \(JSONValue.double(atLeast / 100))?" : ""
            throw Self.mistake(
                "at_least is a number from \(JSONValue.double(Self.leastRate)) to below 1, not "
                    + "\(JSONValue.double(atLeast))\(remedy)")
        }
        guard confidence > 0.5, confidence < 1 else {
            throw Self.mistake("confidence is a number between 0.5 and 1, not \(JSONValue.double(confidence))")
        }
        guard margin >= Self.leastRate / 2, margin < atLeast else {
            throw Self.mistake(
                "margin is a number from \(JSONValue.double(Self.leastRate / 2)) to below at_least, not "
                    + "\(JSONValue.double(margin))")
        }
        let test = SequentialTest(goodRate: atLeast, badRate: atLeast - margin, errorRate: 1 - confidence)
        let least = test.leastTriesToPass
        guard least <= Self.tryLimit else {
            throw Self.mistake(
                "no fewer than \(least) tries can decide with this margin and confidence, and \(Self.tryLimit) are the "
                    + "most; take a wider margin")
        }
        if let tries = table["at_most_tries"]?.integer, !(Int64(least)...Int64(Self.tryLimit) ~= tries) {
            throw Self.mistake(
                "at_most_tries is a number from \(least) to \(Self.tryLimit), not \(tries): with fewer than \(least) "
                    + "tries nothing could pass; about \(min(test.fixedSize, Self.tryLimit)) seldom leave it undecided")
        }
        self.test = test
        self.confidence = confidence
        self.fingerprint = table["fingerprint"]?.string
        // A variable of the environment that is set to nothing would count as a version of its own.
        if let name = self.fingerprint, name.isBlank {
            throw Self.mistake("fingerprint names what is under test, and is not empty; leave it out if nothing does")
        }
        self.limit =
            table["at_most_tries"]?.integer.map { Int($0) } ?? min(Self.tryLimit, max(least, test.fixedSize))
    }

    private static func mistake(_ text: String) -> UsageError { UsageError("scenario passes: \(text)") }
}
