import JSON

extension JSONValue {
    /// Returns whether a text is one of a kind: the value itself, or any text or name that stands in it.
    ///
    /// - Parameter withNumbers: Whether the digits of a whole number count as a text.
    func holdsText(withNumbers: Bool = false, where isMeant: (String) -> Bool) -> Bool {
        self.firstText(withNumbers: withNumbers) { isMeant($0) ? true : nil } != nil
    }

    /// Returns what is found in the first text for which there is something: the value itself, or any text or name that
    /// stands in it.
    ///
    /// - Parameter withNumbers: Whether the digits of a whole number count as a text.
    func firstText<Found>(withNumbers: Bool = false, _ find: (String) -> Found?) -> Found? {
        switch self {
        case .string(let text): return find(text)
        case .array(let elements):
            for element in elements {
                if let found = element.firstText(withNumbers: withNumbers, find) { return found }
            }
        case .object(let members):
            for (name, value) in members {
                if let found = find(name) ?? value.firstText(withNumbers: withNumbers, find) { return found }
            }
        case .integer, .double, .numeral: return withNumbers ? self.digits.flatMap(find) : nil
        case .null, .bool: break
        }
        return nil
    }

    /// The digits of a whole number from zero on, however it is written: a fraction of zero and an exponent change
    /// nothing. Nil of another value.
    private var digits: String? {
        // Beyond 64 bits the digits are what is written.
        if case .numeral(let text) = self, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) { return text }
        return self.integer.flatMap { $0 < 0 ? nil : "\($0)" }
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
