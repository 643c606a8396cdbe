public import JSON

/// The values that must not be seen, and how they are taken out of what people and programs read.
///
/// A value is hidden where it stands as it is, and in every nesting of the ways in which it could be written: escapes
/// of JSON and Lua, of HTML and XML, of URLs and forms; base64 and hexadecimal, also within longer ones; UTF-16. Eight
/// bytes of it in a row are enough, so that one which was cut or sent in parts is hidden, too.
///
/// Besides, what a name tells to be a credential is hidden without having been added; see ``CredentialNames``.
public struct SecretMasker: Sendable {
    /// What stands where something was hidden.
    public static let mask = "***"

    /// Shorter values cannot be hidden without hiding much else.
    public static let leastLength = 4

    /// How deep base64 and hexadecimal may nest, and how often escapes may be escaped.
    private static let nesting = (digits: 2, escapes: 6)

    private var kept = SecretGeneration()

    /// The values that a run has learnt: those of late, and before them those of some time ago. A run of weeks can
    /// learn new ones with each of its conversations, and nobody shows again what was in one that ended long ago.
    private var learnt = (young: SecretGeneration(), old: SecretGeneration())

    /// How many bytes of values one generation of what was learnt has.
    private static let generationBytes = 4 << 20

    /// Creates an empty set.
    public init() {}

    /// Whether no value was added.
    public private(set) var isEmpty = true

    /// The length of the shortest value, or of a piece that counts if that is shorter.
    private var shortest: Int {
        min(
            SecretIndex.leastPiece, self.kept.index.shortest, self.learnt.young.index.shortest,
            self.learnt.old.index.shortest)
    }

    /// Whether no character of a value needs more than one byte of its two in UTF-16.
    private var isLatin: Bool {
        self.kept.index.isLatin && self.learnt.young.index.isLatin && self.learnt.old.index.isLatin
    }

    /// Where values and pieces of them stand as they are.
    private func plainPieces(in bytes: [UInt8]) -> [Range<Int>] {
        // One by one, for a list of them would be a copy of all three.
        var found = self.kept.index.pieces(in: bytes)
        found += self.learnt.young.index.pieces(in: bytes)
        found += self.learnt.old.index.pieces(in: bytes)
        return found
    }

    /// Whether a value is long enough to be hidden.
    public static func canHide(_ value: String) -> Bool { value.utf8.count >= Self.leastLength }

    /// Adds a value; one that is too short to be hidden is left out.
    ///
    /// - Parameter isLearnt: Whether it belongs to one conversation of many, and may be forgotten some megabytes later.
    public mutating func add(_ value: String, isLearnt: Bool = false) {
        guard Self.canHide(value), !self.kept.known.contains(Array(value.utf8)) else { return }
        self.isEmpty = false
        guard isLearnt else { return self.kept.add(value) }
        self.makeRoom()
        self.learnt.young.add(value)
    }

    /// Adds bytes that a script computed from a value, such as a digest, as something that was learnt.
    public mutating func add(computed bytes: [UInt8]) {
        guard bytes.count >= Self.leastLength, !self.kept.known.contains(bytes) else { return }
        self.isEmpty = false
        self.makeRoom()
        self.learnt.young.add(bytes)
    }

    private mutating func makeRoom() {
        guard self.learnt.young.index.byteCount >= Self.generationBytes else { return }
        self.learnt = (SecretGeneration(), self.learnt.young)
    }

    /// Whether a value, or so much of one that it gives it away, stands in bytes, however it is written.
    public func stand(in bytes: [UInt8]) -> Bool {
        !self.isEmpty && bytes.count >= Self.leastLength && !self.ranges(in: bytes, unasked: false).isEmpty
    }
}

// MARK: - Texts

extension SecretMasker {
    /// Returns a text without what must not be seen.
    public func masked(_ text: String) -> String {
        self.masked(text, unasked: true)
    }

    /// Returns a text without the values that were added; names tell nothing here.
    public func withoutValues(_ text: String) -> String {
        self.masked(text, unasked: false)
    }

    private func masked(_ text: String, unasked: Bool) -> String {
        guard !self.isEmpty || unasked else { return text }
        guard text.utf8.count >= Self.leastLength else { return text }
        var text = text
        // Most runs have no secrets, and most texts name none: then there is nothing to copy.
        if self.isEmpty, !text.withUTF8({ CredentialText.hasOne($0) }) { return text }
        let bytes = Array(text.utf8)
        let ranges = self.ranges(in: bytes, unasked: unasked)
        guard !ranges.isEmpty else { return text }
        return String(decoding: Self.replacing(ranges, in: bytes, keepsCharacters: true), as: UTF8.self)
    }

    /// Returns bytes without what must not be seen.
    public func masked(_ bytes: [UInt8]) -> [UInt8] {
        let ranges = self.ranges(in: bytes, unasked: true)
        return ranges.isEmpty ? bytes : Self.replacing(ranges, in: bytes, keepsCharacters: false)
    }

