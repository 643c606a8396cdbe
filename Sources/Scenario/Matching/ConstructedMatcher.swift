import JSON
import Machines
import Patterns

/// A call of a constructor such as `match.between(1, 2)`, which is read as its matcher.
struct ConstructedMatcher {
    /// The constructor, by its name after `match.`.
    let name: String
    /// What it was given: its first argument is `value`.
    let members: JSONObject
    /// Reads the matchers within.
    let reader: MatcherReader

    private typealias Reading = @Sendable (Self) throws(UsageError) -> Matcher

    private static let readings: [String: Reading] = [
        "absent": { _ in .absent },
        "all_of": { call throws(UsageError) in try call.allOf() },
        "any": { _ in .anything },
        "between": { call throws(UsageError) in try call.between() },
        "capture": { call throws(UsageError) in try call.capture() },
        "contains": { call throws(UsageError) in try call.contains() },
        "count": { call throws(UsageError) in
            .count(try call.reader.count(try call.needed(), of: "match.count takes"))
        },
        "equals": { call throws(UsageError) in try call.equals() },
        "fuzzy": { call throws(UsageError) in .fuzzy(text: try call.text(), ratio: try call.likeness()) },
        "glob": { call throws(UsageError) in .glob(Glob(try call.text())) },
        "has": { call throws(UsageError) in .hasElement(try call.reader.matcher(try call.needed())) },
        "is_not": { call throws(UsageError) in .not(try call.reader.matcher(try call.needed())) },
        "json": { call throws(UsageError) in try call.json() },
        "leaks": { call throws(UsageError) in .leaks(try LeakDetector(try call.text())) },
        "near": { call throws(UsageError) in try call.near() },
        "one_of": { call throws(UsageError) in .oneOf(try call.list()) },
        "path": { call throws(UsageError) in try call.path() },
        "personal_data": { call throws(UsageError) in .personalData(try PersonalData.kinds(call.value)) },
        "regex": { call throws(UsageError) in try call.regex() },
        "schema": { call throws(UsageError) in .schema(try ValueSchema(call.value)) },
        "template": { call throws(UsageError) in try call.template() },
        "test": { call throws(UsageError) in try call.test() },
        "token_set": { call throws(UsageError) in .tokenSet(text: try call.words(), ratio: try call.likeness()) },
        "type": { call throws(UsageError) in try call.type() },
        "typed": { call throws(UsageError) in try call.typed() },
        "word_error_rate": { call throws(UsageError) in
            .wordErrorRate(text: try call.words(), most: try call.errorRate())
        },
    ]

    /// Reads the matcher.
    ///
    /// - Throws: ``UsageError`` if there is no such constructor, or it was given what it cannot use.
    func matcher() throws(UsageError) -> Matcher {
        if MessagePartReader.names.contains(self.name) {
            // The others say themselves what they take.
            let value = self.name == "button" ? try self.needed() : self.value
            let part = try MessagePartReader(reader: self.reader).part(self.name, value)
            return .part(self.reader.partField.map { .within($0, part) } ?? part)
        }
        guard let reading = Self.readings[self.name] else { throw self.unknown }
        return try reading(self)
    }

    private var unknown: UsageError { UsageError("match.\(self.name) does not exist") }

    // MARK: What it was given

    private var value: JSONValue { self.members["value"] ?? .null }

    /// The value of a constructor that takes any one.
    ///
    /// In Lua a variable that nobody has set is no value at all, and would be asked for.
    private func needed() throws(UsageError) -> JSONValue {
        guard let value = self.members["value"] else {
            throw UsageError(
                "match.\(self.name) got nothing; is the variable set? json.null stands for null, match.any for any value"
            )
        }
        return value
    }

    private func text() throws(UsageError) -> String { try self.reader.text(self.value, self.name) }

    private func number(_ value: JSONValue) throws(UsageError) -> ExactNumber {
        try self.reader.number(value, self.name)
    }

    private func likeness() throws(UsageError) -> Double {
        try self.reader.likeness(self.members["ratio"] ?? 0.8, self.name)
    }

    private func errorRate() throws(UsageError) -> Double {
        let value = self.members["ratio"] ?? 0.2
        let ratio = try self.number(value).approximation
        // At 1 all words may be others, and silence is near enough.
        guard ratio >= 0, ratio < 1 else {
            throw UsageError("match.\(self.name) takes a ratio from 0 to below 1, not \(value.given)")
        }
        return ratio
    }

    private func list() throws(UsageError) -> [Matcher] {
        guard let elements = self.value.array, !elements.isEmpty else {
            throw UsageError("match.\(self.name) takes a list that is not empty, not \(self.value.given)")
        }
        var matchers: [Matcher] = []
        for element in elements { matchers.append(try self.reader.matcher(element)) }
        return matchers
    }

    // MARK: Matchers of several

