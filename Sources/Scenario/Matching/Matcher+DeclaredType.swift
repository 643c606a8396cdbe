import JSON
import Machines

/// Matchers that no value of a declared type fits: expected in vain, and as a rule never broken.
extension Matcher {
    /// Returns why no value of a type can be what is asked for, or nil where one may.
    ///
    /// - Parameters:
    ///   - type: What is declared.
    ///   - path: Where the value stands, such as `person.name`.
    func contradiction(to type: ScriptType, at path: String) -> String? {
        switch (self, type) {
        case (.not(let matcher), _), (.capture(_, let matcher), _): return matcher.contradiction(to: type, at: path)
        case (.oneOf(let matchers), _), (.allOf(let matchers), _):
            return matchers.lazy.compactMap { $0.contradiction(to: type, at: path) }.first
        case (_, .either(let types)):
            let contradictions = types.map { self.contradiction(to: $0, at: path) }
            return contradictions.contains(nil) ? nil : contradictions.first ?? nil
        case (.equal(let value), _): return Self.contradiction(of: value, to: type, at: path)
        case (.members(let members), .record(let declared)):
            return members.lazy.compactMap { Self.contradiction(of: $0, to: declared, at: path) }.first
        case (.members(let members), .map(let type)):
            return members.lazy.compactMap { $0.matcher.contradiction(to: type, at: "\(path).\($0.name)") }.first
        case (.elements(let matchers), .list(let type)):
            return matchers.enumerated().lazy.compactMap { $1.contradiction(to: type, at: "\(path)[\($0 + 1)]") }.first
        case (.hasElement(let matcher), .list(let type)): return matcher.contradiction(to: type, at: "\(path)[]")
        default:
            guard let kinds = self.kinds, let kind = type.valueKind, !kinds.contains(kind) else { return nil }
            return "\(path) is \(kind.phrase), which is never \(self)"
        }
    }

    private static func contradiction(
        of member: MemberMatcher, to declared: [ParameterDeclaration], at path: String
    ) -> String? {
        if let known = declared.first(where: { $0.name == member.name }) {
            return member.matcher.contradiction(to: known.type, at: "\(path).\(member.name)")
        }
        // A server may add members; one in almost the letters of another is a slip.
        guard let suggestion = TextDistance.suggestion(for: member.name, among: declared.map(\.name)) else {
            return nil
        }
        return "\(path) has no member \"\(member.name)\"; did you mean \"\(suggestion)\"?"
    }

    private static func contradiction(of value: JSONValue, to type: ScriptType, at path: String) -> String? {
        if case .choice(let words) = type, let word = value.string, !words.contains(word) {
            return "\(path) is never \(value)"
                + TextDistance.hint(word, among: words, listing: "it is one of")
        }
        guard let kind = type.valueKind, let found = ValueKind(value), found != kind else { return nil }
        return "\(path) is \(kind.phrase), which is never \(value)"
    }

    /// The kinds of values that the matcher can accept; nil where that cannot be told.
    private var kinds: [ValueKind]? {
        switch self {
        case .containsText, .glob, .regex, .fuzzy, .wordErrorRate, .tokenSet, .template, .asked, .personalData, .leaks,
            .json:
            [.text]
        case .near, .range: [.number]
        default: nil
        }
    }
}

/// What tells values apart that are never equal.
private enum ValueKind {
    case text, number, boolean

    /// Creates the kind of a value; nil for tables, lists and null, which many values can be compared with.
    init?(_ value: JSONValue) {
        switch value {
        case .string: self = .text
        case .integer, .double: self = .number
        case .bool: self = .boolean
        default: return nil
        }
    }

    var phrase: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .boolean: "true or false"
        }
    }
}

extension ScriptType {
    /// The kind of all values of the type; nil where they are of several, or where the declaration is loose.
    fileprivate var valueKind: ValueKind? {
        switch self {
        case .string, .choice: .text
        case .integer, .number: .number
        case .boolean: .boolean
        default: nil
        }
    }
}
