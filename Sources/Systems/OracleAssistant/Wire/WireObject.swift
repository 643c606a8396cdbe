import JSON
import Machines

/// A typed view over one JSON object of the message model.
///
/// The object stays as the peer wrote it and the properties read from it, so that members nobody knows, members of an
/// unexpected type and the order of members all survive decoding and encoding.
protocol WireObject: Hashable, Sendable {
    /// The object as it stands on the wire.
    var members: JSONObject { get set }

    /// Creates a view over an object; any object will do.
    init(members: JSONObject)
}

extension WireObject {
    /// The value for the wire.
    var json: JSONValue { .object(self.members) }

    /// Creates a view over a value, if it is an object.
    init?(_ value: JSONValue?) {
        guard let members = value?.object else { return nil }
        self.init(members: members)
    }

    /// Whether there is anything of that name.
    func isGiven(_ name: String) -> Bool { self.members[name].map { !$0.isNull } ?? false }

    /// The string of that name.
    func text(_ name: String) -> String? { self.members[name]?.string }

    /// The number of that name.
    func number(_ name: String) -> Double? { self.members[name]?.double }

    /// The whole number of that name.
    func integer(_ name: String) -> Int64? { self.members[name]?.integer }

    /// The boolean of that name; the strings `true` and `True` count too, as skills write them.
    func flag(_ name: String) -> Bool? { self.members[name]?.flag }

    /// The object of that name.
    func object(_ name: String) -> JSONObject? { self.members[name]?.object }

    /// The view over the object of that name.
    func view<View: WireObject>(_ name: String, as type: View.Type = View.self) -> View? { View(self.members[name]) }

    /// The views over the objects of that array; elements that are no objects are left out of the list, not of the
    /// wire.
    func views<View: WireObject>(_ name: String, as type: View.Type = View.self) -> [View] {
        (self.members[name]?.array ?? []).compactMap { View($0) }
    }
}

extension JSONValue {
    /// The boolean; the strings `true` and `True` count too.
    fileprivate var flag: Bool? {
        switch self {
        case .bool(let value): value
        case .string("true"), .string("True"): true
        case .string("false"), .string("False"): false
        default: nil
        }
    }
}

extension MemberRule.Kind {
    /// A truth value, as skills write them.
    static let flag = Self("true or false") { $0.flag != nil }
}
