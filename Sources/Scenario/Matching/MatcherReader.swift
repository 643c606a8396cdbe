import JSON
import Patterns

/// Reads matchers from the values that scripts pass: plain values, tables, and what `match.…` returns.
///
/// A `match.…` constructor returns a table whose member `@match` names it, so that matchers can stand anywhere in a
/// table. Tests that need the script itself are looked up by number.
struct MatcherReader {
    /// Returns the script's own test of a number that `match.where` or `match.pattern` keeps.
    let test: (Int64) -> ((JSONValue) -> Bool)?

    /// Whether models are asked here: by `expect`, which waits for their answers.
    var asksModels = false

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
                return try reader.constructed(name, members)
            }
            return .members(try self.members(members))
        default: return .equal(value)
        }
    }

    /// Reads the members that a table names.
    func members(_ object: JSONObject) throws(UsageError) -> [MemberMatcher] {
        var members: [MemberMatcher] = []
        for (name, value) in object { members.append(MemberMatcher(name: name, matcher: try self.matcher(value))) }
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

    /// The constructors that need a value, or a matcher of one, whatever it is.
    private static let needingValue: Set = ["is_not", "has", "equals", "count", "button"]

    /// Reads what a number of elements is to be.
    ///
    /// - Parameter owner: Whose it is, as the beginning of a sentence.
    func count(_ value: JSONValue, of owner: String) throws(UsageError) -> Matcher {
        let isCount = value.double.map { $0 >= 0 && $0 == $0.rounded() } ?? (value["@match"] != nil)
        guard isCount else {
            throw UsageError("\(owner) a whole number from 0 on, or a matcher of one, not \(value.given)")
        }
        return try self.matcher(value)
    }

    private func constructed(_ name: String, _ members: JSONObject) throws(UsageError) -> Matcher {
        // In Lua a variable that nobody has set is no value at all, and would be asked for.
        if members["value"] == nil, Self.needingValue.contains(name) {
            throw UsageError(
                "match.\(name) got nothing; is the variable set? json.null stands for null, match.any for any value")
        }
        let value = members["value"] ?? .null
        switch name {
        case "any": return .anything
        case "absent": return .absent
        case "contains":
            let part = try self.text(value, name)
            guard !part.isEmpty else {
                throw UsageError(
                    "match.contains takes a text that is not empty; match.type \"string\" accepts any text")
            }
            return .containsText(part)
        case "glob": return .glob(Glob(try self.text(value, name)))
        case "regex":
            let pattern = try self.text(value, name)
            do throws(RegexError) { return .regex(try TextRegex(pattern)) } catch {
                throw UsageError("match.regex cannot read \(value): \(error.message)")
            }
        case "is_not": return .not(try self.matcher(value))
        case "one_of": return .oneOf(try self.list(value, name))
        case "all_of":
            let matchers = try self.list(value, name)
            try Self.checkCaptures(matchers)
            return .allOf(matchers)
        case "has": return .hasElement(try self.matcher(value))
        case "count":
            return .count(try self.count(value, of: "match.count takes"))
        case "equals": return .equal(value)
        case "fuzzy":
            return .fuzzy(text: try self.text(value, name), ratio: try self.likeness(members["ratio"] ?? 0.8, name))
        case "token_set":
            return .tokenSet(text: try self.text(value, name), ratio: try self.likeness(members["ratio"] ?? 0.8, name))
        case "word_error_rate":
            return .wordErrorRate(
                text: try self.text(value, name), most: try self.ratio(members["ratio"] ?? 0.2, name))
        case "typed":
            guard let type = TypedText(rawValue: try self.text(value, name)) else { break }
            return .typed(type)
        case "template":
            let template = TextTemplate(try self.text(value, name))
            if let problem = template.problem { throw UsageError("match.template \(value): \(problem)") }
            return .template(template)
        case "capture":
            let inner = members["matcher"] ?? .null
            return .capture(try self.text(value, name), inner.isNull ? .anything : try self.matcher(inner))
        case _ where MessagePartReader.names.contains(name):
            return .part(try MessagePartReader(reader: self).part(name, value))
        case "near":
            let tolerance = try self.number(members["tolerance"] ?? 0, name)
            guard tolerance >= 0 else { throw UsageError("match.near takes a tolerance from 0 on, not \(tolerance)") }
            return .near(try self.number(value, name), tolerance: tolerance)
        case "between":
            let (low, high) = (try self.number(value, name), try self.number(members["high"] ?? .null, name))
            guard low <= high else { throw UsageError("match.between takes the smaller number first") }
            return .range(low...high)
        case "type":
            guard let type = JSONType(rawValue: try self.text(value, name)) else {
                let names = JSONType.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("match.type takes one of \(names), not \(value.given)")
            }
            return .type(type)
        case "path":
            let spelling = try self.text(value, name)
            guard members["matcher"] != nil else {
                throw UsageError(
                    "match.path needs what is asked of the value there; match.path(\(value), match.any) asks that there is one"
                )
            }
            do {
                return .path(try JSONPath(spelling), spelling: spelling, try self.matcher(members["matcher"] ?? .null))
            } catch let error as JSONSyntaxError {
                throw UsageError("match.path cannot read \(value): \(error)")
            } catch { throw error as? UsageError ?? UsageError("\(error)") }
        case "personal_data": return .personalData(try PersonalData.kinds(value))
        case "leaks": return .leaks(try LeakDetector(try self.text(value, name)))
        case "schema": return .schema(try ValueSchema(value))
        case "json":
            guard !value.isNull else {
                throw UsageError(
                    "match.json takes what is asked of the JSON in a text; match.json(match.any) takes any")
            }
            return .json(try self.matcher(value))
        case "test":
            guard let number = value.integer, let test = self.test(number) else {
                throw UsageError("a matcher of another scenario cannot be used here; make it where it is used")
            }
            return .custom(description: members["description"]?.string ?? "what a function accepts", test: test)
        default: break
        }
        throw UsageError("match.\(name) does not exist")
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
    private func likeness(_ value: JSONValue, _ name: String) throws(UsageError) -> Double {
        let ratio = try self.number(value, name)
        guard ratio > 0, ratio <= 1 else {
            throw UsageError("match.\(name) takes a ratio above 0 up to 1, not \(value.given)")
        }
        return ratio
    }

    private func ratio(_ value: JSONValue, _ name: String) throws(UsageError) -> Double {
        let ratio = try self.number(value, name)
        guard 0...1 ~= ratio else { throw UsageError("match.\(name) takes a ratio from 0 to 1, not \(value.given)") }
        return ratio
    }

    private func text(_ value: JSONValue, _ name: String) throws(UsageError) -> String {
        guard let text = value.string else { throw UsageError("match.\(name) takes a string, not \(value.given)") }
        return text
    }

    private func number(_ value: JSONValue, _ name: String) throws(UsageError) -> Double {
        guard let number = value.double else { throw UsageError("match.\(name) takes a number, not \(value.given)") }
        return number
    }

    private func list(_ value: JSONValue, _ name: String) throws(UsageError) -> [Matcher] {
        guard let elements = value.array, !elements.isEmpty else {
            throw UsageError("match.\(name) takes a list that is not empty, not \(value.given)")
        }
        var matchers: [Matcher] = []
        for element in elements { matchers.append(try self.matcher(element)) }
        return matchers
    }
}
