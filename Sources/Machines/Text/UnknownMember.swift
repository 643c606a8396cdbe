/// What is said where a script names a member that there is not.
public enum UnknownMember {
    /// Returns the sentence: who has none of that name, and what was meant or what there is.
    ///
    /// - Parameters:
    ///   - name: The name that was given.
    ///   - owner: Who would have the member, as scripts know it.
    ///   - kind: What the member would be, such as "option"; nil if the name says it all.
    ///   - known: The names that there are.
    ///   - isListed: Whether they are told if none of them is near; not if they are many.
    ///   - instead: What to write for a name that is well known from elsewhere; it goes before what is near.
    public static func text(
        _ name: String, of owner: String, as kind: String? = nil, among known: [String], isListed: Bool = true,
        instead: String? = nil
    ) -> String {
        let remedy = isListed && !known.isEmpty ? "it has \(known.joined(separator: ", "))" : ""
        return "\(owner) has no \(kind.map { $0 + " " } ?? "")\"\(name)\""
            + (instead.map { "; \($0)" } ?? TextDistance.hint(name, among: known, otherwise: remedy))
    }
}
