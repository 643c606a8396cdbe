import JSON

/// One place at which a value is not what a matcher asks for.
struct Mismatch: Hashable {
    /// Where in the value: member names and positions from the outside in; empty for the value itself.
    var path: [String]

    /// What was asked for, as a phrase or a value.
    let expected: String

    /// What stood there, or nil if nothing did.
    let found: JSONValue?

    /// Returns the mismatch as seen from one level further out.
    func below(_ name: String) -> Mismatch {
        var outer = self
        outer.path.insert(name, at: 0)
        return outer
    }
}
