import JSON

/// A mail that the simulated server would have sent.
struct Mail: Hashable, Sendable {
    /// What a mail is about.
    enum Kind: String, Sendable {
        case unavailable, transcript
    }

    /// What the mail is about.
    let kind: Kind
    /// Which chat it is about.
    let chatKey: String
    /// Who wrote it, if a visitor did.
    var from: String?
    /// Who gets it, if the account wrote it.
    var to: String?
    /// Its subject.
    var subject: String?
    /// Its text.
    let body: String
    /// When it was sent, UTC.
    let time: String

    /// The mail as scripts read it.
    var properties: JSONValue {
        var members: JSONObject = ["kind": .string(self.kind.rawValue), "chat_key": .string(self.chatKey)]
        if let from = self.from { members["from"] = .string(from) }
        if let to = self.to { members["to"] = .string(to) }
        if let subject = self.subject { members["subject"] = .string(subject) }
        members["body"] = .string(self.body)
        members["time"] = .string(self.time)
        return .object(members)
    }
}
