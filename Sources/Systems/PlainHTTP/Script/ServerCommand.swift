import JSON

/// What a script asks the server or its peer to do.
enum ServerCommand: Sendable {
    /// What the peer does with a request.
    enum Peer: Sendable {
        case respond(JSONObject)
        case begin(JSONObject)
        case write(String)
        case writeEvent(JSONValue)
        case writeLine(JSONValue)
        case finish
        case drop

        /// The name of the method.
        var method: String {
            switch self {
            case .respond: "respond"
            case .begin: "begin"
            case .write: "write"
            case .writeEvent: "write_event"
            case .writeLine: "write_line"
            case .finish: "finish"
            case .drop: "drop"
            }
        }
    }

    case prepare(JSONObject)
    /// The oldest request that waits for the peer is meant if there is no number.
    case peer(Peer, request: Int64?)
}
