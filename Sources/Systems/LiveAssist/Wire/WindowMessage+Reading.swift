import JSON

extension WindowMessage {
    /// Reads a message.
    ///
    /// - Returns: Nil if the code is unknown or a field is missing; such a message is told and dropped.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let code = reader.signed(),
            let message = Self.window(code, &reader) ?? Self.input(code, &reader) ?? Self.drawing(code, &reader)
                ?? Self.document(code, &reader) ?? Self.form(code, &reader)
        else { return nil }
        self = message
    }

    private static func window(_ code: Int16, _ reader: inout ByteReader) -> WindowMessage? {
        switch code {
        case 1001:
            guard let width = reader.signed(), let height = reader.signed() else { return nil }
            return .windowResized(width: width, height: height)
        case 1002:
            guard let x = reader.signed(), let y = reader.signed(), let moving = reader.signed() else { return nil }
            return .windowMoved(x: x, y: y, isMoving: moving != 0)
        case 1003:
            guard let x = reader.signed(), let y = reader.signed(), let width = reader.signed(),
                let height = reader.signed(), let format = reader.signed().flatMap(ImageFormat.init)
            else { return nil }
            return .rectangleUpdated(
                x: x, y: y, width: width, height: height, format: format, image: reader.remainder())
        case 1004: return .windowClosed(reader.signed().flatMap(WireInitiator.init) ?? .unknown)
        case 1005:
            guard let horizontal = reader.signed(), let vertical = reader.signed() else { return nil }
            return .scrollbars(horizontal: horizontal != 0, vertical: vertical != 0)
        case 8001: return .offAssist
        case 8002: return .onAssist
        case 4002: return reader.signed().map { .zoomLevel(percent: $0) }
        default: return nil
        }
    }

    private static func input(_ code: Int16, _ reader: inout ByteReader) -> WindowMessage? {
        if let direction = ScrollDirection(rawValue: code) { return .scroll(direction) }
        guard 3001...3004 ~= code || code == 6003 || code == 9001 else { return nil }
        guard let x = reader.signed(), let y = reader.signed() else { return nil }
        switch code {
        case 3001: return reader.signed().map { .mouseDown(x: x, y: y, button: $0) }
        case 3002: return reader.signed().map { .mouseUp(x: x, y: y, button: $0) }
        case 3003: return .doubleClick(x: x, y: y)
        case 3004: return .mouseMove(x: x, y: y)
        case 6003: return .inputAtLocation(x: x, y: y, text: reader.text())
        default: return .cursorPing(x: x, y: y)
        }
    }

    private static func drawing(_ code: Int16, _ reader: inout ByteReader) -> WindowMessage? {
        switch code {
        case 2001: .annotationsSet(reader.text())
        case 2002: .annotationAdded(reader.text())
        case 5001: .snapshotStart
        case 5002: .snapshotChunk(reader.remainder())
        case 5003: .snapshotEnd
        default: nil
        }
    }

    private static func document(_ code: Int16, _ reader: inout ByteReader) -> WindowMessage? {
        guard 4001...4012 ~= code, code != 4002, let id = reader.signed() else { return nil }
        switch code {
        case 4001: return .pushDocument(id: id, url: reader.text())
        case 4003: return .pushContentStart(id: id, type: reader.text())
        case 4004: return .contentChunk(id: id, bytes: reader.remainder())
        case 4005: return .contentEnd(id: id)
        case 4006: return .documentAccepted(id: id)
        case 4007: return .documentRejected(id: id)
        case 4008: return .documentSucceeded(id: id)
        case 4009:
            guard let error = reader.signed(), let http = reader.signed() else { return nil }
            return .documentFailed(id: id, error: error, http: http, details: reader.text())
        case 4010: return .closeRequest(id: id)
        case 4011: return .documentClosed(id: id, reader.signed().flatMap(WireInitiator.init) ?? .unknown)
        default: return .contentMetadata(id: id, text: reader.text())
        }
    }

    private static func form(_ code: Int16, _ reader: inout ByteReader) -> WindowMessage? {
        func json() -> JSONValue? { try? JSONReader.read(reader.remainder(), depth: 32) }
        func form() -> JSONValue? {
            json().flatMap { $0["screenId"]?.integer != nil && $0["descriptors"]?.array != nil ? $0 : nil }
        }
        switch code {
        case 6001: return form().map { .inputElements($0) }
        case 6002: return form().map { .inputPopulated($0) }
        case 6005: return .inputMoved
        case 6004, 6006, 6007:
            guard let x = reader.signed(), let y = reader.signed(), let value = json() else { return nil }
            switch code {
            case 6004: return .inputClicked(x: x, y: y, value)
            case 6006: return .selectFocused(x: x, y: y, value)
            default: return .selectBlurred(x: x, y: y, value)
            }
        default: return nil
        }
    }
}
