import JSON

/// What a member of a message has to be for the client to read it.
///
/// What the vendor's client converts can be read: numbers in texts, texts that are numbers. A member that is null or an
/// empty text counts as absent, and one that nobody knows is nobody's.
struct MemberShape: Hashable, Sendable {
    /// What a member can be.
    enum Kind: String, Sendable {
        case text
        case number = "whole number"
        case truth = "truth value"
        case time = "time"
        case object
        /// An object whose member `Fields` is a list, if it has one.
        case form
    }

    /// The member's name.
    let name: String
    /// What it is.
    let kind: Kind
    /// Whether a message without it says nothing.
    let isRequired: Bool

    /// A member that may be absent.
    static func optional(_ name: String, _ kind: Kind) -> MemberShape {
        MemberShape(name: name, kind: kind, isRequired: false)
    }

    /// A member that has to be there.
    static func required(_ name: String, _ kind: Kind) -> MemberShape {
        MemberShape(name: name, kind: kind, isRequired: true)
    }

    /// What is wrong with the member, after the word "with"; nil if it can be read.
    func fault(in members: JSONObject) -> String? {
        guard let value = members[self.name], !value.isNull, value.string != "" else {
            return self.isRequired ? "no \(self.name)" : nil
        }
        guard !self.isReadable(value, in: members) else { return nil }
        let text = Excerpt.of(Array((value.string ?? value.description).utf8))
        return "\(self.name) \(text), which is no \(self.kind.rawValue)"
    }

    private func isReadable(_ value: JSONValue, in members: JSONObject) -> Bool {
        switch self.kind {
        case .text: members.text(self.name) != nil
        case .number: members.integer(self.name) != nil
        case .truth: value.bool != nil || value.double != nil || Self.truths.contains(value.string?.lowercased() ?? "")
        case .time: members.time(self.name) != nil
        case .object: value.object != nil
        case .form: value.object.map { Self.isList($0["Fields"] ?? .null) } ?? false
        }
    }

    /// Whether fields can be read; an empty table of a server in Lua is an empty list.
    private static func isList(_ fields: JSONValue) -> Bool {
        fields.isNull || fields.array != nil || fields.object?.isEmpty == true
    }

    /// The words that stand for a truth value.
    private static let truths: Set = ["true", "yes", "1", "false", "no", "0"]
}

extension Sequence<MemberShape> {
    /// What is wrong with the first member that cannot be read; nil if all can.
    func fault(in members: JSONObject) -> String? {
        for shape in self {
            if let fault = shape.fault(in: members) { return fault }
        }
        return nil
    }
}
