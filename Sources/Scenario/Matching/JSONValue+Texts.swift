import JSON

extension JSONValue {
    /// Returns whether a text is one of a kind: the value itself, or any text or name that stands in it.
    func holdsText(where isMeant: (String) -> Bool) -> Bool {
        self.firstText { isMeant($0) ? true : nil } != nil
    }

    /// Returns what is found in the first text for which there is something: the value itself, or any text or name that
    /// stands in it.
    func firstText<Found>(_ find: (String) -> Found?) -> Found? {
        switch self {
        case .string(let text): return find(text)
        case .array(let elements):
            for element in elements { if let found = element.firstText(find) { return found } }
        case .object(let members):
            for (name, value) in members { if let found = find(name) ?? value.firstText(find) { return found } }
        case .null, .bool, .integer, .double, .numeral: break
        }
        return nil
    }

    /// The name of a matcher that stands in the value, without `match.`; nil if none does.
    var matcherName: String? {
        switch self {
        case .array(let elements): elements.lazy.compactMap { $0.matcherName }.first
        case .object(let members):
            members["@match"]?.string ?? members.lazy.compactMap { $1.matcherName }.first
        default: nil
        }
    }
}
