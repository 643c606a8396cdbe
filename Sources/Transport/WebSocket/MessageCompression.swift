import Compression
import Machines

/// Compresses the messages that one side of a WebSocket sends, and expands those that it gets (RFC 7692 section 7.2).
///
/// Both states are made when they are first needed: most connections of a load test carry short messages alone.
final class MessageCompression {
    /// Shorter messages are sent as they are: compressed they would hardly be shorter, and cost time on both sides.
    static let threshold = 256

    /// What is left out at the end of a compressed message.
    private static let tail: [UInt8] = [0, 0, 0xFF, 0xFF]

    /// The window that is used at most, 4 KiB; a larger one costs memory and gains little on chat messages.
    private static let windowBits = 12

    /// At most this many bytes are expanded at a time.
    private static let pieceLimit = 64 << 10

    private let agreement: CompressionAgreement

    /// What was compressed and expanded so far.
    private(set) var volume = CompressionVolume()
    private var inflater: Inflater?
    private var deflater: Deflater?

    /// Creates the compression of one side.
    init(_ agreement: CompressionAgreement) { self.agreement = agreement }

    /// Returns a message as it is sent, or nil if it is to be sent as it is.
    func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        // zlib has no window of 256 bytes without a wrapping; a message need not be compressed.
        guard bytes.count >= Self.threshold, self.agreement.ownWindowBits > 8 else { return nil }
        let deflater =
            self.deflater ?? Deflater(.raw, windowBits: min(Self.windowBits, self.agreement.ownWindowBits), memory: 5)
        self.deflater = self.agreement.forgetsOwn ? nil : deflater
        var result = deflater.compress(bytes)
        if result.suffix(Self.tail.count).elementsEqual(Self.tail) { result.removeLast(Self.tail.count) }
        self.volume.add(wire: result.count, text: bytes.count)
        return result
    }

    /// Returns what a compressed message says.
    ///
    /// - Parameters:
    ///   - bytes: The payload of all its frames.
    ///   - limit: The longest message, in bytes.
    /// - Throws: An error with 1007 for what is damaged, with 1009 for what becomes too long.
    func expanded(_ bytes: [UInt8], limit: Int) throws(WebSocketProtocolError) -> [UInt8] {
        let inflater = self.inflater ?? Inflater(.raw)
        self.inflater = nil
        inflater.take(bytes)
        inflater.take(Self.tail)
        var message: [UInt8] = []
        var isTooLong = false
        do throws(Inflater.Damage) {
            while let piece = try inflater.next(atMost: Self.pieceLimit) {
                guard message.count + piece.count <= limit else {
                    isTooLong = true
                    break
                }
                if message.isEmpty { message = piece } else { message += piece }
            }
        } catch {
            throw .notCompressed(error.message)
        }
        guard !isTooLong else { throw .tooBig(limit) }
        self.volume.add(wire: bytes.count, text: message.count)
        if !self.agreement.forgetsPeers, !inflater.isAtEnd { self.inflater = inflater }
        return message
    }
}