    private func ranges(in bytes: [UInt8], unasked: Bool) -> [Range<Int>] {
        let named = unasked ? bytes.withUnsafeBufferPointer { CredentialText.values(in: $0) } : []
        guard !self.isEmpty else { return named }
        guard bytes.count > Self.part.length else { return named + self.pieces(in: bytes, Self.nesting) }
        var found = named
        for start in stride(from: 0, to: bytes.count - Self.part.overlap, by: Self.part.length - Self.part.overlap) {
            let part = Array(bytes[start..<min(bytes.count, start + Self.part.length)])
            for piece in self.pieces(in: part, Self.nesting) {
                found.append((start + piece.lowerBound)..<(start + piece.upperBound))
            }
        }
        return found
    }

    /// Long texts are searched in parts, for their decoded forms take many times their memory. Each begins within the
    /// one before, by more than a piece of a value takes in any form.
    private static let part = (length: 1 << 16, overlap: 1 << 11)

    /// Where values and pieces of them stand, however they are written.
    private func pieces(in bytes: [UInt8], _ nesting: (digits: Int, escapes: Int)) -> [Range<Int>] {
        var found = self.plainPieces(in: bytes)
        func look(into text: DecodedText, _ nesting: (digits: Int, escapes: Int)) {
            for piece in self.pieces(in: text.bytes, nesting) { found.append(text.original(piece)) }
        }
        if nesting.escapes > 0, let plain = DecodedText.unescaped(bytes) {
            look(into: plain, (nesting.digits, nesting.escapes - 1))
        }
        guard nesting.digits > 0 else { return found }
        let least = self.shortest
        for text in DecodedText.utf16(bytes, isLatin: self.isLatin) {
            look(into: text, (nesting.digits - 1, nesting.escapes))
        }
        for text in DecodedText.base64(bytes, least: least) + DecodedText.hexadecimal(bytes, least: least) {
            look(into: text, (nesting.digits - 1, nesting.escapes))
        }
        return found
    }

    /// Puts the mask in the place of ranges; those that touch share one.
    private static func replacing(_ ranges: [Range<Int>], in bytes: [UInt8], keepsCharacters: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var copied = 0
        var last = -1
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            var (lower, upper) = (max(range.lowerBound, copied), range.upperBound)
            if keepsCharacters {
                while lower > copied, bytes[lower] & 0xC0 == 0x80 { lower -= 1 }
                while upper < bytes.count, bytes[upper] & 0xC0 == 0x80 { upper += 1 }
            }
            guard upper > lower else { continue }
            if lower != last {
                result += bytes[copied..<lower]
                result += Self.mask.utf8
            }
            copied = upper
            last = upper
        }
        return result + bytes[copied...]
    }
}

// MARK: - Values

extension SecretMasker {
    /// Returns a value without what must not be seen, names of members included.
    public func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool: return value
        case .string(let text): return .string(self.masked(text))
        case .integer(let number): return self.masked(value, spelled: "\(number)")
        case .double(let number): return self.masked(value, spelled: "\(number)")
        case .numeral(let text): return self.masked(value, spelled: text)
        case .array(let elements): return .array(elements.map { self.masked($0) })
        case .object(let members): return .object(self.masked(members, keepingNames: false))
        }
    }

    /// Returns members without what must not be seen.
    ///
    /// - Parameter keepingNames: Whether the names are words of a format, not of a script or a server.
    public func masked(_ members: JSONObject, keepingNames: Bool) -> JSONObject {
        if self.isEmpty, !Self.haveOne(members) { return members }
        func masked(_ value: JSONValue, of name: String) -> JSONValue {
            CredentialNames.masked(value, of: name) ?? self.masked(value)
        }
        guard !keepingNames, !self.isEmpty else {
            return JSONObject(uniqueMembers: members.map { .init(name: $0, value: masked($1, of: $0)) })
        }
        return JSONObject(members.map { (self.withoutValues($0), masked($1, of: $0)) })
    }

    /// Whether there is a credential by its name, so that a copy is worth its cost.
    private static func haveOne(_ members: JSONObject) -> Bool {
        members.contains { name, value in CredentialNames.isOne(value, of: name) || Self.hasOne(value) }
    }

    private static func hasOne(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .double, .numeral: return false
        case .string(var text):
            return text.utf8.count >= Self.leastLength && text.withUTF8 { CredentialText.hasOne($0) }
        case .array(let elements): return elements.contains { Self.hasOne($0) }
        case .object(let members): return Self.haveOne(members)
        }
    }

    /// Returns what stands at a place within a value, without what must not be seen.
    ///
    /// - Parameter path: The names of members and the numbers of elements that lead there.
    public func masked(_ value: JSONValue, at path: [String]) -> JSONValue {
        for name in path {
            if let masked = CredentialNames.masked(value, of: name) { return masked }
        }
        return self.masked(value)
    }

    private func masked(_ value: JSONValue, spelled text: String) -> JSONValue {
        guard !self.isEmpty, text.utf8.count >= Self.leastLength,
            !self.plainPieces(in: Array(text.utf8)).isEmpty
        else { return value }
        return .string(Self.mask)
    }
}
