/// How the messages on a link over TCP are told apart, which is a stream of bytes without any.
public enum LinkFraming: Hashable, Sendable {
    /// Not at all: bytes are handed on as they arrive, divided anywhere.
    case bytes
    /// A text a line, behind which this is written.
    case lines(LineEnd)
    /// A length goes before each message.
    case prefixed(LengthPrefix)

    /// Whether messages are lines, whatever bytes they have.
    public var isOfLines: Bool { if case .lines = self { true } else { false } }

    /// What ends a line.
    public struct LineEnd: Hashable, Sendable {
        /// What is written behind a line: one or two bytes.
        public let bytes: [UInt8]

        /// As Unix has it.
        public static let lineFeed = Self(known: "\n")

        /// As IRC, SMTP and most protocols of the Internet have it.
        public static let carriageReturnLineFeed = Self(known: "\r\n")

        /// Creates the end of lines of a protocol of its own, such as the record separator of SignalR.
        ///
        /// - Returns: Nil unless it has one or two bytes.
        public init?(_ text: String) {
            guard 1...2 ~= text.utf8.count else { return nil }
            self.init(known: text)
        }

        private init(known text: String) { self.bytes = Array(text.utf8) }

        /// Whether it is one of the two line ends of texts, either of which is understood then.
        public var isNewline: Bool { self == .lineFeed || self == .carriageReturnLineFeed }

        /// What a line that arrives ends in.
        public var awaited: [UInt8] { self.isNewline ? Self.lineFeed.bytes : self.bytes }

        /// Whether a text would end before its end.
        func isWithin(_ text: String) -> Bool {
            let awaited = self.awaited
            guard awaited.count == 2 else { return text.utf8.contains(awaited[0]) }
            // The last byte of a text may begin what is written behind it.
            let next = Array(text.utf8.dropFirst()) + [awaited[0]]
            return zip(text.utf8, next).contains { $0 == awaited[0] && $1 == awaited[1] }
        }
    }

    /// How the length of a message is written before it.
    public struct LengthPrefix: Hashable, Sendable {
        /// How many bytes the length has, from 1 to 8.
        public let size: Int

        /// Whether the lowest byte comes first; networks have the highest first.
        public let isLittleEndian: Bool

        /// Whether the length counts its own bytes, too.
        public let countsItself: Bool

        /// Creates a prefix.
        ///
        /// - Parameter size: How many bytes the length has; must be from 1 to 8.
        public init(size: Int, isLittleEndian: Bool = false, countsItself: Bool = false) {
            precondition(1...8 ~= size, "a length has from 1 to 8 bytes")
            self.size = size
            self.isLittleEndian = isLittleEndian
            self.countsItself = countsItself
        }

        /// The longest message whose length can be written, in bytes.
        public var longest: UInt64 {
            let largest = self.size == 8 ? UInt64.max : (1 << UInt64(8 * self.size)) - 1
            return self.countsItself ? largest - UInt64(self.size) : largest
        }
    }

    /// Returns why a message cannot be sent, or nil if it can.
    public func obstacle(to message: WebSocketMessage) -> String? {
        switch (self, message) {
        case (.lines(let end), .text(let text)) where end.isWithin(text):
            "a line has no line end in it; send each line by itself, or the bytes with send_bytes"
        case (.lines(.lineFeed), .text(let text)) where text.utf8.last == UInt8(ascii: "\r"):
            "a line that ends in \\r would arrive without it, for \\r\\n ends a line as \\n does; leave it out, or send the "
                + "bytes with send_bytes"
        case (.prefixed(let prefix), _) where UInt64(message.bytes.count) > prefix.longest:
            "a message of \(message.bytes.count) bytes is longer than \(prefix.longest), which a length of "
                + "\(prefix.size) byte\(prefix.size == 1 ? "" : "s") can say"
        default: nil
        }
    }
}
