public import JSON

/// What a machine answers to a command at once.
public enum CommandOutcome: Hashable, Sendable {
    /// Done or begun; the value is what the method returns to the script.
    case done(JSONValue)

    /// The script used the method wrongly; becomes a script error at the line of the call.
    ///
    /// The text says what is wrong and what to do. An answer that the vendor's own client would give through a callback
    /// is not this but an ``EventKind/error`` event.
    case refused(String)

    /// The conversation does not offer what the script wants to use: a button, a form, an option that is not there.
    ///
    /// It is the other side that did not do what the scenario expects, so it becomes a failure and not a script error.
    /// The text says what is there.
    case notOffered(String)

    /// The connection that the method needs has ended, and not because the script ended it.
    ///
    /// It becomes a failure and not a script error: the script used the method as it should. The text says how the
    /// connection ended.
    case disconnected(String)

    /// What was to carry the command out expected something that did not hold, as a server in Lua may.
    ///
    /// It becomes a failure of that kind, a word of the record, and not a script error. The text says what did not
    /// hold.
    case failed(String, kind: String)
}
