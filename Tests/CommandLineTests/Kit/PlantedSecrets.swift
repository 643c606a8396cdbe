import Foundation

/// Random values with every character that a way of writing treats in its own way, and a search for them in outputs.
///
/// The ways of writing are made here with other code than the product reads them with.
struct PlantedSecrets {
    /// The values by the variables that scripts read them from.
    let variables: [String: String]

    /// Every eight bytes in a row of every form of every value.
    private var needles: Set<UInt64> = []

    /// Every eight bytes in a row of every value, for runs of hexadecimal digits.
    private var plainNeedles: Set<UInt64> = []

    /// - Parameter seed: Other values for another one.
    init(seed: UInt64) {
        var random = Generator(state: seed)
        let plain = Array("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789")
        let hostile = Array("\"\\<>&'%+/= ?#;:{}[]|~^`@$!*()-äß€😀\n\t")
        func value(_ length: Int, isHostile: Bool = false) -> String {
            String(
                (0..<length).map { place in
                    // Letters between them keep its pieces from being like those of any other text.
                    let alphabet = isHostile && place % 3 == 1 ? hostile : plain
                    return alphabet.randomElement(using: &random) ?? "x"
                })
        }
        self.variables = [
            "SHORT": value(12), "HOSTILE": value(40, isHostile: true), "LONG": value(2048),
            "LONG_HOSTILE": value(1024, isHostile: true), "LEARNT": value(30),
            "NUMBER": "\(Int.random(in: 100_000_000_000...899_999_999_999, using: &random))",
        ]
        for value in self.variables.values {
            for form in Self.forms(of: value) { self.needles.formUnion(Self.windows(of: form)) }
            self.plainNeedles.formUnion(Self.windows(of: Array(value.utf8)))
        }
        self.needles = self.needles.filter(Self.isTelling)
    }

    /// Whether eight bytes are more than the marks of a way of writing, such as `\u0009\u0` and `&quot;cb`, which may
    /// stand before any number in hexadecimal digits.
    private static func isTelling(_ window: UInt64) -> Bool {
        var text = String(decoding: (0..<8).map { UInt8(truncatingIfNeeded: window >> (56 - 8 * $0)) }, as: UTF8.self)
        for mark in ["&quot;", "&amp;", "&lt;", "&gt;"] { text = text.replacing(mark, with: "") }
        let bytes = Array(text.utf8)
        let isTelling: (UInt8) -> Bool = { byte in
            byte != UInt8(ascii: "u") && ((0x31...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF))
        }
        return bytes.count(where: isTelling) >= 3
    }

    /// How many places of some bytes show eight bytes of a value in some form.
    func count(in bytes: Data) -> Int { self.places(in: Array(bytes)).count }

    /// What stands around the first such place, for people.
    func example(in bytes: Data) -> String {
        let all = Array(bytes)
        guard let place = self.places(in: all).first else { return "" }
        return String(decoding: all[max(0, place - 80)..<min(all.count, place + 20)], as: UTF8.self)
    }

    /// Where such places end.
    private func places(in bytes: [UInt8]) -> [Int] {
        var found: [Int] = []
        var window: UInt64 = 0
        var decoded: (value: UInt64, digits: Int) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            window = window << 8 | UInt64(byte)
            if index >= 7, self.needles.contains(window) { found.append(index) }
            guard let digit = Self.digit(byte) else {
                decoded = (0, 0)
                continue
            }
            decoded = (decoded.value << 4 | UInt64(digit), decoded.digits + 1)
            if decoded.digits >= 16, self.plainNeedles.contains(decoded.value) { found.append(index) }
        }
        return found
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    private static func windows(of bytes: [UInt8]) -> [UInt64] {
        var window: UInt64 = 0
        return bytes.enumerated().compactMap { index, byte in
            window = window << 8 | UInt64(byte)
            return index >= 7 ? window : nil
        }
    }

    private static func forms(of value: String) -> [[UInt8]] {
        let bytes = Array(value.utf8)
        let escaped = Self.quoted(value)
        let twice = Self.quoted(escaped)
        let marked = value.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
        let numbered = value.replacingOccurrences(of: "&", with: "&#38;").replacingOccurrences(of: "\"", with: "&#34;")
            .replacingOccurrences(of: "<", with: "&#60;").replacingOccurrences(of: "'", with: "&#39;")
        let percent = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        var texts = [
            value, escaped, twice, Self.quoted(twice), marked, marked.replacingOccurrences(of: "\"", with: "&quot;"),
            numbered, percent, percent.replacingOccurrences(of: "%20", with: "+"),
            value.replacingOccurrences(of: "/", with: "\\/"),
            value.utf16.map { String(format: "\\u%04x", $0) }.joined(),
            value.utf16.map { String(format: "\\u%04X", $0) }.joined(),
        ]
        for offset in 0..<3 {
            // Without the digits that hold bits of the neighbors.
            let base64 = Data([UInt8](repeating: 0, count: offset) + bytes).base64EncodedString()
            let own = base64.prefix((offset + bytes.count) * 8 / 6).dropFirst(offset == 0 ? 0 : offset + 1)
            texts += [
                String(own), own.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_"),
            ]
        }
        let utf16 = [value.data(using: .utf16LittleEndian), value.data(using: .utf16BigEndian)]
        return texts.map { Array($0.utf8) } + utf16.compactMap { $0.map { Array($0) } }
    }

    private static func quoted(_ text: String) -> String {
        let json = try? JSONSerialization.data(
            withJSONObject: text, options: [.fragmentsAllowed, .withoutEscapingSlashes])
        return String(String(decoding: json ?? Data(), as: UTF8.self).dropFirst().dropLast())
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            self.state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = self.state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}
