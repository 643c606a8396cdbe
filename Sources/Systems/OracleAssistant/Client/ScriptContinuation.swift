import JSON

/// What was going on when a function of the script was called.
enum ScriptContinuation: Hashable, Sendable {
    case token
    case display(Envelope)
    case send(Outgoing)
    case endConversation(JSONObject)
    case speech(Speech)

    /// What functions of the script do that read aloud in place of the client.
    enum Speech: Hashable, Sendable {
        /// The script reads this text aloud.
        case speaking(String)
        /// The script stops reading aloud.
        case fallingSilent
        /// The script is asked whether it reads something aloud.
        case isSpeaking
    }
}
