public import Machines

/// The frames of one WebSocket connection after its handshake, in both directions (RFC 6455 section 5 to 7).
///
/// Pings are answered and a peer's close frame is returned by the codec itself; both are appended to the output that is
/// passed in. It never pings by itself: how often a connection is asked whether it lives, and how long the answer may
/// take, are rules of a chat system. Messages are compressed where both sides have agreed on it (RFC 7692). A codec
/// cannot be copied: two of them would share the state of the compression.
///
/// | state | input | becomes | output |
/// |---|---|---|---|
/// | open | message, ping, pong | open | a pong for a ping |
/// | open | ``close(code:reason:into:random:)`` | closing | a close frame |
/// | open | close frame | ended | a close frame with the same code |
/// | closing | message, ping, pong | closing | a pong for a ping |
/// | closing | close frame | ended | |
/// | open, closing | a violation | ended | a close frame with the reason, if none was sent |
/// | ended | anything | ended | |
public struct WebSocketCodec: ~Copyable {
    /// Which side this is.
    public enum Role: Hashable, Sendable {
        /// Masks what it sends and refuses masked frames.
        case client
        /// Refuses frames without a mask.
        case server
    }

    /// What the peer sent.
    public enum Event: Hashable, Sendable {
        /// A whole message, unmasked, expanded and put together from its frames.
        case message(WebSocketMessage)
        /// A ping, which is answered already.
        case ping([UInt8])
        /// A pong with its payload, whether or not a ping was sent.
        case pong([UInt8])
        /// The peer's close frame, which is answered if need be.
        case closed(WebSocketCloseFrame)
        /// The peer broke the protocol; close the connection after sending the output.
        case violated(WebSocketProtocolError)
    }

    /// A control frame as it was before it was masked.
    public struct ControlFrame: Hashable, Sendable {
        /// Pong or close.
        public let opcode: WebSocketOpcode

        /// At most 125 bytes.
        public let payload: [UInt8]

        /// The mask that it was written with; nil for a server.
        public let mask: WrittenMask?
    }

    private enum State: Sendable {
        case open
        case closing
        case ended
    }

    /// A frame whose payload has not arrived whole.
    private struct Pending: Sendable {
        var header: WebSocketFrameHeader
        var mask: WebSocketMask?
        var remaining: Int
    }

    private let role: Role
    private let messageLimit: Int
    private let compression: MessageCompression?
    private var state = State.open
    private var pending: Pending?
    /// A header that was divided between reads.
    private var headerBytes: [UInt8] = []
    private var controlPayload: [UInt8] = []
    /// The kind of the fragmented message under way.
    private var messageKind: WebSocketOpcode?
    /// Whether the message under way is compressed.
    private var isCompressed = false
    private var message: [UInt8] = []
    private var validator = UTF8Validator()
    /// The control frame that was written last, until somebody asks for it.
    private var writtenControl: ControlFrame?

    /// How much of an announced payload is reserved before it has arrived.
    private static let reservation = 64 << 10

    /// Creates a codec.
    ///
    /// - Parameters:
    ///   - role: Which side this is.
    ///   - messageLimit: The longest message taken in, in bytes; a longer one ends the connection with 1009.
    public init(role: Role, messageLimit: Int = 16 << 20) {
        self.init(role: role, messageLimit: messageLimit, compression: nil)
    }

    /// Creates a codec for two sides that may have agreed on compression.
    init(role: Role, messageLimit: Int, compression: CompressionAgreement?) {
        self.role = role
        self.messageLimit = messageLimit
        self.compression = compression.map { MessageCompression($0) }
    }

    /// What was compressed and expanded so far; nil if the sides have not agreed on compression.
    var compressionVolume: CompressionVolume? { self.compression?.volume }

    /// Whether messages can still be sent.
    @inline(__always)
    public var isOpen: Bool { self.state == .open }

