import JSON

extension JSONValue {
    /// Returns whether a value is the same: numbers by value, whatever their spelling and wherever they stand.
    ///
    /// Whole numbers are compared as such, because identifiers of 64 bits are not all told apart as floating-point
    /// ones.
    func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let own), .array(let others)):
            own.count == others.count && zip(own, others).allSatisfy { $0.isSame(as: $1) }
        case (.object(let own), .object(let others)):
            own.count == others.count && own.allSatisfy { name, value in others[name].map(value.isSame) ?? false }
        default:
            if let own = ExactNumber(self), let others = ExactNumber(other) { own == others } else { self == other }
        }
    }

    /// Returns whether of a text and a number one is written as the other.
    func isWrittenLike(_ other: JSONValue) -> Bool {
        guard let text = self.string ?? other.string, text.utf8.count <= Self.longestNumber,
            let number = self.string == nil ? self : other.string == nil ? other : nil, number.double != nil,
            let written = try? JSONReader.read(text)
        else { return false }
        return written.isSame(as: number)
    }

    /// Longer texts are not read as numbers.
    private static let longestNumber = 40

    /// Returns whether people see no difference to another value: it is the same, but for texts that look the same.
    func looksSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.string(let own), .string(let others)): own == others || LookAlike(own, others) != nil
        case (.array(let own), .array(let others)):
            own.count == others.count && zip(own, others).allSatisfy { $0.looksSame(as: $1) }
        case (.object(let own), .object(let others)):
            own.count == others.count && own.allSatisfy { name, value in others[name].map(value.looksSame) ?? false }
        default: self.isSame(as: other)
        }
    }
}
