import Machines

/// What one side sends on a connection, divided into what it says: the bodies of HTTP messages, the messages of a
/// WebSocket, or pieces of anything else. Whatever carries them stays whole, so that changes reach those who read them.
struct PayloadStream {
    private enum State {
        case beginning
        case heads
        case body(length: Int, head: [UInt8])
        case chunks
        case frames
        case raw
    }

    private var state = State.beginning
    private var buffer: [UInt8] = []

    /// Returns what goes on to the client, each payload replaced.
    mutating func take(_ bytes: [UInt8], _ replace: ([UInt8]) -> [UInt8]) -> [UInt8] {
        self.buffer += bytes
        var output: [UInt8] = []
        while self.step(&output, replace) {}
        return output
    }

    /// Takes one part off the buffer; returns false if there is no whole one.
    private mutating func step(_ output: inout [UInt8], _ replace: ([UInt8]) -> [UInt8]) -> Bool {
        switch self.state {
        case .beginning:
            guard self.buffer.count >= 5 else { return false }
            // Answers begin with HTTP/, requests with a method.
            let isHTTP = self.buffer.prefix(3).allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
            self.state = isHTTP ? .heads : .raw
        case .heads:
            guard let end = Self.place(of: Array("\r\n\r\n".utf8), in: self.buffer) else { return false }
            self.begin(self.taken(end + 4), &output)
        case .body(let length, let head):
            guard self.buffer.count >= length else { return false }
            let body = replace(self.taken(length))
            output += Self.head(head, withLength: body.count) + body
            self.state = .heads
        case .chunks:
            guard let end = Self.place(of: [13, 10], in: self.buffer),
                let size = Int(String(decoding: self.buffer[..<end], as: UTF8.self), radix: 16),
                self.buffer.count >= end + 2 + size + 2
            else { return false }
            var chunk = self.taken(end + 2 + size + 2)[(end + 2)...].dropLast(2).map(\.self)
            // The last chunk is empty, and only that.
            if size > 0 {
                let replaced = replace(chunk)
                if !replaced.isEmpty { chunk = replaced }
            } else {
                self.state = .heads
            }
            output += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + [13, 10]
        case .frames: return self.takeFrame(&output, replace)
        case .raw:
            guard !self.buffer.isEmpty else { return false }
            output += replace(self.taken(self.buffer.count))
        }
        return true
    }

    private mutating func begin(_ head: [UInt8], _ output: inout [UInt8]) {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.contains("upgrade: websocket") {
            self.state = .frames
        } else if text.contains("transfer-encoding: chunked") {
            self.state = .chunks
        } else if let match = text.firstMatch(of: /content-length: (\d+)/), let length = Int(match.1), length > 0 {
            self.state = .body(length: length, head: head)
            return
        }
        output += head
    }

    /// Takes a frame; those of clients are masked (RFC 6455 section 5.1).
    private mutating func takeFrame(_ output: inout [UInt8], _ replace: ([UInt8]) -> [UInt8]) -> Bool {
        guard self.buffer.count >= 2 else { return false }
        var (length, start) = (Int(self.buffer[1] & 0x7F), 2)
        if length >= 126 {
            let width = length == 126 ? 2 : 8
            guard self.buffer.count >= 2 + width else { return false }
            length = self.buffer[2..<(2 + width)].reduce(0) { $0 << 8 | Int($1) }
            start += width
        }
        let isMasked = self.buffer[1] & 0x80 != 0
        if isMasked { start += 4 }
        guard self.buffer.count >= start + length else { return false }
        let frame = self.taken(start + length)
        // Control frames are the engine's; only whole messages that are not compressed can be read.
        guard frame[0] & 0x08 == 0, frame[0] & 0x40 == 0 else {
            output += frame
            return true
        }
        let key = isMasked ? Array(frame[(start - 4)..<start]) : []
        let payload = replace(Self.masked(frame[start...], key))
        output.append(frame[0])
        let mark: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ..<126: output.append(mark | UInt8(payload.count))
        case ..<65536: output += [mark | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: output += [mark | 127] + (0..<8).reversed().map { UInt8(payload.count >> ($0 * 8) & 255) }
        }
        output += key + Self.masked(payload[...], key)
        return true
    }

    private static func masked(_ bytes: ArraySlice<UInt8>, _ key: [UInt8]) -> [UInt8] {
        key.isEmpty ? Array(bytes) : bytes.enumerated().map { $0.element ^ key[$0.offset % 4] }
    }

    private mutating func taken(_ count: Int) -> [UInt8] {
        defer { self.buffer.removeFirst(count) }
        return Array(self.buffer[..<count])
    }

    private static func head(_ head: [UInt8], withLength length: Int) -> [UInt8] {
        let text = String(decoding: head, as: UTF8.self)
        return Array(text.replacing(/(?i)content-length: \d+/, with: "Content-Length: \(length)").utf8)
    }

    private static func place(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= needle.count else { return nil }
        return (0...(bytes.count - needle.count)).first { bytes[$0..<($0 + needle.count)].elementsEqual(needle) }
    }
}
