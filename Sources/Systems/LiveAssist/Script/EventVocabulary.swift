import JSON
import Machines

/// The events of consumers and agents and their fields.
enum EventVocabulary {
    private static let callback = ParameterDeclaration(
        "callback", .string, "The vendor's delegate method; empty where there is none or no delegate is set.")

    private static func field(_ name: String, _ type: ScriptType, _ summary: String) -> ParameterDeclaration {
        ParameterDeclaration(name, type, optional: true, summary)
    }

    /// An event, and the role that alone observes it; nil if both do.
    private typealias OfRole = (event: EventDeclaration, role: AssistRole?)

    private static func event(
        _ kind: EventKind, of role: AssistRole? = nil, _ fields: [ParameterDeclaration], _ summary: String,
        tellsEnd: Bool = false
    ) -> OfRole {
        (EventDeclaration(kind, fields + [Self.callback], summary, tellsEnd: tellsEnd), role)
    }

    private static let agentFields = [
        ParameterDeclaration("agent", .string, "The agent's name."),
        ParameterDeclaration("participant", .integer, "Its number in the session."),
        ParameterDeclaration("viewable", .list(.string), "The markers it may see."),
        ParameterDeclaration("interactive", .list(.string), "The markers it may touch."),
    ]

    private static let documentFields =
        [
            ParameterDeclaration("document", .integer, "The document's number on this consumer."),
            ParameterDeclaration("id", .integer, "The agent's number of it; −1 for a shared one."),
            ParameterDeclaration("type", .string, "The MIME type."),
        ] + Self.pushFields

    private static let windowFields =
        [Self.field("document", .integer, "The document's number on its consumer, if the consumer has told it.")]
        + Self.documentFields.dropFirst()

    private static let linkFields =
        [
            Self.field("document", .integer, "The document's number on this consumer; a pushed link has none."),
            Self.field("id", .integer, "The agent's number of it; −1 for a shared one."),
            Self.field("type", .string, "The MIME type."),
        ] + Self.pushFields

    private static let pushFields = [
        Self.field("metadata", .string, "The agent's text."), Self.field("size", .integer, "Bytes."),
        Self.field("shared", .boolean, "True for an agent who sees that the consumer shares it."),
        Self.field("url", .string, "Where it is."),
        Self.field("agent", .string, "Who pushed it."),
    ]

    private static let drawingFields = [
        ParameterDeclaration("kASDKSVGPathKey", .string, "The path."),
        ParameterDeclaration("kASDKSVGPathStrokeKey", .string, "The color."),
        ParameterDeclaration("kASDKSVGPathStrokeWidthKey", .number, "The width."),
        ParameterDeclaration("kASDKSVGPathStrokeOpacityKey", .number, "The opacity."),
        ParameterDeclaration("agent", .string, "Who drew."),
    ]

    private static let all = Self.session + Self.agents + Self.watching + Self.documents

    /// The events of either role.
    static let events = Self.all.map(\.event)

    /// What consumers never observe because it is for agents, by the events, each as the beginning of a sentence.
    static let consumerAbsences = Self.events(ofOnly: .agent)

    /// What agents never observe because it is for consumers, by the events, each as the beginning of a sentence.
    static let agentAbsences = Self.events(ofOnly: .consumer)

    private static func events(ofOnly role: AssistRole) -> [EventKind: String] {
        Dictionary(
            uniqueKeysWithValues: Self.all.filter { $0.role == role }.map { declared in
                (declared.event.kind, "\(declared.event.kind) is an event of \(role)s only")
            })
    }

