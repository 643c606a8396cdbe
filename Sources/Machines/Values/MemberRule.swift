public import JSON

/// What a member of an object that a peer sent must be for the object to be read; members without a rule may be
/// anything.
///
/// A member that is null counts as one that is not there, as many servers write both.
public struct MemberRule: Hashable, Sendable {
    /// What a value can be; kinds are told apart by their names, and systems have further ones.
    public struct Kind: Hashable, Sendable {
        /// What such a value is called, with its article.
        public let name: String
        private let isShown: Bool
        fileprivate let takesEmptyForNone: Bool
        fileprivate let holds: @Sendable (JSONValue) -> Bool

        /// Creates a kind.
        ///
        /// - Parameters:
        ///   - name: What such a value is called, with its article.
        ///   - isShown: Whether a value that is none may be named, which one that opens something must not.
        ///   - takesEmptyForNone: Whether an empty text counts as a member that is not there.
        ///   - holds: Whether a value is of this kind.
        public init(
            _ name: String, isShown: Bool = true, takesEmptyForNone: Bool = false,
            _ holds: @escaping @Sendable (JSONValue) -> Bool
        ) {
            self.name = name
            self.isShown = isShown
            self.takesEmptyForNone = takesEmptyForNone
            self.holds = holds
        }

        /// A text, which may be empty.
        public static let text = Kind("a text") { $0.string != nil }
        /// A number.
        public static let number = Kind("a number") { $0.double != nil }
        /// A number without a fraction.
        public static let integer = Kind("a whole number") { $0.integer != nil }
        /// A truth value.
        public static let truth = Kind("true or false") { $0.bool != nil }
        /// An object.
        public static let object = Kind("an object") { $0.object != nil }
        /// A list of anything.
        public static let list = Kind("a list") { $0.array != nil }
        /// A list of objects.
        public static let objects = Kind("a list of objects") { value in
            value.array?.allSatisfy { $0.object != nil } ?? false
        }

        public static func == (left: Kind, right: Kind) -> Bool { left.name == right.name }

        public func hash(into hasher: inout Hasher) { hasher.combine(self.name) }

        /// What is said of a value that is none.
        fileprivate func complaint(about value: JSONValue) -> String {
            self.isShown
                ? "is \(value.description.shortened(to: MemberRule.longestShown)), not \(self.name)"
                : "is not \(self.name)"
        }
    }

    /// At most this many characters of a value are shown.
    private static let longestShown = 500

    private let name: String
    private let kind: Kind
    private let isNeeded: Bool

    /// A member that must be there.
    public static func needs(_ name: String, _ kind: Kind) -> MemberRule {
        MemberRule(name: name, kind: kind, isNeeded: true)
    }

    /// A member that may be missing.
    public static func may(_ name: String, _ kind: Kind) -> MemberRule {
        MemberRule(name: name, kind: kind, isNeeded: false)
    }

    /// Checks an object.
    ///
    /// - Throws: ``Misreading`` about the first member that is not as its rule says.
    public static func check(_ object: JSONObject, _ rules: [MemberRule]) throws(Misreading) {
        for rule in rules { try rule.check(object) }
    }

    /// Checks whose something is: a member that names another one than it must be is not for this client.
    ///
    /// - Throws: ``Misreading`` if the member is there and says otherwise; ids are compared in lower case.
    public static func check(_ object: JSONObject, _ name: String, is id: String) throws(Misreading) {
        guard let said = object[name]?.string, said.lowercased() != id.lowercased() else { return }
        let shown = said.shortened(to: Self.longestShown)
        throw Misreading("its \(name) is \"\(shown)\", where this is \"\(id)\"", isForeign: true)
    }

    private func check(_ object: JSONObject) throws(Misreading) {
        guard let value = object[self.name], !value.isNull, !(self.kind.takesEmptyForNone && value.string == "") else {
            guard self.isNeeded else { return }
            throw Misreading("it has no \(self.name)")
        }
        guard self.kind.holds(value) else {
            throw Misreading("its \(self.name) \(self.kind.complaint(about: value))")
        }
    }
}
