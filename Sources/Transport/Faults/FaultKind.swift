/// What can go wrong at one point of what passes over the connections of an execution.
public enum FaultKind: String, CaseIterable, Hashable, Sendable {
    /// The connection is dropped for both sides instead of carrying the bytes.
    case cut
    /// Half of the bytes arrive, then the connection is dropped.
    case truncate
    /// Whoever sends the bytes ends its direction instead; all that it sends later is lost.
    case halfClose = "half_close"
    /// The attempt to connect is refused.
    case refuse
    /// The bytes arrive one by one.
    case oneByte = "one_byte"
    /// The bytes, and what follows them, arrive after the next timer of a client has fired.
    case delay
    /// WebSocket messages arrive twice.
    case duplicate
    /// The server's answer arrives after what comes next over another connection of the client, or a second later.
    case reorder
    /// Something between client and server answers 429 in place of the server, which has taken the request.
    case status429 = "http_429"
    /// The same with 500.
    case status500 = "http_500"
    /// The same with 503.
    case status503 = "http_503"
    /// The last bracket of what the server sends is another character.
    case malformedJSON = "malformed_json"
    /// The client's clock jumps forward by an hour.
    case clockJump = "clock_jump"

    /// For how long an answer waits to be overtaken.
    static let longestWait = Duration.seconds(1)

    /// How far the clock jumps.
    public static let jump = Duration.seconds(3600)

    /// What it does, for people.
    public var summary: String {
        switch self {
        case .cut: "the connection is dropped for both sides"
        case .truncate: "half of the bytes arrive, then the connection is dropped"
        case .halfClose: "the sender's direction ends in place of the bytes"
        case .refuse: "the attempt to connect is refused"
        case .oneByte: "the bytes arrive one by one"
        case .delay: "the bytes arrive after the next timer of a client has fired"
        case .duplicate: "the messages arrive twice"
        case .reorder: "the answer arrives after what comes next over another connection"
        case .status429: "429 takes the place of the server's answer"
        case .status500: "500 takes the place of the server's answer"
        case .status503: "503 takes the place of the server's answer"
        case .malformedJSON: "the last bracket of the JSON is damaged"
        case .clockJump: "the client's clock jumps forward by an hour"
        }
    }

    /// Whether what was sent, or its answer, does not come whole, as it was or in time: a client that gives up then has
    /// noticed it. One that is confused by what comes otherwise has not.
    public var keepsAway: Bool {
        switch self {
        case .cut, .truncate, .halfClose, .refuse, .delay, .status429, .status500, .status503, .malformedJSON,
            .clockJump:
            true
        case .oneByte, .duplicate, .reorder: false
        }
    }

    /// The status that it puts in place of the server's answer, if it does so.
    var status: (code: Int, reason: String)? {
        switch self {
        case .status429: (429, "Too Many Requests")
        case .status500: (500, "Internal Server Error")
        case .status503: (503, "Service Unavailable")
        default: nil
        }
    }
}