    private static let session: [OfRole] = [
        Self.event(
            .shortCode, of: .consumer,
            [
                ParameterDeclaration("code", .string, "The code."), Self.field("session_token", .string, "Its token."),
                Self.field("correlation_id", .string, "Its session."),
            ], "A short code was made or redeemed."),
        Self.event(
            .sessionCreated,
            [
                ParameterDeclaration("session_token", .string, "The token."),
                Self.field("correlation_id", .string, "The session."),
            ], "The server made a session, or let an agent log in."),
        Self.event(
            .call,
            [
                ParameterDeclaration("status", .choice(CallStatus.allCases.map(\.rawValue)), "The state."),
                Self.field("call", .integer, "The agent's number of it."),
                Self.field("correlation_id", .string, "Its session, for an agent."),
                Self.field("video", .string, "The video mode, for an agent."),
                Self.field("uui", .string, "The user-to-user information, for an agent."),
            ], "A simulated call changed its state."),
        Self.event(
            .connected,
            [
                Self.field("first", .boolean, "Whether this is the first connection of a consumer."),
                Self.field("correlation_id", .string, "The session, for an agent."),
            ], "The topic WebSocket is open."),
        Self.event(
            .disconnected, [Self.field("code", .integer, "30102."), ParameterDeclaration("reason", .string, "Why.")],
            "The connection was lost, or an attempt to reconnect failed."),
        Self.event(
            .reconnecting,
            [
                ParameterDeclaration("in", .number, "Seconds."), ParameterDeclaration("attempt", .integer, "From one."),
                ParameterDeclaration("of", .integer, "How many there are."),
            ], "Another automatic attempt follows."),
        Self.event(
            .reconnected, of: .agent, [ParameterDeclaration("correlation_id", .string, "The session.")],
            "An agent's connection is back."),
        Self.event(
            .terminated,
            [
                ParameterDeclaration("code", .integer, "30102, 50101 or 0."),
                ParameterDeclaration("reason", .string, "Why."),
            ],
            "The connection is gone for good.", tellsEnd: true),
        Self.event(.supportEnded, [Self.field("call", .integer, "The call.")], "The call of a session ended."),
        Self.event(.ended, of: .agent, [], "The consumer ended support; seen by the agent."),
        Self.event(
            .error,
            [
                ParameterDeclaration("code", .integer, "The SDK's code."),
                ParameterDeclaration("name", .string, "Its name."),
                ParameterDeclaration("message", .string, "What happened and what to do."),
            ], "Something failed."),
    ]

    private static let agents: [OfRole] = [
        Self.event(.agentJoinedSession, of: .consumer, Self.agentFields, "An agent is in the session."),
        Self.event(.agentLeftSession, of: .consumer, Self.agentFields, "An agent left the session."),
        Self.event(.cobrowseRequested, of: .consumer, Self.agentFields, "An agent asks to see the screen."),
        Self.event(.agentJoinedCobrowse, of: .consumer, Self.agentFields, "An agent sees the screen."),
        Self.event(.agentLeftCobrowse, of: .consumer, Self.agentFields, "An agent sees it no more."),
        Self.event(
            .cobrowseActive, [ParameterDeclaration("active", .boolean, "Whether.")], "Co-browsing began or stopped."),
        Self.event(.cobrowseRejected, of: .agent, [], "The consumer refused the agent."),
        Self.event(
            .consumerJoined, of: .agent, [ParameterDeclaration("name", .string, "Its name.")],
            "The consumer is in the session."),
        Self.event(
            .consumerLeft, of: .agent, [ParameterDeclaration("name", .string, "Its name.")], "The consumer left it."),
    ]

