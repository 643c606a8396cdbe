public import JSON

/// Finds the first member of a table that its declaration does not have, at any depth.
///
/// A ``ScriptType`` cannot contain itself. Tables that can, such as the payload of a popup in a button of a payload,
/// are declared as any value; what they hold is told by the name of the member.
///
/// It looks at names, and at words of which there are some only if it is told to: who reads the values says what is
/// wrong with them.
public struct NestedMemberCheck: Sendable {
    private let checksWords: Bool
    private let opened: @Sendable (String, JSONObject) -> [ParameterDeclaration]?

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - checksWords: Whether a member that is one of some words must be one.
    ///   - opened: The members of a table in a member that is declared as any value, by the member's name and
    ///     the table; nil if it may have any.
    public init(
        checksWords: Bool = false,
        opened: @escaping @Sendable (String, JSONObject) -> [ParameterDeclaration]? = { _, _ in nil }
    ) {
        self.checksWords = checksWords
        self.opened = opened
    }

    /// Returns who has no member of which name, and what was meant; nil if all members are declared.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - members: What it may have.
    ///   - owner: What the table is called in the sentence.
    public func problem(in table: JSONObject, _ members: [ParameterDeclaration], of owner: String) -> String? {
        for (name, value) in table {
            guard let member = members.first(where: { $0.name == name }) else {
                return UnknownMember.text(name, of: owner, as: "member", among: members.map(\.name))
            }
            if let problem = self.problem(in: value, member.type, named: name, of: "\(owner).\(name)") {
                return problem
            }
        }
        return nil
    }

    /// Returns who has no member of which name, and what was meant; nil if all members are declared.
    public func problem(in value: JSONValue, _ type: ScriptType, of owner: String) -> String? {
        self.problem(in: value, type, named: "", of: owner)
    }

    private func problem(
        in value: JSONValue, _ type: ScriptType, named name: String, of owner: String
    ) -> String? {
        switch type {
        case .record(let members): return value.object.flatMap { self.problem(in: $0, members, of: owner) }
        case .list(let element):
            return self.first(in: value) { self.problem(in: $1, element, named: name, of: "\(owner)[\($0)]") }
        case .map(let element):
            for (key, item) in value.object ?? [:] {
                if let problem = self.problem(in: item, element, named: key, of: "\(owner).\(key)") { return problem }
            }
            return nil
        case .either(let alternatives):
            return ScriptType.first(of: alternatives, taking: value)
                .flatMap { self.problem(in: value, $0, named: name, of: owner) }
        case .json:
            if let table = value.object {
                return self.opened(name, table).flatMap { self.problem(in: table, $0, of: owner) }
            }
            return self.first(in: value) { self.problem(in: $1, .json, named: name, of: "\(owner)[\($0)]") }
        case .choice(let words) where self.checksWords && !value.isNull && !words.contains(value.string ?? ""):
            return MemberKindCheck.wrongWord(value, of: owner, among: words)
        default: return nil
        }
    }

    /// Returns the first problem in a list, whose elements are counted from 1 as Lua does.
    private func first(in list: JSONValue, _ problem: (Int, JSONValue) -> String?) -> String? {
        for (index, element) in (list.array ?? []).enumerated() {
            if let problem = problem(index + 1, element) { return problem }
        }
        return nil
    }
}
