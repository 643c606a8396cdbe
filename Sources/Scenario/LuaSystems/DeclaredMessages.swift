import JSON
import Machines
import Secrets

/// The messages of JSON that one side of a chat sends, as a script declares them.
struct DeclaredMessages: Hashable {
    /// Who sends them.
    enum Sender: Hashable {
        case server, clients
    }

    /// Who sends them.
    let sender: Sender

    /// The member that names the kind of a message.
    let kindMember: String

    /// All of them.
    let all: [DeclaredMessage]
    private let places: [String: Int]

    init(from sender: Sender, by kindMember: String, _ messages: [DeclaredMessage]) {
        self.sender = sender
        self.kindMember = kindMember
        self.all = messages
        self.places = Dictionary(messages.enumerated().map { ($1.kind, $0) }) { first, _ in first }
    }

    /// The kinds that there are.
    var kinds: [String] { self.all.map(\.kind) }

    /// Reads a message and holds it against what is declared of its kind.
    ///
    /// - Parameters:
    ///   - text: What has come, whatever bytes it has.
    ///   - vault: What must not be seen where it is told what is wrong.
    /// - Throws: ``MessageFault`` if it is none of these messages.
    func read(_ text: [UInt8], without vault: SecretVault) throws(MessageFault) -> ReadMessage {
        let (value, repeatedName): (JSONValue, String?)
        do throws(JSONSyntaxError) { (value, repeatedName) = try JSONReader.readNotingRepetition(text) } catch {
            throw MessageFault("the text is no JSON: \(error.description)")
        }
        // What the chat's other readers take may be the first of both.
        if let repeatedName {
            let shown = vault.masked(repeatedName).shortened(to: Self.shownLength)
            throw MessageFault(
                "an object of the message has two members \"\(shown)\", and readers differ in which counts")
        }
        return try self.read(value, without: vault)
    }

    /// Holds a message that has been read already against what is declared of its kind.
    ///
    /// - Parameters:
    ///   - value: What has come, such as one of the messages in an answer over HTTP.
    ///   - vault: What must not be seen where it is told what is wrong.
    /// - Throws: ``MessageFault`` if it is none of these messages.
    func read(_ value: JSONValue, without vault: SecretVault) throws(MessageFault) -> ReadMessage {
        guard let members = value.object else {
            throw MessageFault("the message is no object of JSON but \(Self.shown(value, without: vault))")
        }
        guard let named = members[self.kindMember], !named.isNull else {
            throw MessageFault("the message has no member \"\(self.kindMember)\", which names its kind")
        }
        guard let kind = named.string ?? named.integer.map({ "\($0)" }) else {
            throw MessageFault(
                "\(self.kindMember) of the message is \(Self.shown(named, without: vault)), not a string or an integer, "
                    + "which names its kind")
        }
        // What only looks the same is another kind to whoever compares bytes.
        guard let place = self.places[kind], self.all[place].kind.hasSameBytes(as: kind) else {
            throw self.unknown(kind, without: vault)
        }
        let message = ReadMessage(declaration: self.all[place], members: members)
        try message.check(without: vault)
        return message
    }

    /// Says which member of a message is meant by a name that it does not have; nil if it is declared and did not come,
    /// or may be one that servers send besides and nobody has to declare.
    func slip(for name: String, in kind: String) -> String? {
        guard let place = self.places[kind], name.count > Self.mostAlikeLength else { return nil }
        let message = self.all[place]
        let known = (message.members + (message.event?.fields ?? [])).map(\.name) + [self.kindMember]
        guard !known.contains(name), let meant = TextDistance.suggestion(for: name, among: known) else { return nil }
        return "message \"\(kind)\" has no member \"\(name)\"; did you mean \"\(meant)\"? What may come beside it is "
            + "declared, as in \(LuaLiteral.key(name)) = \"any?\""
    }

    /// Names of so many characters are like any other one.
    private static let mostAlikeLength = 2

    private func unknown(_ kind: String, without vault: SecretVault) -> MessageFault {
        let shown = vault.masked(kind).shortened(to: Self.shownLength)
        let (sender, sends) = self.sender == .server ? ("the server", "it sends") : ("clients", "they send")
        return MessageFault(
            "there is no message \"\(shown)\" from \(sender)"
                + TextDistance.hint(shown, among: self.kinds, listing: sends))
    }

    /// So many characters are shown of what is none of them.
    private static let shownLength = 60

    private static func shown(_ value: JSONValue, without vault: SecretVault) -> String {
        vault.masked(value).description.shortened(to: Self.shownLength)
    }
}
