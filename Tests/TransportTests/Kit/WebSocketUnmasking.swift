@testable import Transport

/// Takes the masks off the frames of a client in bytes as they went over a connection, by reading them.
///
/// The product takes off the mask that its codec says it has written; this finds the masks without being told, to hold
/// the two against each other.
struct WebSocketUnmasking {
    private enum State {
        /// Requests; the bytes of the last one so far.
        case head([UInt8])
        /// The head of a frame; its bytes so far.
        case frame([UInt8])
        /// The payload of a frame; how many bytes are left, and the key from there on.
        case payload(left: Int, WebSocketMask)
        /// No frames come any more, or none that can be told.
        case passing
    }

    /// A request with a longer head is none that this process has made or taken.
    private static let longestHead = 64 << 10

    private var state = State.head([])

    /// Returns bytes that follow those of the last call, without masks.
    mutating func unmasked(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while !rest.isEmpty {
            switch self.state {
            case .passing:
                result += rest
                rest = []
            case .head(let head): result += self.takeHead(head, &rest)
            case .frame(let head): result += self.takeFrameHead(head, &rest)
            case .payload(let left, var mask):
                var payload = Array(rest.prefix(left))
                mask.apply(to: &payload, from: 0)
                rest = rest.dropFirst(payload.count)
                result += payload
                self.state = payload.count == left ? .frame([]) : .payload(left: left - payload.count, mask)
            }
        }
        return result
    }

    private mutating func takeHead(_ head: [UInt8], _ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var head = head
        var taken: [UInt8] = []
        while let byte = rest.popFirst() {
            head.append(byte)
            taken.append(byte)
            guard head.count <= Self.longestHead else {
                self.state = .passing
                return taken
            }
            // By place, for the suffix of a sequence is found by going through all of it.
            guard byte == 0x0A, head.count >= 4, head[(head.count - 4)...].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A])
            else { continue }
            // Line ends are not searched for: to a String, \r\n is one character.
            let text = String(decoding: head, as: UTF8.self).lowercased()
            self.state = text.contains("upgrade: websocket") ? .frame([]) : .head([])
            return taken
        }
        self.state = .head(head)
        return taken
    }

    private mutating func takeFrameHead(_ head: [UInt8], _ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        var head = head
        var taken: [UInt8] = []
        while let byte = rest.popFirst() {
            let isKey = head.count >= 2 && head.count >= Self.keyStart(head)
            head.append(byte)
            taken.append(isKey ? 0 : byte)
            guard head.count >= 2 else { continue }
            let isMasked = head[1] & 0x80 != 0
            let keyStart = Self.keyStart(head)
            guard head.count == keyStart + (isMasked ? 4 : 0) else { continue }
            let length = Self.length(head, digits: keyStart - 2)
            let key = isMasked ? head.suffix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) } : 0
            self.state = length > 0 ? .payload(left: length, WebSocketMask(key)) : .frame([])
            return taken
        }
        self.state = .frame(head)
        return taken
    }

    /// Where the key stands in a frame of whose head two bytes are known.
    private static func keyStart(_ head: [UInt8]) -> Int {
        switch head[1] & 0x7F {
        case 126: 4
        case 127: 10
        default: 2
        }
    }

    /// How long the payload is.
    private static func length(_ head: [UInt8], digits: Int) -> Int {
        guard digits > 0 else { return Int(head[1] & 0x7F) }
        return Int(clamping: head[2..<(2 + digits)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }
}
