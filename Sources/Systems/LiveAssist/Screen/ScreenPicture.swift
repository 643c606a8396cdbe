import Compression
import JSON
import Machines

/// The picture of a screen: a valid PNG of one pixel whose text chunk says what a real one would show.
///
/// So pictures stay tiny, and a test can look for text that must not be in them. The keyword is defined here.
enum ScreenPicture {
    static let keyword = "repartee.screen"
    private static let signature = ContentFormat.png.beginning

    /// Returns the picture of what is drawn (PNG, third edition, §5 and §11.3.3.4).
    static func encode(_ content: JSONValue) -> [UInt8] {
        var bytes = Self.signature
        Self.append("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0], to: &bytes)
        // Keyword, end, uncompressed, method 0, no language, no translated keyword, then the text.
        Self.append("iTXt", Array(Self.keyword.utf8) + [0, 0, 0, 0, 0] + JSONWriter.write(content), to: &bytes)
        // One stored block of a filter byte and one gray pixel, with its Adler-32 (RFC 1950, RFC 1951).
        Self.append("IDAT", [0x78, 0x01, 0x01, 0x02, 0x00, 0xFD, 0xFF, 0x00, 0x80, 0x00, 0x82, 0x00, 0x81], to: &bytes)
        Self.append("IEND", [], to: &bytes)
        return bytes
    }

    /// Returns what a picture shows, or nil if it is another picture.
    static func decode(_ bytes: [UInt8]) -> JSONValue? {
        self.text(in: bytes).flatMap { try? JSONReader.read($0) }
    }

    /// Returns whether a picture says what it shows, but so that it cannot be read.
    static func isDamaged(_ bytes: [UInt8]) -> Bool {
        self.text(in: bytes).map { (try? JSONReader.read($0)) == nil } ?? false
    }

    /// The text in which a picture says what it shows.
    private static func text(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.starts(with: Self.signature) else { return nil }
        var rest = bytes[Self.signature.count...]
        let head = Array(Self.keyword.utf8) + [0, 0, 0, 0, 0]
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - 12 else { return nil }
            let type = rest.dropFirst(4).prefix(4)
            let data = rest.dropFirst(8).prefix(length)
            if type.elementsEqual("iTXt".utf8), data.starts(with: head) {
                return data.dropFirst(head.count)
            }
            rest = rest.dropFirst(12 + length)
        }
        return nil
    }

    private static func append(_ type: String, _ data: [UInt8], to bytes: inout [UInt8]) {
        let body = Array(type.utf8) + data
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: data.count >> shift)) }
        bytes.append(contentsOf: body)
        let check = Checksum.crc32(body)
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: check >> shift)) }
    }
}
