import JSON

/// What a member of a JSON object of the service must be; members without a rule may be anything.
///
/// A member that is null counts as one that is not there, as the service writes both.
struct MemberRule: Hashable, Sendable {
    /// What a value can be.
    enum Kind: String, Hashable, Sendable {
        case text = "a text"
        /// A text that is not empty and short enough for a name.
        case id = "an id"
        case time = "a time"
        case number = "a number"
        case integer = "a whole number"
        case truth = "true or false"
        case object = "an object"
        case list = "a list"
        case textOrList = "a list or a text"
        case timeToken = "a time token"

        /// Whether a value is of this kind.
        func holds(_ value: JSONValue) -> Bool {
            switch self {
            case .text: value.string != nil
            case .id: value.string.map { !$0.isEmpty && $0.utf8.count <= 256 } ?? false
            case .time: value.string.flatMap(ServiceTime.ticks) != nil
            case .number: value.double != nil
            case .integer: value.integer != nil
            case .truth: value.bool != nil
            case .object: value.object != nil
            case .list: value.array != nil
            case .timeToken: SubscribeReply.token(value) != nil
            case .textOrList: value.string != nil || value.array != nil
            }
        }
    }

    private let name: String
    private let kind: Kind
    private let isNeeded: Bool

    /// A member that must be there.
    static func needs(_ name: String, _ kind: Kind) -> MemberRule {
        MemberRule(name: name, kind: kind, isNeeded: true)
    }

    /// A member that may be missing.
    static func may(_ name: String, _ kind: Kind) -> MemberRule {
        MemberRule(name: name, kind: kind, isNeeded: false)
    }

    /// Checks an object.
    ///
    /// - Throws: ``Misreading`` about the first member that is not as its rule says.
    static func check(_ object: JSONObject, _ rules: [MemberRule]) throws(Misreading) {
        for rule in rules {
            guard let value = object[rule.name], value != .null else {
                guard rule.isNeeded else { continue }
                throw Misreading("it has no \(rule.name)")
            }
            guard rule.kind.holds(value) else {
                throw Misreading("its \(rule.name) is \(value.description.prefix500), not \(rule.kind.rawValue)")
            }
        }
    }

    /// Checks whose something is: a member that names another one than it must be is not for this client.
    ///
    /// - Throws: ``Misreading`` if the member is there and says otherwise; ids are compared in lower case.
    static func check(_ object: JSONObject, _ name: String, is id: String) throws(Misreading) {
        guard let said = object[name]?.string, said.lowercased() != id.lowercased() else { return }
        throw Misreading("its \(name) is \"\(said.prefix500)\", where this is \"\(id)\"", isForeign: true)
    }
}

/// Why something that the service sent cannot be taken, in words that follow its name.
struct Misreading: Error, Hashable, Sendable {
    let text: String
    /// Whether it can be read, and is meant for somebody else.
    let isForeign: Bool

    /// Creates a reason.
    init(_ text: String, isForeign: Bool = false) {
        self.text = text
        self.isForeign = isForeign
    }
}