    /// Whether the peer closed, of its own accord, within a message that it had not sent whole.
    ///
    /// RFC 6455 section 5.5.1 lets a peer that is asked to close do so at once, and nobody send data behind its close
    /// frame: nothing can complete the message.
    private(set) var isBrokenOff = false

    /// What has arrived of a message that is not whole yet, in words; nil if nothing has.
    var unfinished: String? {
        guard self.state != .ended else { return nil }
        if let pending = self.pending, !pending.header.opcode.isControl {
            let whole = pending.header.isFinal ? "" : "a fragment of "
            let length = self.message.count + pending.remaining
            return "\(self.message.count) bytes of \(whole)a message that has \(length)"
        }
        if self.messageKind != nil {
            return "\(self.message.count) bytes of a message whose other fragments are missing"
        }
        return self.headerBytes.isEmpty ? nil : "\(self.headerBytes.count) bytes of the beginning of a frame"
    }

    // MARK: Receiving

    /// Takes the next event.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - offset: Where to begin; moved behind what was taken.
    ///   - output: What must be sent in answer is appended to it.
    ///   - random: For the masks of a client.
    /// - Returns: Nil if more bytes are needed; all were taken then, and nothing is to be sent.
    public mutating func next(
        _ bytes: Span<UInt8>, at offset: inout Int, output: inout [UInt8], random: inout RandomSource
    ) -> Event? {
        do {
            while self.state != .ended {
                if self.pending == nil {
                    guard let header = try self.header(bytes, &offset) else { return nil }
                    try self.checkOrder(header)
                    if let event = try self.wholeMessage(header, bytes, &offset) { return event }
                    self.begin(header)
                }
                guard let header = try self.payload(bytes, &offset) else { return nil }
                if let event = try self.finish(header, output: &output, random: &random) { return event }
            }
            offset = bytes.count
            return nil
        } catch {
            return self.violate(error, output: &output, random: &random)
        }
    }

