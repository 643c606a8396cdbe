import JSON
import Machines

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

    /// Returns checked values with every function in them as it stands on its way, for a process that checks them
    /// again.
    ///
    /// - Parameter functions: Gets the numbers of the functions.
    static func restored(
        _ members: JSONObject, _ parameters: [ParameterDeclaration], functions: inout Set<Int64>
    ) -> JSONObject {
        var restored = members
        for parameter in parameters {
            guard let value = members[parameter.name] else { continue }
            restored[parameter.name] = Self.restored(value, parameter.type, &functions)
        }
        return restored
    }

    private static func restored(_ value: JSONValue, _ type: ScriptType, _ functions: inout Set<Int64>) -> JSONValue {
        switch type {
        case .function:
            guard let number = value.integer else { return value }
            functions.insert(number)
            return PassedFunction(number: number).json
        case .list(let element):
            return value.array.map { .array($0.map { Self.restored($0, element, &functions) }) } ?? value
        case .map(let element):
            guard let members = value.object else { return value }
            return .object(JSONObject(members.map { ($0.0, Self.restored($0.1, element, &functions)) }))
        case .record(let members):
            return value.object.map { .object(Self.restored($0, members, functions: &functions)) } ?? value
        default: return value
        }
    }
}
