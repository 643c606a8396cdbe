import JSON
import Machines
import Patterns

/// What a script asks of one member of a table.
struct MemberMatcher {
    let name: String
    let matcher: Matcher

    /// The name that the member has if it has not the other one: that of a header in lower case.
    var otherName: String?

    /// Returns the member of a table; nil if it is not there.
    func value(in object: JSONObject) -> JSONValue? {
        object[self.name] ?? self.otherName.flatMap { object[$0] }
    }
}

/// What a script asks of a value.
///
/// Text is compared whole and byte by byte unless the script says otherwise; tables ask only for the members they name.
indirect enum Matcher {
    case anything
    case equal(JSONValue)
    case members([MemberMatcher])
    /// What `{}` asks for: a table or a list in which nothing stands. Where it must not be, any table is one, for it
    /// may be meant so.
    case empty
    case elements([Matcher])
    case containsText(String)
    case glob(Glob)
    case regex(TextRegex)
    case oneOf([Matcher])
    case allOf([Matcher])
    case not(Matcher)
    case fuzzy(text: String, ratio: Double)
    case wordErrorRate(text: String, most: Double)
    case tokenSet(text: String, ratio: Double)
    case typed(TypedText)
    case template(TextTemplate)
    /// A matcher whose value the script gets under a name.
    case capture(String, Matcher)
    /// What a person sees of a message: its buttons, cards, forms or tables.
    case part(MessagePartMatcher)
    case near(ExactNumber, tolerance: Double)
    case range(ClosedRange<ExactNumber>)
    case hasElement(Matcher)
    case count(Matcher)
    case absent
    case type(JSONType)
    case path(JSONPath, spelling: String, Matcher)
    /// A text about which a model is asked once everything else fits; see ``askedTexts(in:)``.
    case asked(ModelCriterion)
    case schema(ValueSchema)
    /// A text with personal data of one of these kinds, a number that is such data, or a table with either.
    case personalData([PersonalData])
    case leaks(LeakDetector)
    /// A text that holds a JSON value.
    case json(Matcher)
    /// A test that only the script can make; the text says which.
    case custom(description: String, test: (JSONValue) -> Bool)

    /// Returns where a value differs from what is asked for; empty if it matches.
    ///
    /// - Parameters:
    ///   - value: The value, or nil where nothing stands.
    ///   - purpose: What the mismatches are for.
    func mismatches(_ value: JSONValue?, for purpose: MismatchPurpose = .failure) -> [Mismatch] {
        switch (self, value) {
        // The null of JSON is there: a peer that is to leave a member out does not by sending it so.
        case (.absent, nil): return []
        // What is not there is nothing, not something else; match.one_of { match.absent, … } says that it may be
        // missing.
        case (.not, nil): return [self.mismatch(nil)]
        case (.not(let matcher), let value?): return matcher.mayMatch(value) ? [self.mismatch(value)] : []
        case (.anything, .some): return []
        case (.oneOf(let matchers), _):
            return matchers.contains { $0.fits(value) } ? [] : [self.mismatch(value)]
        case (.allOf(let matchers), _): return purpose.collect(matchers) { $0.mismatches(value, for: purpose) }
        case (.members(let members), .object(let object)?):
            return purpose.collect(members) { member in
                let value = member.value(in: object)
                return member.matcher.mismatches(value, for: purpose).map { mismatch in
                    var mismatch = mismatch.below(member.name)
                    if value == nil { mismatch.clue = .member(member.name, asked: members, of: object) }
                    return mismatch
                }
            }
        case (.elements(let matchers), .array(let elements)?):
            guard matchers.count == elements.count else {
                return [self.mismatch(value, with: .length(asked: matchers, of: elements))]
            }
            let (all, order) = purpose.collect(elements) { index in
                matchers[index].mismatches(elements[index], for: purpose)
            } fits: { asked, found in
                (asked == found || !matchers[asked].callsScript) && matchers[asked].fits(elements[found])
            }
            return order.map { [self.mismatch(value, with: .order($0))] } ?? all
        case (.capture(_, let matcher), _): return matcher.mismatches(value, for: purpose)
        case (.part(let part), let value?): return part.mismatches(value, for: purpose)
        case (.hasElement(.members(let asked)), .array(let elements)?):
            guard !self.accepts(.array(elements)) else { return [] }
            return [
                Mismatch(path: [], expected: self.description, found: value, clue: .element(asked: asked, of: elements))
            ]
        case (.path(let path, let spelling, let matcher), let value?):
            let found = path.values(in: value)
            guard let first = found.first else { return matcher.mismatches(nil).map { $0.below(spelling) } }
            if found.contains(where: matcher.fits) { return [] }
            return matcher.mismatches(first, for: purpose).map { $0.below(spelling) }
        case (.schema(let schema), let value?): return schema.mismatches(value)
        case (.equal(let wanted), let value?): return Self.differences(wanted, value, for: purpose)
        case (.json(let matcher), let value?):
            guard let content = Self.content(value) else { return [self.mismatch(value)] }
            return matcher.mismatches(content, for: purpose)
        case (_, let value?): return self.accepts(value) ? [] : [self.mismatch(value)]
        case (_, nil): return [self.mismatch(nil)]
        }
    }

    /// Returns what a text holds as JSON, or nil if it holds none, or one in which an object has two members of one
    /// name: whoever reads the other one of them reads something else.
    static func content(_ value: JSONValue) -> JSONValue? {
        value.string.flatMap { try? JSONReader.readUnambiguous($0.utf8) }
    }

    /// Returns whether a value is what is asked for.
    ///
    /// - Parameter value: The value, or nil where nothing stands.
    func fits(_ value: JSONValue?) -> Bool { self.mismatches(value, for: .verdict).isEmpty }

    private func mismatch(_ value: JSONValue?, with clue: Mismatch.Clue) -> Mismatch {
        var mismatch = self.mismatch(value)
        mismatch.clue = clue
        return mismatch
    }

    private func mismatch(_ value: JSONValue?) -> Mismatch {
        let limit = " (nothing is searched for in a text of more than \(TextRegex.longestText) bytes)"
        let remark =
            switch self {
            case .regex, .template: value?.string.map(TextRegex.isTooLong) ?? false ? limit : ""
            case .not(.empty): ""
            case .not(let matcher) where value != nil && !matcher.fits(value):
                matcher.searches && value.map(Self.holdsLongText) ?? false ? limit : ", nor what looks the same"
            default: ""
            }
        return Mismatch(
            path: [], expected: self.description + remark, found: value,
            clue: self.remarks ? .remark(by: self) : nil)
    }

    /// Returns where a value differs from one that it is to equal, member by member.
    private static func differences(
        _ wanted: JSONValue, _ found: JSONValue, for purpose: MismatchPurpose
    ) -> [Mismatch] {
        switch (wanted, found) {
        case (.object(let wanted), .object(let found)):
            return purpose.collect(wanted.names + found.names.filter { wanted[$0] == nil }) { name in
                guard let expected = wanted[name] else {
                    return [Mismatch(path: [name], expected: Matcher.absent.description, found: found[name])]
                }
                guard let other = found[name] else {
                    return [Mismatch(path: [name], expected: expected.description, found: nil)]
                }
                return Self.differences(expected, other, for: purpose).map { $0.below(name) }
            }
        case (.array(let wanted), .array(let found)) where wanted.count == found.count:
            let (all, order) = purpose.collect(found) { index in
                Self.differences(wanted[index], found[index], for: purpose)
            } fits: {
                wanted[$0].isSame(as: found[$1])
            }
            guard let order else { return all }
            let expected = JSONValue.array(wanted).description
            return [Mismatch(path: [], expected: expected, found: .array(found), clue: .order(order))]
        default:
            guard !wanted.isSame(as: found) else { return [] }
            var mismatch = Mismatch(path: [], expected: wanted.description, found: found)
            if let asked = wanted.array, let elements = found.array {
                mismatch.clue = .length(asked: asked.map(Matcher.equal), of: elements)
            } else if wanted.isWrittenLike(found) {
                mismatch.clue = .remark(by: .equal(wanted))
            }
            return [mismatch]
        }
    }

    /// Returns whether a value is accepted by a matcher that looks at it as a whole.
    private func accepts(_ value: JSONValue) -> Bool {
        switch self {
        // An empty table of Lua is an empty list as well.
        case .empty: value.object?.isEmpty ?? value.array?.isEmpty ?? false
        case .containsText(let part): value.string.map { Self.contains(part, in: $0) } ?? false
        case .glob(let glob): value.string.map(glob.matches) ?? false
        case .regex(let regex): value.string.map(regex.matches) ?? false
        case .fuzzy(let text, let ratio): value.string.map { TextDistance.ratio(text, $0) >= ratio } ?? false
        case .wordErrorRate(let text, let most):
            value.string.map { TextDistance.wordErrorRate(wanted: text, found: $0) <= most } ?? false
        case .tokenSet(let text, let ratio): value.string.map { TextDistance.tokenSetRatio(text, $0) >= ratio } ?? false
        case .typed(let type): type.value(of: value) != nil
        case .template(let template): value.string.map { template.captures(in: $0) != nil } ?? false
        case .near(let number, let tolerance):
            ExactNumber(value).map { $0.distance(to: number) <= tolerance } ?? false
        case .range(let range): ExactNumber(value).map(range.contains) ?? false
        case .hasElement(let matcher): value.array?.contains(where: matcher.fits) ?? false
        case .count(let matcher): Self.size(value).map { matcher.fits(.integer(Int64($0))) } ?? false
        case .type(let type): type.accepts(value)
        case .asked: value.string != nil
        // The wire form of an event, and what else has parts, gives away what stands in any of its texts.
        case .personalData(let kinds): PersonalData.isFound(kinds, in: value)
        case .leaks(let detector): value.holdsText(where: detector.isLeaked)
        case .custom(_, let test): test(value)
        case .anything, .equal, .members, .elements, .oneOf, .allOf, .not, .absent, .path, .capture, .part, .schema,
            .json:
            false
        }
    }

    /// Returns whether a part stands in a text: whole characters of it, with the same bytes.
    private static func contains(_ part: String, in text: String) -> Bool {
        part.isEmpty || text.contains(part) && text.utf8.contains(part.utf8)
    }

    private static func size(_ value: JSONValue) -> Int? {
        value.array?.count ?? value.object?.count ?? value.string?.count
    }
}

