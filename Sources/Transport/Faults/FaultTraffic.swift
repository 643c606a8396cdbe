import Machines

/// What bytes on a connection are, as far as it matters for faults.
struct FaultTraffic {
    /// A frame of a WebSocket, and what its message is called if that can be told.
    private struct Frame {
        let opcode: WebSocketOpcode
        let isCompressed: Bool
        let name: String?
    }

    let content: FaultPoint.Content
    let summary: String

    /// Whether the connection is a WebSocket from now on.
    let isUpgrade: Bool

    /// Where the last bracket of JSON stands in what a server sends, if there is one.
    let lastBracket: Int?

    /// Looks at bytes.
    ///
    /// - Parameters:
    ///   - sender: Who sends them: requests and masked frames come from clients, the others from servers.
    ///   - isUpgraded: Whether the connection is a WebSocket.
    init(_ bytes: [UInt8], from sender: FaultSide, isUpgraded: Bool) {
        guard !isUpgraded else {
            let frames = Self.frames(bytes, isMasked: sender == .client)
            let areMessages = !frames.isEmpty && frames.allSatisfy { !$0.opcode.isControl }
            self.content = areMessages ? .messages : .bytes
            self.summary = Self.summary(of: frames, size: bytes.count)
            self.isUpgrade = false
            // What is compressed has no bracket that could be damaged.
            let areReadable = areMessages && !frames.contains(where: \.isCompressed)
            self.lastBracket = sender == .server && areReadable ? Self.lastBracket(bytes, from: 0) : nil
            return
        }
        let line = Self.firstLine(bytes)
        if sender == .client, line.hasSuffix(" HTTP/1.1") {
            self.content = .request
            self.summary = String(line.dropLast(9).prefix { $0 != "?" })
            self.isUpgrade = false
            self.lastBracket = nil
        } else if sender == .server, line.hasPrefix("HTTP/1.1 ") {
            self.content = .response
            self.summary = "answer " + line.dropFirst(9).prefix(3)
            self.isUpgrade = line.dropFirst(9).hasPrefix("101")
            self.lastBracket = Self.bodyStart(bytes).flatMap { Self.lastBracket(bytes, from: $0) }
        } else {
            self.content = .bytes
            self.summary = "\(bytes.count) bytes of a body"
            self.isUpgrade = false
            self.lastBracket = sender == .server ? Self.lastBracket(bytes, from: 0) : nil
        }
    }

    /// Returns the bytes with the last bracket damaged.
    func damaged(_ bytes: [UInt8]) -> [UInt8] {
        guard let place = self.lastBracket else { return bytes }
        var bytes = bytes
        bytes[place] = UInt8(ascii: "!")
        return bytes
    }

    /// The answer of something between client and server, which then ends the connection.
    static func answer(_ code: Int, _ reason: String) -> [UInt8] {
        Array(
            ("HTTP/1.1 \(code) \(reason)\r\nContent-Type: text/plain\r\nContent-Length: \(reason.utf8.count)\r\n"
                + "Connection: close\r\n\r\n\(reason)").utf8)
    }

    /// The frames that the bytes are, or none if they are not whole frames.
    private static func frames(_ bytes: [UInt8], isMasked: Bool) -> [Frame] {
        var frames: [Frame] = []
        var offset = 0
        while offset < bytes.count {
            guard
                case .header(let header, let size) = WebSocketFrameHeader.read(
                    bytes.span, at: offset, isMasked: isMasked, mayBeCompressed: true, limit: .max), header.isFinal
            else { return [] }
            // A server may give any length, also one that cannot be added to.
            let start = offset + size
            guard header.length <= bytes.count - start else { return [] }
            offset = start + header.length
            // What a frame is called stands near its beginning; of a compressed one that is not to be read.
            var payload = header.isCompressed ? [] : Array(bytes[start..<min(offset, start + Self.namingLimit)])
            if var mask = header.mask { mask.apply(to: &payload, from: 0) }
            frames.append(
                Frame(opcode: header.opcode, isCompressed: header.isCompressed, name: Self.name(in: payload)))
        }
        return offset == bytes.count ? frames : []
    }

    private static func summary(of frames: [Frame], size: Int) -> String {
        guard !frames.isEmpty else { return "\(size) bytes of a WebSocket" }
        let kinds = frames.map { "\($0.opcode)" }.joined(separator: ", ") + " frame"
        let names = frames.compactMap(\.name)
        return names.isEmpty ? kinds : kinds + ": " + names.joined(separator: ", ")
    }

    /// The first value of a member `method` or `type` of JSON, which says in most protocols what a message is.
    private static func name(in payload: [UInt8]) -> String? {
        let text = String(decoding: payload, as: UTF8.self)
        guard text.hasPrefix("{") else { return nil }
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        // A name that is cut off, as a part of a secret would be, is none.
        guard let place = parts.firstIndex(where: { $0 == "method" || $0 == "type" }), place + 3 < parts.count,
            parts[place + 1].allSatisfy({ $0 == ":" || $0 == " " })
        else { return nil }
        let name = parts[place + 2]
        let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain && 1...Self.longestName ~= name.utf8.count ? String(name) : nil
    }

    private static let namingLimit = 512
    private static let longestName = 40

    private static func firstLine(_ bytes: [UInt8]) -> String {
        let line = bytes.prefix(2048).prefix { $0 != UInt8(ascii: "\r") && $0 >= 0x20 && $0 < 0x7F }
        return String(decoding: line, as: UTF8.self)
    }

    private static func bodyStart(_ bytes: [UInt8]) -> Int? {
        let end: [UInt8] = [13, 10, 13, 10]
        guard bytes.count > end.count else { return nil }
        return (0..<bytes.count - end.count).first { bytes[$0] == 13 && bytes[$0..<$0 + 4].elementsEqual(end) }
            .map { $0 + end.count }
    }

    private static func lastBracket(_ bytes: [UInt8], from start: Int) -> Int? {
        bytes[start...].lastIndex { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") }
    }
}