    private func allOf() throws(UsageError) -> Matcher {
        let matchers = try self.list()
        try MatcherReader.checkCaptures(matchers)
        var value: JSONValue?
        for case .equal(let other) in matchers {
            // Never there, so that a ban of it holds whatever is.
            guard value?.isSame(as: other) ?? true else {
                throw UsageError(
                    "match.all_of asks for \(value ?? .null) and \(other) at once, and nothing is both; match.one_of takes "
                        + "either, and match.contains a part of a text")
            }
            value = other
        }
        return .allOf(matchers)
    }

    private func capture() throws(UsageError) -> Matcher {
        let name = try self.text()
        guard !name.isEmpty else {
            throw UsageError(
                "match.capture takes the name by which the script gets the value, such as match.capture \"id\", and no "
                    + "empty one")
        }
        let inner = self.members["matcher"] ?? .null
        return .capture(name, inner.isNull ? .anything : try self.reader.matcher(inner))
    }

    private func path() throws(UsageError) -> Matcher {
        let spelling = try self.text()
        guard let inner = self.members["matcher"] else {
            throw UsageError(
                "match.path needs what is asked of the value there; match.path(\(self.value), match.any) asks that there is "
                    + "one")
        }
        let path: JSONPath
        do { path = try JSONPath(spelling) } catch {
            throw UsageError("match.path cannot read \(self.value): \(error)")
        }
        return .path(path, spelling: spelling, try self.reader.matcher(inner))
    }

    private func json() throws(UsageError) -> Matcher {
        guard !self.value.isNull else {
            throw UsageError("match.json takes what is asked of the JSON in a text; match.json(match.any) takes any")
        }
        return .json(try self.reader.matcher(self.value))
    }

    // MARK: Matchers of texts

    private func contains() throws(UsageError) -> Matcher {
        let part = try self.text()
        guard !part.isEmpty else {
            throw UsageError("match.contains takes a text that is not empty; match.type \"string\" accepts any text")
        }
        return .containsText(part)
    }

    /// A text whose words are compared: with none every text without words would agree, such as an empty one.
    private func words() throws(UsageError) -> String {
        let text = try self.text()
        guard !TextDistance.words(text).isEmpty else {
            throw UsageError(
                "match.\(self.name) takes a text with words, for it compares nothing else, not \(self.value)")
        }
        return text
    }

    private func regex() throws(UsageError) -> Matcher {
        let pattern = try self.text()
        do throws(RegexError) { return .regex(try TextRegex(pattern)) } catch {
            throw UsageError("match.regex cannot read \(self.value): \(error.message)")
        }
    }

    private func template() throws(UsageError) -> Matcher {
        let template = TextTemplate(try self.text())
        if let problem = template.problem ?? template.nearHole {
            throw UsageError("match.template \(self.value): \(problem)")
        }
        return .template(template)
    }

    private func typed() throws(UsageError) -> Matcher {
        guard let type = TypedText(rawValue: try self.text()) else { throw self.unknown }
        return .typed(type)
    }

    // MARK: Matchers of other values

    /// A matcher in the value would be compared as the table that it is, with which nothing agrees: it would fail for
    /// all, and pass for all where it must not hold.
    private func equals() throws(UsageError) -> Matcher {
        let value = try self.needed()
        if let name = value.matcherName {
            throw UsageError(
                "match.equals takes a value without matchers, and match.\(name) is one; a plain table can have some")
        }
        return .equal(value)
    }

    private func near() throws(UsageError) -> Matcher {
        let number = try self.number(self.value)
        let tolerance = try self.number(self.members["tolerance"] ?? 0).approximation
        guard tolerance >= 0 else { throw UsageError("match.near takes a tolerance from 0 on, not \(tolerance)") }
        guard number.approximation.isFinite, tolerance.isFinite else {
            throw UsageError("match.near takes no infinite numbers: every number would be near, or none")
        }
        return .near(number, tolerance: tolerance)
    }

    private func between() throws(UsageError) -> Matcher {
        let (low, high) = (try self.number(self.value), try self.number(self.members["high"] ?? .null))
        guard low <= high else { throw UsageError("match.between takes the smaller number first") }
        return .range(low...high)
    }

    private func type() throws(UsageError) -> Matcher {
        guard let type = JSONType(rawValue: try self.text()) else {
            let names = JSONType.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("match.type takes one of \(names), not \(self.value.given)")
        }
        return .type(type)
    }

    private func test() throws(UsageError) -> Matcher {
        guard let number = self.value.integer, let test = self.reader.test(number) else {
            throw UsageError("a matcher of another scenario cannot be used here; make it where it is used")
        }
        guard let given = self.members["description"] else {
            return .custom(description: "what a function accepts", test: test)
        }
        guard let description = given.string, !description.isBlank else {
            throw UsageError(
                "match.where: the description is \(given.given), and failures show it as what is asked for; write a text, "
                    + "or leave it out")
        }
        return .custom(description: description, test: test)
    }
}
