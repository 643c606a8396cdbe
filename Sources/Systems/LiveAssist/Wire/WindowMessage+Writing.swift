import JSON

extension WindowMessage {
    /// The largest part of a document in one message, in bytes.
    static let chunkLimit = 1_400

    /// The wire form.
    var bytes: [UInt8] {
        switch self {
        case .windowResized(let width, let height): Self.write(1001, [width, height])
        case .windowMoved(let x, let y, let isMoving): Self.write(1002, [x, y, isMoving ? 1 : 0])
        case .rectangleUpdated(let x, let y, let width, let height, let format, let image):
            Self.write(1003, [x, y, width, height, format.rawValue], image)
        case .windowClosed(let initiator): Self.write(1004, [initiator.rawValue])
        case .scrollbars(let horizontal, let vertical): Self.write(1005, [horizontal ? 1 : 0, vertical ? 1 : 0])
        case .offAssist: Self.write(8001)
        case .onAssist: Self.write(8002)
        case .zoomLevel(let percent): Self.write(4002, [percent])
        case .mouseDown(let x, let y, let button): Self.write(3001, [x, y, button])
        case .mouseUp(let x, let y, let button): Self.write(3002, [x, y, button])
        case .doubleClick(let x, let y): Self.write(3003, [x, y])
        case .mouseMove(let x, let y): Self.write(3004, [x, y])
        case .inputAtLocation(let x, let y, let text): Self.write(6003, [x, y], text.utf8)
        case .scroll(let direction): Self.write(direction.rawValue)
        case .annotationsSet(let paths): Self.write(2001, [], paths.utf8)
        case .annotationAdded(let path): Self.write(2002, [], path.utf8)
        case .cursorPing(let x, let y): Self.write(9001, [x, y])
        case .pushDocument(let id, let url): Self.write(4001, [id], url.utf8)
        case .pushContentStart(let id, let type): Self.write(4003, [id], type.utf8)
        case .contentChunk(let id, let bytes): Self.write(4004, [id], bytes)
        case .contentEnd(let id): Self.write(4005, [id])
        case .documentAccepted(let id): Self.write(4006, [id])
        case .documentRejected(let id): Self.write(4007, [id])
        case .documentSucceeded(let id): Self.write(4008, [id])
        case .documentFailed(let id, let error, let http, let details):
            Self.write(4009, [id, error, http], details.utf8)
        case .closeRequest(let id): Self.write(4010, [id])
        case .documentClosed(let id, let initiator): Self.write(4011, [id, initiator.rawValue])
        case .contentMetadata(let id, let text): Self.write(4012, [id], text.utf8)
        case .snapshotStart: Self.write(5001)
        case .snapshotChunk(let bytes): Self.write(5002, [], bytes)
        case .snapshotEnd: Self.write(5003)
        case .inputElements(let value): Self.write(6001, [], JSONWriter.write(value))
        case .inputPopulated(let value): Self.write(6002, [], JSONWriter.write(value))
        case .inputClicked(let x, let y, let value): Self.write(6004, [x, y], JSONWriter.write(value))
        case .inputMoved: Self.write(6005)
        case .selectFocused(let x, let y, let value): Self.write(6006, [x, y], JSONWriter.write(value))
        case .selectBlurred(let x, let y, let value): Self.write(6007, [x, y], JSONWriter.write(value))
        }
    }

    private static func write(
        _ code: Int16, _ fields: [Int16] = [], _ tail: some Collection<UInt8> = EmptyCollection<UInt8>()
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(2 + 2 * fields.count + tail.count)
        bytes.append(signed: Int(code))
        for field in fields { bytes.append(signed: Int(field)) }
        bytes.append(contentsOf: tail)
        return bytes
    }
}