    private static let watching: [OfRole] = [
        Self.event(
            .screen, of: .agent,
            [
                ParameterDeclaration("width", .integer, "Pixels."), ParameterDeclaration("height", .integer, "Pixels."),
                ParameterDeclaration("size", .integer, "Bytes of the picture."),
                Self.field("full", .boolean, "Whether it is the whole screen."),
                Self.field("elements", .list(.json), "What it shows; covered boxes have only a place and a color."),
            ], "A picture arrived at the agent."),
        Self.event(
            .form, of: .agent,
            [
                Self.field("screen_id", .integer, "The form's number."),
                ParameterDeclaration("fields", .list(.json), "What can be filled in; empty if nothing can."),
                Self.field("populated", .boolean, "Whether it shows what was filled in."),
            ], "The form of the consumer's screen."),
        Self.event(
            .remoteInput,
            [
                ParameterDeclaration(
                    "type", .string, "click, mouse_down, mouse_up, mouse_move, type, fill, toggle, scroll, …."),
                Self.field("x", .integer, "Pixels."), Self.field("y", .integer, "Pixels."),
                Self.field("element", .string, "The element, if the agent may touch it."),
                Self.field("value", .string, "What it got."), Self.field("direction", .string, "Where it scrolls."),
                Self.field("agent", .string, "Who did it."), Self.field("label", .string, "What was clicked."),
                Self.field("button", .integer, "Which button of the mouse goes down or up, 0 for the first."),
            ], "Mouse or keyboard of the other side."),
        Self.event(.annotationAdding, of: .consumer, Self.drawingFields, "Something is about to be drawn."),
        Self.event(.annotationAdded, of: .consumer, Self.drawingFields, "Something was drawn."),
        Self.event(
            .annotationsCleared,
            [Self.field("by", .string, "`agent` or `change`."), Self.field("agent", .string, "Who.")],
            "The drawings are gone."),
        Self.event(
            .spotlight, of: .consumer,
            [
                ParameterDeclaration("x", .integer, "Pixels."), ParameterDeclaration("y", .integer, "Pixels."),
                ParameterDeclaration("agent", .string, "Who points."),
            ], "An agent points at a place."),
        Self.event(
            .snapshot, of: .agent,
            [ParameterDeclaration("size", .integer, "Bytes."), Self.field("elements", .list(.json), "What it shows.")],
            "A snapshot arrived at the agent."),
        Self.event(
            .zoom, [ParameterDeclaration("active", .boolean, "Whether."), Self.field("agent", .string, "Who.")],
            "The magnifier was opened or closed."),
        Self.event(
            .link, of: .consumer,
            [ParameterDeclaration("url", .string, "The URL."), ParameterDeclaration("agent", .string, "Who.")],
            "An agent pushed a link."),
    ]

    private static let documents: [OfRole] = [
        Self.event(
            .completed, of: .consumer,
            Self.documentFields + [ParameterDeclaration("status", .integer, "The HTTP status.")],
            "The download of a document by URL ended."),
        Self.event(.documentRequested, of: .consumer, Self.documentFields, "An agent wants to show a document."),
        Self.event(
            .documentOpened,
            Self.windowFields + [
                Self.field("x", .integer, "Pixels."), Self.field("y", .integer, "Pixels."),
                Self.field("width", .integer, "Pixels."), Self.field("height", .integer, "Pixels."),
            ], "A document is shown; an agent is told of those that the consumer shares."),
        Self.event(
            .documentClosed,
            Self.windowFields + [
                Self.field("by", .choice(["unknown", "agent", "consumer", "support_ended"]), "Who closed it."),
                Self.field("initiator", .integer, "The same as the iOS enumeration has it."),
            ], "A document is gone."),
        Self.event(
            .documentError, of: .consumer,
            Self.linkFields + [
                ParameterDeclaration("code", .integer, "1 to 6."), ParameterDeclaration("error", .string, "Its word."),
                ParameterDeclaration("reason", .string, "What happened."),
            ], "A document could not be shown, or a pushed link not be opened."),
        Self.event(
            .documentResult, of: .agent,
            [
                ParameterDeclaration("id", .integer, "The agent's number of it."),
                ParameterDeclaration(
                    "outcome", .choice(["succeeded", "failed", "rejected", "closed"]), "What became of it."),
                Self.field("code", .integer, "1 to 6."), Self.field("error", .string, "Its word."),
                Self.field("http", .integer, "The HTTP status."), Self.field("details", .string, "What happened."),
                Self.field("by", .string, "Who closed it."),
            ], "What became of a document that the agent pushed."),
    ]

    /// What a scenario need not expect: steps on the way, pictures and the like.
    static let noise = [
        EventPattern(.sessionCreated), EventPattern(.call), EventPattern(.screen), EventPattern(.form),
        EventPattern(.connected), EventPattern(.consumerJoined), EventPattern(.completed),
        EventPattern(.annotationAdding), EventPattern(.documentOpened, ["shared": true]),
        EventPattern(.documentClosed, ["shared": true]),
        EventPattern(.remoteInput, ["type": "mouse_move"]), EventPattern(.remoteInput, ["type": "mouse_down"]),
        EventPattern(.remoteInput, ["type": "mouse_up"]),
    ]

    /// What is not part of the product, by the events that tell of it elsewhere.
    static let absences: [EventKind: String] = [
        .message: "Live Assist has no text chat", .typing: "Live Assist has no text chat",
        .preChat: "Live Assist has no form before a session", .postChat: "Live Assist has no survey",
        .transcriptRequested: "Live Assist has no transcript",
    ]
}
