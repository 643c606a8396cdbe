import JSON
import Machines

/// What the vendor's client reads of a member: it converts numbers in texts and texts that are numbers, and takes an
/// empty text for a member that is not there.
extension MemberRule.Kind {
    static let lenientText = Self("a text", takesEmptyForNone: true) { $0.lenientText != nil }
    /// A text that opens a chat, and must not stand in an error.
    static let lenientKey = Self("a text", isShown: false, takesEmptyForNone: true) { $0.lenientText != nil }
    static let lenientNumber = Self("a whole number", takesEmptyForNone: true) { $0.lenientInteger != nil }
    static let lenientTime = Self("a time", takesEmptyForNone: true) { $0.lenientTime != nil }
    static let lenientTruth = Self("true or false", takesEmptyForNone: true) { value in
        value.bool != nil || value.double != nil || truths.contains(value.string?.lowercased() ?? "")
    }
    static let lenientObject = Self("an object", takesEmptyForNone: true) { $0.object != nil }
    /// An object whose member `Fields` is a list, if it has one; an empty table of a server in Lua is an empty list.
    static let form = Self("a form", takesEmptyForNone: true) { value in
        guard let form = value.object else { return false }
        let fields = form["Fields"] ?? .null
        return fields.isNull || fields.array != nil || fields.object?.isEmpty == true
    }

    /// The words that stand for a truth value.
    private static let truths: Set<String> = ["true", "yes", "1", "false", "no", "0"]
}
