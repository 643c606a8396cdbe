import JSON

/// What travels inside topics: a signed 16-bit code and fields of 16 bits each, then text or bytes (vendor's web SDK).
enum WindowMessage: Hashable, Sendable {
    /// The format of a picture.
    enum ImageFormat: Int16, Hashable, Sendable {
        case png = 1
        case jpeg = 2

        /// What its bytes are.
        var content: ContentFormat {
            switch self {
            case .png: .png
            case .jpeg: .jpeg
            }
        }
    }

    // Windows
    case windowResized(width: Int16, height: Int16)
    case windowMoved(x: Int16, y: Int16, isMoving: Bool)
    case rectangleUpdated(x: Int16, y: Int16, width: Int16, height: Int16, format: ImageFormat, image: [UInt8])
    case windowClosed(WireInitiator)
    case scrollbars(horizontal: Bool, vertical: Bool)
    case offAssist, onAssist
    case zoomLevel(percent: Int16)
    // Input
    case mouseDown(x: Int16, y: Int16, button: Int16)
    case mouseUp(x: Int16, y: Int16, button: Int16)
    case doubleClick(x: Int16, y: Int16)
    case mouseMove(x: Int16, y: Int16)
    case inputAtLocation(x: Int16, y: Int16, text: String)
    case scroll(ScrollDirection)
    // Drawing
    case annotationsSet(String)
    case annotationAdded(String)
    case cursorPing(x: Int16, y: Int16)
    // Documents
    case pushDocument(id: Int16, url: String)
    case pushContentStart(id: Int16, type: String)
    case contentChunk(id: Int16, bytes: [UInt8])
    case contentEnd(id: Int16)
    case documentAccepted(id: Int16)
    case documentRejected(id: Int16)
    case documentSucceeded(id: Int16)
    case documentFailed(id: Int16, error: Int16, http: Int16, details: String)
    case closeRequest(id: Int16)
    case documentClosed(id: Int16, WireInitiator)
    case contentMetadata(id: Int16, text: String)
    // Snapshots
    case snapshotStart
    case snapshotChunk([UInt8])
    case snapshotEnd
    // Forms
    case inputElements(JSONValue)
    case inputPopulated(JSONValue)
    case inputClicked(x: Int16, y: Int16, JSONValue)
    case inputMoved
    case selectFocused(x: Int16, y: Int16, JSONValue)
    case selectBlurred(x: Int16, y: Int16, JSONValue)
}

/// The directions of a scroll message: 7001 to 7004.
enum ScrollDirection: Int16, CaseIterable, Hashable, Sendable {
    case up = 7001
    case down = 7002
    case left = 7003
    case right = 7004

    /// The word that scripts use.
    var word: String {
        switch self {
        case .up: "up"
        case .down: "down"
        case .left: "left"
        case .right: "right"
        }
    }
}

/// Who closed a document, with the numbers of the wire; the iOS enumeration has agent and consumer the other way round.
enum WireInitiator: Int16, Hashable, Sendable {
    case unknown = 0
    case consumer = 1
    case agent = 2
    case supportEnded = 3

    /// The word that scripts use.
    var word: String {
        switch self {
        case .unknown: "unknown"
        case .consumer: "consumer"
        case .agent: "agent"
        case .supportEnded: "support_ended"
        }
    }
}
