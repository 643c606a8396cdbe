import JSON
import Machines

/// Why no value of a declared type can be what a matcher asks for.
private struct Contradiction {
    let text: String

    /// What was meant, if it is almost spelt like it.
    var suggestion: String?
}

/// Matchers that no value of a declared type fits: expected in vain, and as a rule never broken.
extension Matcher {
    /// Returns why no value of a type can be what is asked for, or nil where one may.
    ///
    /// - Parameters:
    ///   - type: What is declared.
    ///   - path: Where the value stands, such as `person.name`.
    func contradiction(to type: ScriptType, at path: String) -> String? {
        self.conflict(with: type, at: path)?.text
    }

    /// Returns a part of a message that is asked of an event without a field in which it could stand; nil if none is.
    ///
    /// - Parameter types: What the fields of the event hold, which has no others.
    func homelessPart(among types: [ScriptType]) -> Matcher? {
        switch self {
        case .part:
            types.allSatisfy { type in type.valueKind.map { $0 != .structure } ?? false } ? self : nil
        case .not(let matcher), .capture(_, let matcher): matcher.homelessPart(among: types)
        case .allOf(let matchers): matchers.lazy.compactMap { $0.homelessPart(among: types) }.first
        case .oneOf(let matchers):
            matchers.allSatisfy { $0.homelessPart(among: types) != nil }
                ? matchers.first?.homelessPart(among: types) : nil
        default: nil
        }
    }

    private func conflict(with type: ScriptType, at path: String) -> Contradiction? {
        switch (self, type) {
        case (.not(let matcher), _), (.capture(_, let matcher), _): return matcher.conflict(with: type, at: path)
        case (.oneOf(let matchers), _): return Self.conflict(ofAlternatives: matchers, with: type, at: path)
        case (.allOf(let matchers), _): return matchers.lazy.compactMap { $0.conflict(with: type, at: path) }.first
        case (_, .either(let types)):
            let conflicts = types.compactMap { self.conflict(with: $0, at: path) }
            return conflicts.count == types.count ? conflicts.first : nil
        case (.equal(let value), _): return type.conflict(with: value, at: path)
        case (.members(let members), .record(let declared)):
            return members.lazy.compactMap { Self.conflict(of: $0, with: declared, at: path) }.first
        case (.empty, .map):
            // Such a table has members that nobody can foresee, so that each of these may be meant.
            return Contradiction(
                text: "\(path) = {} asks nothing of the table; match.equals {} asks for an empty one, match.absent for "
                    + "none, and match.type \"table\" for any")
        case (.members(let members), .map(let type)):
            return members.lazy.compactMap { $0.matcher.conflict(with: type, at: "\(path).\($0.name)") }.first
        case (.elements(let matchers), .list(let type)):
            return matchers.enumerated().lazy.compactMap { $1.conflict(with: type, at: "\(path)[\($0 + 1)]") }.first
        case (.hasElement(let matcher), .list(let type)): return matcher.conflict(with: type, at: "\(path)[]")
        case (.range(let range), .integer)
        where range.lowerBound.approximation.rounded(.up) > range.upperBound.approximation:
            return Contradiction(text: "\(path) is a whole number, which is never \(self)")
        case (.near(let number, let tolerance), .integer)
        where (number.approximation - tolerance).rounded(.up) > number.approximation + tolerance:
            return Contradiction(text: "\(path) is a whole number, which is never \(self)")
        default:
            guard let kinds = self.kinds, let kind = type.valueKind, !kinds.contains(kind) else { return nil }
            return Contradiction(text: "\(path) is \(kind.phrase), which is never \(self)")
        }
    }

    /// Alternatives may be those of several chats, as long as one can be; but one in almost the letters of a declared
    /// word is a slip, unless that word is an alternative as well.
    private static func conflict(
        ofAlternatives matchers: [Matcher], with type: ScriptType, at path: String
    ) -> Contradiction? {
        let conflicts = matchers.compactMap { $0.conflict(with: type, at: path) }
        guard conflicts.count < matchers.count else { return conflicts.first }
        let words = matchers.compactMap { matcher in
            if case .equal(let value) = matcher { value.string } else { nil }
        }
        return conflicts.first { $0.suggestion.map { !words.contains($0) } ?? false }
    }

