extension WindowMessage {
    /// Who alone sends such a message; nil if both do, or nothing is known of it.
    private var speaker: AssistRole? {
        switch self {
        case .rectangleUpdated, .scrollbars, .offAssist, .onAssist, .documentAccepted, .documentRejected,
            .documentSucceeded, .documentFailed, .documentClosed, .snapshotStart, .snapshotChunk, .snapshotEnd,
            .inputElements, .inputClicked, .inputMoved, .selectFocused, .selectBlurred:
            .consumer
        case .mouseDown, .mouseUp, .doubleClick, .inputAtLocation, .scroll, .pushDocument, .pushContentStart,
            .contentChunk, .contentEnd, .contentMetadata, .closeRequest:
            .agent
        case .windowResized, .windowMoved, .windowClosed, .zoomLevel, .mouseMove, .annotationsSet, .annotationAdded,
            .cursorPing, .inputPopulated:
            nil
        }
    }

    /// The document about which the consumer says something; nil if it is about none.
    var answeredDocument: Int16? {
        switch self {
        case .documentAccepted(let id), .documentRejected(let id), .documentSucceeded(let id),
            .documentFailed(let id, _, _, _), .documentClosed(let id, _):
            id
        default: nil
        }
    }

    /// Reads a message that came on a topic.
    ///
    /// - Parameter role: Whose message it is.
    /// - Throws: That it cannot be read, or is one of the other side.
    init(_ bytes: [UInt8], on topic: Topic, from role: AssistRole) throws(WireComplaint) {
        let what = "a message on the topic \(topic.id), \(topic.type.isEmpty ? "of no type" : topic.type), that"
        guard let message = WindowMessage(bytes) else { throw WireComplaint("\(what) cannot be read") }
        if let speaker = message.speaker, speaker != role { throw WireComplaint("\(what) no \(role) sends") }
        self = message
    }
}
