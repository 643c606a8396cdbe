public import JSON

/// Which of the messages of a plain actor are texts of the conversation, as its option `ledger` says.
///
/// A protocol that nobody has described has no events that tell. With these paths a load test counts its texts, follows
/// each to where it arrives and measures acknowledgement and first response, as it does for systems that declare them.
public struct LedgerOptions: Hashable, Sendable {
    private let sent: JSONPath?
    private let received: JSONPath?
    private let acknowledged: JSONPath?

    /// The arguments of commands that hold what is sent: a text as it is, or a value that becomes JSON.
    private static let sendingArguments = ["text", "value", "body"]

    /// Where the text of a whole message stands.
    private static let whole = "$"

    private static let sentMember = ParameterDeclaration(
        "sent", .string, optional: true,
        "The JSON path of the text in what is sent, `$` for the message itself; what has no text there is none.")

    private static let receivedMember = ParameterDeclaration(
        "received", .string, optional: true, "The JSON path of the text in what arrives, `$` for the message itself.")

    private static let acknowledgedMember = ParameterDeclaration(
        "acknowledged", .string, optional: true,
        "The JSON path that only what acknowledges a text has; unless given, the actor's own text that comes back.")

    private static let summary =
        "Which messages are texts of the conversation, which load tests count, follow to where they arrive and time"

    /// The option of actors and servers that exchange messages.
    public static let ofMessages = ParameterDeclaration(
        "ledger", .record([Self.sentMember, Self.receivedMember, Self.acknowledgedMember]), optional: true,
        Self.summary + ".")

    /// The option of clients that ask and are answered; what answers is a message already.
    public static let ofRequests = ParameterDeclaration(
        "ledger", .record([Self.sentMember]), optional: true,
        Self.summary + "; an answer acknowledges the text of its request.")

    /// Whether each text is to be acknowledged, because it is said what acknowledges one.
    public var declaresAcknowledgement: Bool { self.acknowledged != nil }

    /// Reads the options of an actor or a server.
    ///
    /// - Parameter options: All its options.
    /// - Returns: Nil if it has none of this kind.
    /// - Throws: ``ConfigurationError`` if a path cannot be read.
    public init?(options: JSONObject) throws(ConfigurationError) {
        guard let members = options["ledger"]?.object else { return nil }
        self.sent = try Self.path("sent", members)
        self.received = try Self.path("received", members)
        self.acknowledged = try Self.path("acknowledged", members)
    }

    private static func path(_ name: String, _ members: JSONObject) throws(ConfigurationError) -> JSONPath? {
        guard let text = members[name]?.string else { return nil }
        do throws(JSONSyntaxError) { return try JSONPath(text) } catch {
            throw ConfigurationError(
                "ledger.\(name) takes a JSON path such as \"$.text\", not \"\(text)\": \(error.message)")
        }
    }

    /// Returns where the text of a command stands, or nil if it sends none.
    public func text(sentBy command: Command) -> SentText? {
        guard let path = self.sent,
            let argument = Self.sendingArguments.first(where: { command.arguments[$0] != nil })
        else { return nil }
        let text = SentText(argument: argument, path: path)
        return text.text(in: command) == nil ? nil : text
    }

    /// Returns the text that has arrived with an event; of several the first.
    public func text(of event: ChatEvent) -> String? {
        guard let path = self.received else { return nil }
        if path.isRoot, let text = event.text { return text }
        // The fields of an event may be made of its text each time that they are asked for.
        let fields = event.fields
        if path.isRoot, let body = fields["body"]?.string { return body }
        return fields["json"].flatMap { path.values(in: $0).lazy.compactMap(\.string).first }
    }

    /// Whether an event is a text that has arrived.
    public func isText(_ event: ChatEvent) -> Bool { self.text(of: event) != nil }

    /// Whether an event acknowledges a text: the one that it carries the mark of, or else the oldest that is not
    /// acknowledged yet.
    ///
    /// - Parameter isOwn: Whether it is a text of the actor itself that has come back.
    public func acknowledges(_ event: ChatEvent, isOwn: Bool) -> Bool {
        if let path = self.acknowledged {
            return event.fields["json"].map { value in
                path.values(in: value).contains { !$0.isNull && $0 != false }
            } ?? false
        }
        switch event.kind {
        case .response: return self.sent != nil && event.fields["ok"] == true
        case .streamStarted: return self.sent != nil
        default: return isOwn
        }
    }
}
