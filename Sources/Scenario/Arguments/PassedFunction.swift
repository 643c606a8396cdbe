import JSON

/// A function of a script on its way to a declared parameter.
///
/// It is no plain number, so that no parameter of another type takes it for one.
struct PassedFunction: Hashable {
    private static let key = "@function"

    /// The number under which the script keeps it.
    let number: Int64

    init(number: Int64) {
        self.number = number
    }

    /// Reads what stands for a function; nil for every other value.
    init?(_ value: JSONValue) {
        guard case .object(let members) = value, members.count == 1, let number = members[Self.key]?.integer else {
            return nil
        }
        self.number = number
    }

    /// What stands for it.
    var json: JSONValue { [Self.key: .integer(self.number)] }

    /// Whether a function stands anywhere in a value.
    static func stands(in value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.contains { Self.stands(in: $0) }
        case .object(let members): Self(value) != nil || members.contains { Self.stands(in: $1) }
        default: false
        }
    }
}
