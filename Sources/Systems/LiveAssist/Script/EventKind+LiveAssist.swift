import Machines

/// The kinds of events that only Live Assist has.
extension EventKind {
    static let call = EventKind("call")
    static let terminated = EventKind("terminated")
    static let supportEnded = EventKind("support_ended")
    static let shortCode = EventKind("short_code")
    static let agentJoinedSession = EventKind("agent_joined_session")
    static let agentLeftSession = EventKind("agent_left_session")
    static let consumerJoined = EventKind("consumer_joined")
    static let consumerLeft = EventKind("consumer_left")
    static let agentJoinedCobrowse = EventKind("agent_joined_cobrowse")
    static let agentLeftCobrowse = EventKind("agent_left_cobrowse")
    static let screen = EventKind("screen")
    static let remoteInput = EventKind("remote_input")
    static let annotationAdding = EventKind("annotation_adding")
    static let annotationAdded = EventKind("annotation_added")
    static let annotationsCleared = EventKind("annotations_cleared")
    static let spotlight = EventKind("spotlight")
    static let snapshot = EventKind("snapshot")
    static let zoom = EventKind("zoom")
    static let link = EventKind("link")
    static let documentRequested = EventKind("document_requested")
    static let documentOpened = EventKind("document_opened")
    static let documentClosed = EventKind("document_closed")
    static let documentError = EventKind("document_error")
    static let documentResult = EventKind("document_result")
}
