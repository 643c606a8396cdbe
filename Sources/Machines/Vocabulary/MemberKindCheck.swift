public import JSON

/// Finds the first member of a table whose value is of another kind than its declaration has, or none of its words.
///
/// It does not look into tables and lists, and not for members that are not declared; ``NestedMemberCheck`` does.
public enum MemberKindCheck {
    /// Returns what the member has to be and what it is; nil if all are as they are declared.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - members: What it may have.
    ///   - owner: What the table is called in the sentence.
    public static func problem(
        in table: JSONObject, _ members: [ParameterDeclaration], of owner: String
    ) -> String? {
        for member in members {
            guard let value = table[member.name], !value.isNull else { continue }
            if case .choice(let words) = member.type, !words.contains(value.string ?? "") {
                return Self.wrongWord(value, of: "\(owner).\(member.name)", among: words)
            }
            guard member.type.takesKind(of: value) else {
                return "\(owner).\(member.name) is \(member.type.kind), not \(value)"
            }
        }
        return nil
    }

    /// What is said of a value that is none of some words.
    static func wrongWord(_ value: JSONValue, of member: String, among words: [String]) -> String {
        let known = words.map { "\"\($0)\"" }.joined(separator: ", ")
        return "\(member) is one of \(known), not \(value)"
            + (value.string.map { TextDistance.hint($0, among: words) } ?? "")
    }
}
