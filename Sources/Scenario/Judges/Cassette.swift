import JSON
import Machines

/// Answers of models that a run keeps for the next one: a text file with a line of JSON for each, in the order of their
/// keys, so that it is the same however the run went and can be looked at where it is changed.
struct Cassette: Sendable {
    /// An answer with what it answers.
    private struct Entry: Sendable {
        let question: JSONObject
        let answeredBy: String
        let answer: ModelAnswer

        func line(_ key: String) -> String {
            var line: JSONObject = ["key": .string(key)]
            for (name, value) in self.question { line[name] = value }
            line["answered_by"] = .string(self.answeredBy)
            switch self.answer {
            case .similarity(let similarity): line["similarity"] = .double(similarity)
            case .judged(let votes):
                line["answers"] = .array(
                    votes.map { ["verdict": .bool($0.verdict), "reason": .string($0.reason)] })
            case .turn(let turn): line["turn"] = turn.json
            }
            line[Cassette.digestName] = .string(ModelQuestion.key(of: line))
            return JSONValue.object(line).description + "\n"
        }
    }

    /// The last member of a line: the digest of all others. By it a verdict that somebody has turned round is found,
    /// whereas the key is of the question alone.
    private static let digestName = "digest"

    private var entries: [String: Entry] = [:]

    /// Whether something has been added since it was read.
    private(set) var isChanged = false

    /// Creates an empty one.
    init() {}

    /// Reads one.
    ///
    /// - Throws: ``ModelFailure`` that names the line that cannot be used.
    init(reading text: String) throws(ModelFailure) {
        var places: [String: Int] = [:]
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            guard let (key, entry) = Self.entry(String(line)) else {
                throw ModelFailure(
                    "line \(index + 1) is no answer that repartee wrote, or was changed since; take the line out and "
                        + "record it anew with --record")
            }
            // The same line twice is what a merge of two branches leaves.
            if let other = self.entries[key], other.line(key) != entry.line(key) {
                throw ModelFailure(
                    "lines \(places[key] ?? 0) and \(index + 1) answer the same question, and not alike; take one of "
                        + "them out")
            }
            self.entries[key] = entry
            places[key] = index + 1
        }
    }

    private static func entry(_ line: String) -> (String, Entry)? {
        guard let members = (try? JSONReader.readUnambiguous(line.utf8))?.object,
            let key = members["key"]?.string, let answeredBy = members["answered_by"]?.string,
            members[Self.digestName]?.string
                == ModelQuestion.key(of: JSONObject(members.filter { name, _ in name != Self.digestName }))
        else { return nil }
        let question = JSONObject(
            ModelQuestion.memberNames.compactMap { name in members[name].map { (name, $0) } })
        guard ModelQuestion.key(of: question) == key else { return nil }
        guard let answer = Self.answer(in: members, to: question) else { return nil }
        return (key, Entry(question: question, answeredBy: answeredBy, answer: answer))
    }

    /// Returns the answer of a line, if it is one of the kind that was asked for.
    private static func answer(in members: JSONObject, to question: JSONObject) -> ModelAnswer? {
        switch question["kind"]?.string {
        case "means":
            guard let similarity = members["similarity"]?.double, -1...1 ~= similarity else { return nil }
            return .similarity(similarity)
        case "turn": return (members["turn"]?.object).flatMap(Persona.Turn.init).map(ModelAnswer.turn)
        default:
            var votes: [ModelAnswer.Vote] = []
            for value in members["answers"]?.array ?? [] {
                guard let verdict = value["verdict"]?.bool, let reason = value["reason"]?.string else { return nil }
                votes.append(ModelAnswer.Vote(verdict: verdict, reason: reason))
            }
            guard votes.count % 2 == 1, question["votes"]?.integer == Int64(votes.count) else { return nil }
            return .judged(votes)
        }
    }

    /// The text of the file.
    var text: String {
        self.entries.sorted { $0.key < $1.key }.map { $0.value.line($0.key) }.joined()
    }

    /// Returns the answer to a question, if there is one.
    subscript(question: JSONObject) -> ModelAnswer? { self.entries[ModelQuestion.key(of: question)]?.answer }

    /// Says what is like a question that has no answer here: the same one to another model, or with another prompt.
    func difference(from question: JSONObject) -> String? {
        let texts = ModelQuestion.memberNames.filter { !ModelQuestion.addressNames.contains($0) }
        let others = self.entries.sorted { $0.key < $1.key }.map(\.value.question)
        guard let other = others.first(where: { other in texts.allSatisfy { other[$0] == question[$0] } }) else {
            return nil
        }
        let names = ModelQuestion.addressNames.filter { other[$0] != question[$0] }
        return names.map { name in
            "its answer is for \(name) \(other[name] ?? .null) and not \(question[name] ?? .null)"
        }.joined(separator: ", ")
    }

    /// Adds an answer.
    ///
    /// - Parameter answeredBy: The model that the endpoint says has answered.
    /// - Throws: ``ModelFailure`` if another one answers now than at the same endpoint before: what it says and what
    ///   the cassette holds cannot be compared.
    mutating func add(_ answer: ModelAnswer, to question: JSONObject, answeredBy: String) throws(ModelFailure) {
        let other = self.entries.values.first { entry in
            entry.answeredBy != answeredBy && entry.question["url"] == question["url"]
                && entry.question["model"] == question["model"] && entry.question["kind"] == question["kind"]
        }
        if let other {
            throw ModelFailure(
                "the model \"\(answeredBy)\" answers now, and \"\(other.answeredBy)\" did when the cassette was "
                    + "recorded; remove the cassette to record all answers anew")
        }
        self.entries[ModelQuestion.key(of: question)] = Entry(
            question: question, answeredBy: answeredBy, answer: answer)
        self.isChanged = true
    }
}