    private mutating func header(
        _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(WebSocketProtocolError) -> WebSocketFrameHeader? {
        let reading: WebSocketFrameHeader.Reading
        let kept = self.headerBytes.count
        if kept == 0 {
            reading = WebSocketFrameHeader.read(
                bytes, at: offset, isMasked: self.role == .server, mayBeCompressed: self.compression != nil,
                limit: self.messageLimit)
        } else {
            let more = min(WebSocketFrameHeader.longest - kept, bytes.count - offset)
            self.headerBytes.append(bytes, offset..<offset + more)
            reading = WebSocketFrameHeader.read(
                self.headerBytes.span, at: 0, isMasked: self.role == .server,
                mayBeCompressed: self.compression != nil, limit: self.messageLimit)
        }
        switch reading {
        case .incomplete:
            if kept == 0 { self.headerBytes.append(bytes, offset..<bytes.count) }
            offset = bytes.count
            return nil
        case .header(let header, let size):
            offset += size - kept
            if kept > 0 { self.headerBytes = [] }
            return header
        case .wrong(let error): throw error
        }
    }

    private func checkOrder(_ header: WebSocketFrameHeader) throws(WebSocketProtocolError) {
        guard !header.opcode.isControl else { return }
        guard (header.opcode == .continuation) == (self.messageKind != nil) else {
            throw .protocolError(
                self.messageKind == nil
                    ? "a continuation has nothing to continue" : "a message begins within a fragmented one")
        }
        guard header.length <= self.messageLimit - self.message.count else { throw .tooBig(self.messageLimit) }
    }

    /// The short way for what nearly all messages are: one frame that lies whole in the bytes.
    private func wholeMessage(
        _ header: WebSocketFrameHeader, _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(WebSocketProtocolError) -> Event? {
        guard header.isFinal, !header.isCompressed, header.opcode == .text || header.opcode == .binary,
            header.length <= bytes.count - offset
        else { return nil }
        let range = offset..<offset + header.length
        offset = range.upperBound
        guard var mask = header.mask else {
            guard header.opcode == .text else { return .message(.binary(Array(bytes, range))) }
            guard let text = bytes.text(range) else { throw .notText }
            return .message(.text(text))
        }
        let payload = bytes.extracting(range)
        guard header.opcode == .text else {
            let plain = [UInt8](unsafeUninitializedCapacity: header.length) { target, count in
                payload.withUnsafeBytes { mask.apply($0, to: target) }
                count = header.length
            }
            return .message(.binary(plain))
        }
        let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: header.length) { scratch in
            payload.withUnsafeBytes { mask.apply($0, to: scratch) }
            return String(validating: UnsafeBufferPointer(scratch), as: UTF8.self)
        }
        guard let text else { throw .notText }
        return .message(.text(text))
    }

    private mutating func begin(_ header: WebSocketFrameHeader) {
        self.pending = Pending(header: header, mask: header.mask, remaining: header.length)
        guard !header.opcode.isControl else { return }
        if header.opcode != .continuation {
            self.messageKind = header.opcode
            self.isCompressed = header.isCompressed
        }
        self.message.reserveCapacity(self.message.count + min(header.length, Self.reservation))
    }

    /// Takes payload; returns the frame's header when all of it is there.
    private mutating func payload(
        _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(WebSocketProtocolError) -> WebSocketFrameHeader? {
        guard var pending = self.pending else { return nil }
        let range = offset..<offset + min(pending.remaining, bytes.count - offset)
        offset = range.upperBound
        pending.remaining -= range.count
        if pending.header.opcode.isControl {
            let start = self.controlPayload.count
            self.controlPayload.append(bytes, range)
            pending.mask?.apply(to: &self.controlPayload, from: start)
        } else {
            let start = self.message.count
            self.message.append(bytes, range)
            pending.mask?.apply(to: &self.message, from: start)
            if self.messageKind == .text, !self.isCompressed {
                let isText = self.message.withUnsafeBytes { self.validator.accept(.init(rebasing: $0[start...])) }
                guard isText else { throw .notText }
            }
        }
        self.pending = pending.remaining == 0 ? nil : pending
        return pending.remaining == 0 ? pending.header : nil
    }

    private mutating func finish(
        _ header: WebSocketFrameHeader, output: inout [UInt8], random: inout RandomSource
    ) throws(WebSocketProtocolError) -> Event? {
        switch header.opcode {
        case .text, .binary, .continuation:
            guard header.isFinal else { return nil }
            return .message(try self.takeMessage())
        case .ping:
            let payload = self.takeControlPayload()
            self.control(.pong, payload, into: &output, random: &random)
            return .ping(payload)
        case .pong: return .pong(self.takeControlPayload())
        case .close: return try self.closed(self.takeControlPayload(), output: &output, random: &random)
        }
    }

    private mutating func takeMessage() throws(WebSocketProtocolError) -> WebSocketMessage {
        let kind = self.messageKind
        var bytes = self.message
        self.messageKind = nil
        self.message = []
        self.validator = UTF8Validator()
        if self.isCompressed, let compression = self.compression {
            bytes = try compression.expanded(bytes, limit: self.messageLimit)
        }
        guard kind == .text else { return .binary(bytes) }
        guard let text = bytes.span.text(0..<bytes.count) else { throw .notText }
        return .text(text)
    }

    private mutating func takeControlPayload() -> [UInt8] {
        let payload = self.controlPayload
        self.controlPayload = []
        return payload
    }

    private mutating func closed(
        _ payload: [UInt8], output: inout [UInt8], random: inout RandomSource
    ) throws(WebSocketProtocolError) -> Event {
        let frame = try WebSocketCloseFrame(reading: payload)
        self.isBrokenOff = self.state == .open && self.messageKind != nil
        if self.state == .open { self.control(.close, Array(payload.prefix(2)), into: &output, random: &random) }
        self.end()
        return .closed(frame)
    }

    private mutating func violate(
        _ error: WebSocketProtocolError, output: inout [UInt8], random: inout RandomSource
    ) -> Event {
        self.close(code: error.code, reason: error.message, into: &output, random: &random)
        self.end()
        return .violated(error)
    }

    private mutating func end() {
        self.state = .ended
        self.pending = nil
        self.headerBytes = []
        self.controlPayload = []
        self.messageKind = nil
        self.message = []
    }

    // MARK: Sending

    /// Writes a message in one frame; does nothing unless the connection is open.
    ///
    /// - Returns: The mask of the frame; nil for a server, or if nothing was written.
    @discardableResult
    public func write(
        _ message: WebSocketMessage, into output: inout [UInt8], random: inout RandomSource
    ) -> WrittenMask? {
        guard self.state == .open else { return nil }
        if let compressed = self.compression?.compressed(message.bytes) {
            return self.frame(message.opcode, isCompressed: true, compressed, into: &output, random: &random)
        }
        switch message {
        case .text(let text): return self.frame(.text, text.utf8, into: &output, random: &random)
        case .binary(let bytes): return self.frame(.binary, bytes, into: &output, random: &random)
        }
    }

    /// Writes a close frame; does nothing unless the connection is open.
    ///
    /// - Parameters:
    ///   - code: The status code; nil, or a code that must not stand on the wire, makes a frame without a body.
    ///   - reason: Cut to the 123 bytes of UTF-8 that fit.
    ///   - output: What the frame is appended to.
    ///   - random: For the mask of a client.
    public mutating func close(
        code: UInt16?, reason: String, into output: inout [UInt8], random: inout RandomSource
    ) {
        guard self.state == .open else { return }
        self.state = .closing
        self.control(
            .close, WebSocketCloseFrame(code: code, reason: reason).payload, into: &output, random: &random)
    }

    /// Returns the control frame that was written last, once: whoever watches the connection is told what it was, and
    /// need not read it out of the bytes.
    public mutating func takeWrittenControl() -> ControlFrame? {
        defer { self.writtenControl = nil }
        return self.writtenControl
    }

    private mutating func control(
        _ opcode: WebSocketOpcode, _ payload: [UInt8], into output: inout [UInt8], random: inout RandomSource
    ) {
        let mask = self.frame(opcode, payload, into: &output, random: &random)
        self.writtenControl = ControlFrame(opcode: opcode, payload: payload, mask: mask)
    }

    private func frame(
        _ opcode: WebSocketOpcode, isCompressed: Bool = false, _ payload: some Collection<UInt8>,
        into output: inout [UInt8], random: inout RandomSource
    ) -> WrittenMask? {
        let length = payload.count
        let maskBit: UInt8 = self.role == .client ? 0x80 : 0
        output.reserveCapacity(output.count + WebSocketFrameHeader.longest + length)
        output.append((isCompressed ? 0xC0 : 0x80) | opcode.rawValue)
        switch length {
        case ...125: output.append(maskBit | UInt8(length))
        case ...0xFFFF:
            output.append(maskBit | 126)
            output.append(UInt8(length >> 8))
            output.append(UInt8(truncatingIfNeeded: length))
        default:
            output.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: length >> shift))
            }
        }
        guard self.role == .client else {
            output.append(contentsOf: payload)
            return nil
        }
        let written = WrittenMask(keyStart: output.count, key: UInt32(truncatingIfNeeded: random.next()))
        var mask = WebSocketMask(written.key)
        let key = mask.bytes
        output.append(key.0)
        output.append(key.1)
        output.append(key.2)
        output.append(key.3)
        let start = output.count
        output.append(contentsOf: payload)
        mask.apply(to: &output, from: start)
        return written
    }
}

extension WebSocketMask {
    fileprivate mutating func apply(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableBufferPointer<UInt8>) {
        guard let from = source.baseAddress, let into = target.baseAddress else { return }
        self.apply(from, to: UnsafeMutableRawPointer(into), count: min(source.count, target.count))
    }
}
