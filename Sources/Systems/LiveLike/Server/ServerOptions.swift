import JSON
import Machines

/// How the simulated service behaves.
struct ServerOptions: Sendable {
    /// Which comes first: the answer to a REST send, or its echo on the subscribe loop; the vendor promises neither.
    enum EchoOrder: String, Sendable {
        case answerFirst = "answer_first"
        case echoFirst = "echo_first"
    }

    let clientID: String?
    let hold: Duration
    let echoOrder: EchoOrder
    let canPublish: Bool
    let heartbeat: Int64?
    let filteredWords: [String]
    let rooms: [JSONObject]
    let stickers: [String]
    let reactions: [String]
    /// Whether the reactions were given, so that there are no others.
    let takesOnlyReactions: Bool
    let latency: Duration
    let jitter: Duration
    /// The share of answers that get lost, from 0 to below 1.
    let loss: Double

    /// Reads the options.
    ///
    /// - Throws: ``ConfigurationError`` if a value cannot be used.
    init(_ options: JSONObject) throws(ConfigurationError) {
        self.clientID = options["client_id"]?.string
        // The server's hold is not published; 280 s are defined here, after the time-outs of the SDKs.
        self.hold = Duration(scriptSeconds: options["hold"]?.double ?? 280) ?? .seconds(280)
        self.echoOrder = EchoOrder(rawValue: options["echo_order"]?.string ?? "") ?? .answerFirst
        self.canPublish = options["publish_key"]?.bool ?? true
        self.heartbeat = options["heartbeat"]?.integer
        self.filteredWords = (options["filtered_words"]?.array ?? []).compactMap { $0.string?.lowercased() }
        self.rooms = options["rooms"]?.array?.compactMap(\.object) ?? [["id": "lobby", "title": "Lobby"]]
        self.stickers = options["stickers"]?.array?.compactMap(\.string) ?? ["smile", "clap"]
        self.reactions = options["reactions"]?.array?.compactMap(\.string) ?? ["heart", "thumbs_up"]
        self.takesOnlyReactions = options["reactions"] != nil
        self.latency = Duration(scriptSeconds: options["latency"]?.double ?? 0) ?? .zero
        self.jitter = Duration(scriptSeconds: options["jitter"]?.double ?? 0) ?? .zero
        self.loss = options["loss"]?.double ?? 0
        guard 0..<1 ~= self.loss else {
            throw ConfigurationError("loss is the share of answers that get lost, from 0 to below 1, not \(self.loss)")
        }
    }
}
