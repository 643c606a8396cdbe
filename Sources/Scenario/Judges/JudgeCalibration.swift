import JSON
import Machines
import RunRecord
public import Secrets

/// Texts that people labelled, by which a judge is measured before its verdicts are trusted.
public struct JudgeCalibration: Sendable {
    fileprivate struct Example: Sendable {
        let line: Int
        let text: String
        let criterion: String
        let expected: Bool
    }

    private let examples: [Example]

    private static let parameters = [
        ParameterDeclaration("text", .string, "The text that is judged."),
        ParameterDeclaration("criterion", .string, "What is asked of it."),
        ParameterDeclaration("expected", .boolean, "Whether people say that it meets the criterion."),
    ]

    /// Reads labelled texts: a JSON object in each line, with `text`, `criterion` and `expected`.
    ///
    /// - Parameter name: The file as messages name it.
    /// - Throws: ``ScriptProblem`` that names the line that cannot be used.
    public init(reading text: String, name: String) throws(ScriptProblem) {
        var examples: [Example] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isBlank {
            let place = "\(name): line \(index + 1)"
            let value: JSONValue
            do { value = try JSONReader.readUnambiguous(String(line).utf8) } catch {
                throw ScriptProblem("\(place) cannot be read: \(error)")
            }
            guard let object = value.object else {
                throw ScriptProblem(
                    "\(place) is no JSON object such as {\"text\":…,\"criterion\":…,\"expected\":true}")
            }
            let members: JSONObject
            do { members = try ArgumentChecker(call: place).record(object, Self.parameters) } catch {
                throw ScriptProblem(error.message)
            }
            examples.append(
                Example(
                    line: index + 1, text: members["text"]?.string ?? "",
                    criterion: members["criterion"]?.string ?? "",
                    expected: members["expected"]?.bool ?? false))
        }
        guard !examples.isEmpty else { throw ScriptProblem("\(name) has no labelled text") }
        self.examples = examples
    }

    /// What came of it.
    public struct Outcome: Sendable {
        public private(set) var agreement = JudgeAgreement()

        /// How often all votes were the same.
        public private(set) var unanimous = 0

        /// The texts of which the judge said something else than people, one a line.
        public private(set) var differences: [String] = []

        fileprivate mutating func add(
            _ example: Example, _ finding: ModelCriterion.Finding, isUnanimous: Bool
        ) {
            self.agreement.add(expected: example.expected, found: finding.isMet)
            if isUnanimous { self.unanimous += 1 }
            guard finding.isMet != example.expected else { return }
            self.differences.append(
                "line \(example.line): people say \(example.expected ? "yes" : "no"); \(finding.text)")
        }
    }

    /// Asks a judge about all texts, one after the other.
    ///
    /// - Throws: ``ScriptProblem`` if there is no such judge, or it gives no verdict: figures of a part of the texts
    ///   would be those of another file.
    public func outcome(of judge: String, through client: ModelClient, vault: SecretVault)
        async throws(ScriptProblem) -> Outcome
    {
        var outcome = Outcome()
        for example in self.examples {
            let criterion = ModelCriterion(kind: .judged(by: judge), text: example.criterion)
            let endpoint: ModelEndpoint
            do { endpoint = try client.endpoint(of: criterion) } catch {
                throw ScriptProblem(error.message)
            }
            let question = criterion.question(about: vault.masked(example.text))
            let answer = await withCheckedContinuation { continuation in
                client.ask(question, of: endpoint) { continuation.resume(returning: $0) }
            }
            switch answer {
            case .failure(let failure):
                throw ScriptProblem(
                    "line \(example.line): \(failure.message)", isHarness: failure.kind.blame == .harness)
            case .success(let answer):
                guard case .judged(let votes) = answer else { continue }
                outcome.add(
                    example, criterion.finding(in: answer), isUnanimous: Set(votes.map(\.verdict)).count == 1)
            }
        }
        return outcome
    }
}

extension ProjectConfiguration {
    /// The names of the judges that the project declares, in order.
    public var judgeNames: [String] { self.models.judges.keys.sorted() }
}