    private static func conflict(
        of member: MemberMatcher, with declared: [ParameterDeclaration], at path: String
    ) -> Contradiction? {
        if let known = declared.first(where: { $0.name == member.name }) {
            return member.matcher.conflict(with: known.type, at: "\(path).\(member.name)")
        }
        // A server may add members; one in almost the letters of another is a slip.
        guard let suggestion = TextDistance.suggestion(for: member.name, among: declared.map(\.name)) else {
            return nil
        }
        return Contradiction(
            text: "\(path) has no member \"\(member.name)\"; did you mean \"\(suggestion)\"?", suggestion: suggestion)
    }

    /// The kinds of values that the matcher can accept; nil where that cannot be told.
    private var kinds: [ValueKind]? {
        switch self {
        case .personalData(let kinds) where kinds.contains(.card): [.text, .number]
        // Of a table that is declared, the last two are asked field by field.
        case .containsText, .glob, .regex, .fuzzy, .wordErrorRate, .tokenSet, .template, .asked, .json, .personalData,
            .leaks:
            [.text]
        case .near, .range: [.number]
        case .hasElement, .members, .empty, .elements, .part: [.structure]
        case .type(let type): [type.valueKind]
        case .schema(let schema): schema.types.flatMap(Self.kinds(ofSchemaTypes:))
        default: nil
        }
    }

    private static func kinds(ofSchemaTypes types: [String]) -> [ValueKind]? {
        var kinds: [ValueKind] = []
        for type in types {
            switch type {
            case "string": kinds.append(.text)
            case "number", "integer": kinds.append(.number)
            case "boolean": kinds.append(.boolean)
            case "object", "array": kinds.append(.structure)
            default: return nil
            }
        }
        return kinds
    }
}

/// What tells values apart that are never equal.
private enum ValueKind {
    case text, number, boolean
    /// A table or a list, which scripts spell alike.
    case structure

    /// Creates the kind of a value; nil for null, and for numbers that are none of Lua's.
    init?(_ value: JSONValue) {
        switch value {
        case .string: self = .text
        case .integer, .double: self = .number
        case .bool: self = .boolean
        case .object, .array: self = .structure
        case .null, .numeral: return nil
        }
    }

    var phrase: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .boolean: "true or false"
        case .structure: "a table"
        }
    }
}

extension ScriptType {
    /// Why no value of the type is a certain one; nil where one may be.
    fileprivate func conflict(with value: JSONValue, at path: String) -> Contradiction? {
        if case .choice(let words) = self, let word = value.string, !words.contains(word) {
            return Contradiction(
                text: "\(path) is never \(value)" + TextDistance.hint(word, among: words, listing: "it is one of"),
                suggestion: TextDistance.suggestion(for: word, among: words))
        }
        if case .integer = self, let number = value.double, number != number.rounded() {
            return Contradiction(text: "\(path) is a whole number, which is never \(value)")
        }
        guard let kind = self.valueKind, let found = ValueKind(value), found != kind else { return nil }
        return Contradiction(text: "\(path) is \(kind.phrase), which is never \(value)")
    }

    /// The kind of all values of the type; nil where they are of several, or where the declaration is loose.
    fileprivate var valueKind: ValueKind? {
        switch self {
        case .string, .choice: .text
        case .integer, .number: .number
        case .boolean: .boolean
        case .record, .map, .list: .structure
        default: nil
        }
    }
}

extension JSONType {
    /// The kind of all values of the type.
    fileprivate var valueKind: ValueKind {
        switch self {
        case .string: .text
        case .number, .integer: .number
        case .boolean: .boolean
        case .list, .table: .structure
        }
    }
}
