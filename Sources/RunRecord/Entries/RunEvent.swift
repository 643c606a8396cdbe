public import JSON

/// Something that happened within a scenario.
public enum RunEvent: Hashable, Sendable {
    /// An actor came into being.
    ///
    /// The system is the name by which scripts require it (`boldchat`), the role what the actor is in it (`visitor`).
    case actorJoined(name: String, system: String, role: String)

    /// The script asked an actor to do something; the line is that of the call in the scenario's file.
    case commanded(actor: String, name: String, arguments: JSONObject, line: Int? = nil)

    /// An actor observed an event.
    ///
    /// Events are numbered from one per actor; `raw` is the wire form that the event was made from.
    case observed(actor: String, number: Int, kind: String, fields: JSONObject, raw: JSONValue? = nil)

    /// What a person would see of an actor has changed; these are all its lines now.
    case showed(actor: String, screen: [ScreenRow])

    /// Bytes went over a connection.
    case wire(WireFrame)

    /// A named step of the script began; steps nest.
    case stepBegan(name: String, line: Int? = nil)

    /// The innermost open step ended.
    case stepEnded(name: String)

    /// An expectation was decided; it has no actor if it is about a plain value.
    case expected(actor: String? = nil, line: Int? = nil, description: String, result: ExpectationResult)

    /// The script or the harness logged a text.
    case logged(level: LogLevel, text: String)

    /// A file was written that belongs to the scenario; the path is relative to the root of the project.
    case attached(name: String, path: String, mediaType: String)
}
