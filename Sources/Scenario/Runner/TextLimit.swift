import JSON
import RunRecord

/// How long a text may be, wherever it stands in a value that somebody else has made.
struct TextLimit {
    /// The most bytes of a text that is shown as it is.
    let bytes: Int

    /// How much a value may weigh for each byte that a text in it may have; one that is more is cut as text.
    private static let weightOfByte = 16

    /// Returns a text, or its beginning if it is too long.
    func beginning(of text: String) -> String {
        guard text.utf8.count > self.bytes else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: self.bytes)
        // Not within a character.
        while end > text.utf8.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        return String(decoding: text.utf8[..<end], as: UTF8.self)
    }

    /// A text is masked with so many bytes more before it is cut, so that no secret at the place of the cut lacks its
    /// end.
    static let longestSecret = 4 << 10

    /// Returns the beginning of a text without what must not be seen.
    func beginning(of text: String, masked: (String) -> String) -> String {
        self.beginning(of: masked(TextLimit(bytes: self.bytes + Self.longestSecret).beginning(of: text)))
    }

    /// Returns members with their long texts cut; a value of very many short ones becomes the beginning of its text.
    ///
    /// - Parameter shortened: Makes what stands for a text that is too long.
    func cut(_ members: JSONObject, _ shortened: (String) -> String) -> JSONObject {
        guard JSONValue.object(members).weight > self.bytes else { return members }
        return JSONObject(members.map { ($0.0, self.cut($0.1, shortened)) })
    }

    /// Returns a value with its long texts cut; one of very many short ones becomes the beginning of its text.
    ///
    /// - Parameter shortened: Makes what stands for a text that is too long.
    func cut(_ value: JSONValue, _ shortened: (String) -> String) -> JSONValue {
        value.weight > self.bytes ? self.weighed(value, shortened).value : value
    }

    /// - Returns: The value and what it weighs then: one that is deeply nested is not weighed again at each level.
    private func weighed(_ value: JSONValue, _ shortened: (String) -> String) -> (value: JSONValue, weight: Int) {
        var weight = MemoryLayout<JSONValue>.stride
        var cut = value
        switch value {
        case .null, .bool, .integer, .double: break
        case .numeral(let text):
            weight += text.utf8.count
            if text.utf8.count > self.bytes { cut = .string(shortened(text)) }
        case .string(let text):
            weight += min(text.utf8.count, self.bytes)
            if text.utf8.count > self.bytes { cut = .string(shortened(text)) }
        case .array(let elements):
            let parts = elements.map { self.weighed($0, shortened) }
            weight += parts.reduce(0) { $0 + $1.weight }
            cut = .array(parts.map(\.value))
        case .object(let members):
            let parts = members.map { (name: $0.0, part: self.weighed($0.1, shortened)) }
            weight += parts.reduce(0) { $0 + $1.name.utf8.count + $1.part.weight }
            cut = .object(JSONObject(parts.map { ($0.name, $0.part.value) }))
        }
        guard weight > self.bytes * Self.weightOfByte else { return (cut, weight) }
        return (.string(shortened(cut.description)), MemoryLayout<JSONValue>.stride + self.bytes)
    }
}

/// How much of a message a run record holds: people read no more of it, and a page that a browser opens holds all of
/// them.
enum RecordLimit {
    /// The bytes of a text of a message, or of a command's argument.
    private static let texts = TextLimit(bytes: 64 << 10)

    /// Returns what happened with so much of long texts as a record holds.
    ///
    /// - Parameter masked: Takes out what must not be seen, before anything is cut, so that no beginning of it stays.
    static func cut(_ event: RunEvent, _ masked: (String) -> String) -> RunEvent {
        func shortened(_ text: String) -> String {
            Self.texts.beginning(of: text, masked: masked) + "… (\(text.utf8.count) bytes)"
        }
        switch event {
        case .commanded(let actor, let name, let arguments, let line):
            return .commanded(
                actor: actor, name: name, arguments: Self.texts.cut(arguments, shortened), line: line)
        case .observed(let actor, let number, let kind, let fields, let raw):
            return .observed(
                actor: actor, number: number, kind: kind, fields: Self.texts.cut(fields, shortened),
                raw: raw.map { Self.texts.cut($0, shortened) })
        // The wire and screens are cut where they are recorded; the rest is the script's own.
        case .actorJoined, .wire, .showed, .stepBegan, .stepEnded, .expected, .logged, .attached: return event
        }
    }
}
