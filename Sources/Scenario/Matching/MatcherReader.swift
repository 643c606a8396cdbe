import JSON
import Machines

/// Reads matchers from the values that scripts pass: plain values, tables, and what `match.…` returns.
///
/// A `match.…` constructor returns a table whose member `@match` names it, so that matchers can stand anywhere in a
/// table. Tests that need the script itself are looked up by number.
struct MatcherReader {
    /// Returns the script's own test of a number that `match.where` or `match.pattern` keeps.
    let test: (Int64) -> ((JSONValue) -> Bool)?

    /// Whether models are asked here: by `expect`, which waits for their answers.
    var asksModels = false

    /// Whether the members of tables are headers, which are found by any spelling.
    private var readsHeaders = false

    /// The field of which something is asked, where parts of messages are looked for under its name.
    private(set) var partField: String?

    /// - Parameter test: Returns the script's own test of a number.
    init(test: @escaping (Int64) -> ((JSONValue) -> Bool)?, asksModels: Bool = false) {
        self.test = test
        self.asksModels = asksModels
    }

    /// Reads a matcher.
    ///
    /// - Throws: ``UsageError`` if a constructor was given what it cannot use.
    func matcher(_ value: JSONValue) throws(UsageError) -> Matcher {
        switch value {
        case .array(let elements):
            var matchers: [Matcher] = []
            for element in elements { matchers.append(try self.matcher(element)) }
            try Self.checkCaptures(matchers)
            return .elements(matchers)
        case .object(let members):
            if let name = members["@match"]?.string {
                if let criterion = try self.criterion(name, members) { return .asked(criterion) }
                var reader = self
                // Other wrappers try many values, and each question to a model costs money.
                reader.asksModels = self.asksModels && name == "all_of"
                return try ConstructedMatcher(name: name, members: members, reader: reader).matcher()
            }
            return members.isEmpty ? .empty : .members(try self.members(members))
        default: return .equal(value)
        }
    }

    /// Reads the members that a table names.
    func members(_ object: JSONObject) throws(UsageError) -> [MemberMatcher] {
        var members: [MemberMatcher] = []
        var reader = self
        for (name, value) in object {
            reader.readsHeaders = name == "headers"
            reader.partField = MessageModel.isName(name) ? name : nil
            let lowered = self.readsHeaders ? name.lowercased() : name
            members.append(
                MemberMatcher(
                    name: name, matcher: try reader.matcher(value), otherName: lowered == name ? nil : lowered))
        }
        try Self.checkCaptures(members.lazy.map(\.matcher))
        return members
    }

    /// Refuses matchers of which two capture under one name, for one of the two values would be lost.
    static func checkCaptures(_ matchers: some Sequence<Matcher>) throws(UsageError) {
        var captured: Set<String> = []
        for matcher in matchers {
            let names = matcher.captureNames
            if let name = names.first(where: captured.contains) {
                throw UsageError("two values are captured as \"\(name)\"; give each a name of its own")
            }
            captured.formUnion(names)
        }
    }

    /// Reads what a number of elements is to be.
    ///
    /// - Parameter owner: Whose it is, as the beginning of a sentence.
    func count(_ value: JSONValue, of owner: String) throws(UsageError) -> Matcher {
        let isCount = value.double.map { $0 >= 0 && $0 == $0.rounded() } ?? (value["@match"] != nil)
        guard isCount else {
            throw UsageError("\(owner) a whole number from 0 on, or a matcher of one, not \(value.given)")
        }
        let matcher = try self.matcher(value)
        // Nothing has such a number, so that a ban of it would hold whatever is there.
        if let contradiction = matcher.contradiction(to: .integer, at: "a number of elements") {
            throw UsageError("\(owner) a whole number from 0 on, or a matcher of one: \(contradiction)")
        }
        return matcher
    }

    /// Reads what a model is asked; nil if it is none.
    private func criterion(_ name: String, _ members: JSONObject) throws(UsageError) -> ModelCriterion? {
        guard name == "judged" || name == "means" else { return nil }
        guard self.asksModels else {
            throw UsageError(
                "match.\(name) asks a model, which only expect(value, …) and actor:expect(event, …) wait for: in the "
                    + "fields of one event, not inside of seq, any, is_not, one_of, has or the like")
        }
        let text = try self.text(members["value"] ?? .null, name)
        guard !text.isEmpty else { throw UsageError("match.\(name) takes a text that is not empty") }
        guard let options = members["options"].map(\.object) ?? [:] else {
            let example = name == "judged" ? "{ by = \"…\" }" : "{ at_least = 0.9 }"
            throw UsageError(
                "match.\(name) takes its options as a table, such as \(example), not \(members["options"]?.given ?? "")"
            )
        }
        let checker = ArgumentChecker(call: "match.\(name)")
        if name == "judged" {
            let judge = try checker.record(options, ModelCriterion.judgedOptions)["by"]?.string
            return ModelCriterion(kind: .judged(by: judge ?? ""), text: text)
        }
        let least = try checker.record(options, ModelCriterion.meansOptions)["at_least"] ?? 0.8
        return ModelCriterion(kind: .means(atLeast: try self.likeness(least, name)), text: text)
    }

    /// Reads how much alike texts must be; any two are alike to the ratio 0.
    func likeness(_ value: JSONValue, _ name: String) throws(UsageError) -> Double {
        let ratio = try self.number(value, name).approximation
        guard ratio > 0, ratio <= 1 else {
            throw UsageError("match.\(name) takes a ratio above 0 up to 1, not \(value.given)")
        }
        return ratio
    }

    /// Reads a text that a constructor takes.
    func text(_ value: JSONValue, _ name: String) throws(UsageError) -> String {
        guard let text = value.string else { throw UsageError("match.\(name) takes a string, not \(value.given)") }
        return text
    }

    /// Reads a number that a constructor takes.
    func number(_ value: JSONValue, _ name: String) throws(UsageError) -> ExactNumber {
        guard let number = ExactNumber(value) else {
            throw UsageError("match.\(name) takes a number, not \(value.given)")
        }
        return number
    }
}