extension Matcher: CustomStringConvertible {
    /// What is asked for, as it reads in a failure.
    var description: String {
        switch self {
        case .anything: "anything"
        case .equal(let value): value.description
        case .members(let members):
            "{ " + members.map { "\($0.name) = \($0.matcher)" }.joined(separator: ", ") + " }"
        case .empty: "{}"
        case .elements(let matchers): "{ " + matchers.map(\.description).joined(separator: ", ") + " }"
        case .containsText(let part): "text that contains \(JSONValue.string(part))"
        case .glob(let glob): "text like \(JSONValue.string(glob.pattern))"
        case .regex(let regex): "text that matches /\(regex.pattern)/"
        case .oneOf(let matchers): "one of " + matchers.map(\.description).joined(separator: ", ")
        case .allOf(let matchers): matchers.map(\.description).joined(separator: " and ")
        case .not(let matcher): "not \(matcher)"
        case .fuzzy(let text, let ratio):
            "text at least \(Self.percent(ratio)) like \(JSONValue.string(text))"
        case .wordErrorRate(let text, let most):
            "text with a word error rate of at most \(Self.percent(most)) from \(JSONValue.string(text))"
        case .tokenSet(let text, let ratio):
            "text whose words and those of \(JSONValue.string(text)) are at least \(Self.percent(ratio)) the same"
        case .typed(let type): type.phrase
        case .template(let template): "text like \(JSONValue.string(template.source))"
        case .capture(let name, let matcher): "\(matcher) as \(name)"
        case .part(let part): part.description
        case .near(let number, let tolerance): "\(number) ± \(ExactNumber(tolerance))"
        case .range(let range): "from \(range.lowerBound) to \(range.upperBound)"
        case .hasElement(let matcher): "a list with \(matcher)"
        case .count(let matcher): "\(matcher) elements"
        case .absent: "nothing"
        case .type(let type): type.phrase
        case .asked(let criterion): criterion.description
        case .path(_, let spelling, let matcher): "\(matcher) at \(spelling)"
        case .personalData(let kinds): "text with \(PersonalData.phrase(of: kinds))"
        case .leaks(let detector): "text that gives away \(JSONValue.string(detector.text))"
        case .schema(let schema): "\(schema.phrase) by a JSON Schema"
        case .json(let matcher): "text that holds as JSON \(matcher)"
        case .custom(let description, _): description
        }
    }

    private static func percent(_ ratio: Double) -> String { "\(Int((ratio * 100).rounded())) %" }
}

/// The types of JSON values by the names that scripts use.
enum JSONType: String, CaseIterable {
    case string, number, integer, boolean, list, table

    fileprivate var phrase: String {
        switch self {
        case .integer: "an integer"
        default: "a \(self.rawValue)"
        }
    }

    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .string: value.string != nil
        case .number: value.double != nil
        case .integer: value.integer != nil
        case .boolean: value.bool != nil
        case .list: value.array != nil
        case .table: value.object != nil
        }
    }
}
