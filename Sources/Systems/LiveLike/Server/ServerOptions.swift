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
    /// What the resources of the application, of profiles and of rooms lack.
    let missingMembers: Set<String>
    let latency: Duration
    let jitter: Duration
    /// The share of answers that get lost, from 0 to below 1.
    let loss: Double

    /// The members of resources that a service may lack, each of which a client of the vendor can do without so far.
    static let dispensableMembers = [
        "create_chat_room_url", "create_chat_room_invitation_url", "chat_rooms_invitations_url",
        "chat_room_invitation_detail_url_template", "profile_chat_room_received_invitations_url_template",
        "profile_chat_room_sent_invitations_url_template", "pinned_messages_url", "nickname",
        "chat_room_memberships_url", "block_profile_url", "blocked_profile_ids_url", "upload_url",
        "delete_message_url", "memberships_url", "muted_status_url_template", "custom_messages_url",
        "chatroom_messages_count_url", "chatroom_token_gate_access_url", "sticker_packs_url", "reaction_packs_url",
        "report_message_url",
    ]

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
        self.missingMembers = Set((options["without"]?.array ?? []).compactMap(\.string))
        self.latency = Duration(scriptSeconds: options["latency"]?.double ?? 0) ?? .zero
        self.jitter = Duration(scriptSeconds: options["jitter"]?.double ?? 0) ?? .zero
        self.loss = options["loss"]?.double ?? 0
        guard 0..<1 ~= self.loss else {
            throw ConfigurationError("loss is the share of answers that get lost, from 0 to below 1, not \(self.loss)")
        }
    }
}
