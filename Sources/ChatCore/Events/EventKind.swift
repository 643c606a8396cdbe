/// What an actor can observe, one vocabulary over all chat systems.
///
/// The raw value is the name in scripts and reports. Each system says in its ``ChatSystem/events`` which of these it
/// emits and with which fields.
public enum EventKind: String, CaseIterable, Hashable, Sendable {
    // Connection
    case connected, disconnected, reconnecting, reconnected
    case linkChanged = "link_changed"
    case callRepeated = "call_repeated"
    // Life of a client
    case initialized, destroyed
    case beforeEnd = "before_end"
    // Session
    case sessionCreated = "session_created"
    case preChat = "pre_chat"
    case unavailable
    case available
    case chatStarted = "chat_started"
    case postChat = "post_chat"
    case languageChanged = "language_changed"
    case recapture, ended, error
    // Waiting
    case queue, accepted
    case autoMessage = "auto_message"
    // People
    case agentJoined = "agent_joined"
    case agentLeft = "agent_left"
    case typing
    case typingSent = "typing_sent"
    // Content
    case message
    case messageSent = "message_sent"
    case messageUpdated = "message_updated"
    case messageDeleted = "message_deleted"
    case history
    case attachmentUploaded = "attachment_uploaded"
    case form, suggestions, command
    // Forms
    case formInvalid = "form_invalid"
    case formSubmitted = "form_submitted"
    case transcriptRequested = "transcript_requested"
    // Screen
    case timestampChanged = "timestamp_changed"
    case unreadChanged = "unread_changed"
    case linkOpened = "link_opened"
    case actionPerformed = "action_performed"
    // Speech
    case recordingStarted = "recording_started"
    case recordingStopped = "recording_stopped"
    case speechLevel = "speech_level"
    case speechPartial = "speech_partial"
    case speechFinal = "speech_final"
    case speechSpoken = "speech_spoken"
    case speechStopped = "speech_stopped"
    // Events that a bot sends to its application
    case skillEvent = "skill_event"
    // Desk: what the agent's side of a conversation sees
    case chatWaiting = "chat_waiting"
    case chatEnded = "chat_ended"
    // Plain frames of a WebSocket or HTTP actor
    case frame, response
    case rateLimited = "rate_limited"
    // Streamed answers
    case streamStarted = "stream_started"
    case token, chunk
    case streamEnded = "stream_ended"
    // What a plain HTTP server sees
    case request, abandoned
    // Rooms of many members
    case roomUpdated = "room_updated"
    case messagePinned = "message_pinned"
    case messageUnpinned = "message_unpinned"
    case messageReported = "message_reported"
    case memberAdded = "member_added"
    case invitation
    case profileBlocked = "profile_blocked"
    case profileUnblocked = "profile_unblocked"
    // The answer to a call that only asks
    case completed
    // Support sessions and co-browsing
    case call, terminated
    case supportEnded = "support_ended"
    case shortCode = "short_code"
    case agentJoinedSession = "agent_joined_session"
    case agentLeftSession = "agent_left_session"
    case consumerJoined = "consumer_joined"
    case consumerLeft = "consumer_left"
    case cobrowseRequested = "cobrowse_requested"
    case cobrowseRejected = "cobrowse_rejected"
    case agentJoinedCobrowse = "agent_joined_cobrowse"
    case agentLeftCobrowse = "agent_left_cobrowse"
    case cobrowseActive = "cobrowse_active"
    case cobrowseEnded = "cobrowse_ended"
    case remoteControl = "remote_control"
    case videoChanged = "video_changed"
    case screen
    case remoteInput = "remote_input"
    case annotationAdding = "annotation_adding"
    case annotationAdded = "annotation_added"
    case annotationsCleared = "annotations_cleared"
    case spotlight, snapshot, zoom, link
    case documentRequested = "document_requested"
    case documentOpened = "document_opened"
    case documentClosed = "document_closed"
    case documentError = "document_error"
    case documentResult = "document_result"
}
