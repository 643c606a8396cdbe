import JSON
import RunRecord

extension RunEvent {
    /// A text of a message or of a command's argument is recorded up to this many bytes; people read no more of it, and
    /// a page that a browser opens holds all of them.
    private static let textLimit = 64 << 10

    /// Returns what happened with so much of long texts as a record holds.
    ///
    /// - Parameter masked: Takes out what must not be seen, before anything is cut, so that no beginning of it stays.
    func cut(_ masked: (String) -> String) -> RunEvent {
        func cut(_ text: String) -> String {
            let length = text.utf8.count
            let start = masked(text.beginning(upTo: Self.textLimit + Self.longestSecret))
            return start.beginning(upTo: Self.textLimit) + "… (\(length) bytes)"
        }
        switch self {
        case .commanded(let actor, let name, let arguments, let line):
            return .commanded(
                actor: actor, name: name, arguments: arguments.cuttingTexts(over: Self.textLimit, cut), line: line)
        case .observed(let actor, let number, let kind, let fields, let raw):
            return .observed(
                actor: actor, number: number, kind: kind, fields: fields.cuttingTexts(over: Self.textLimit, cut),
                raw: raw?.cuttingTexts(over: Self.textLimit, cut))
        // The wire and screens are cut where they are recorded; the rest is the script's own.
        case .actorJoined, .wire, .showed, .stepBegan, .stepEnded, .expected, .logged, .attached: return self
        }
    }

    private static let longestSecret = 4 << 10
}

extension String {
    /// Returns the text, or its beginning if it has more than so many bytes.
    func beginning(upTo limit: Int) -> String {
        guard self.utf8.count > limit else { return self }
        var end = self.utf8.index(self.utf8.startIndex, offsetBy: limit)
        // Not within a character.
        while end > self.utf8.startIndex, self.utf8[end] & 0xC0 == 0x80 { end = self.utf8.index(before: end) }
        return String(decoding: self.utf8[..<end], as: UTF8.self)
    }
}

extension JSONObject {
    /// Returns the members with their long texts cut; a value of very many short ones becomes the beginning of its
    /// text.
    ///
    /// - Parameters:
    ///   - limit: The most bytes that a text may have as it is.
    ///   - cut: Cuts a longer one.
    func cuttingTexts(over limit: Int, _ cut: (String) -> String) -> JSONObject {
        guard JSONValue.object(self).weight > limit else { return self }
        return JSONObject(self.map { ($0.0, $0.1.cuttingTexts(over: limit, cut)) })
    }
}

extension JSONValue {
    /// How much a value may weigh for each byte that a text in it may have; one that is more is cut as text.
    private static let weightOfLimit = 16

    /// Returns the value with its long texts cut, as ``JSONObject/cuttingTexts(over:_:)`` does.
    func cuttingTexts(over limit: Int, _ cut: (String) -> String) -> JSONValue {
        self.weight > limit ? self.cut(over: limit, cut).value : self
    }

    /// - Returns: The value and what it weighs then: one that is deeply nested is not weighed again at each level.
    private func cut(over limit: Int, _ cut: (String) -> String) -> (value: JSONValue, weight: Int) {
        var weight = MemoryLayout<JSONValue>.stride
        var value = self
        switch self {
        case .null, .bool, .integer, .double: break
        case .numeral(let text):
            weight += text.utf8.count
            if text.utf8.count > limit { value = .string(cut(text)) }
        case .string(let text):
            weight += min(text.utf8.count, limit)
            if text.utf8.count > limit { value = .string(cut(text)) }
        case .array(let elements):
            let parts = elements.map { $0.cut(over: limit, cut) }
            weight += parts.reduce(0) { $0 + $1.weight }
            value = .array(parts.map(\.value))
        case .object(let members):
            let parts = members.map { (name: $0.0, part: $0.1.cut(over: limit, cut)) }
            weight += parts.reduce(0) { $0 + $1.name.utf8.count + $1.part.weight }
            value = .object(JSONObject(parts.map { ($0.name, $0.part.value) }))
        }
        guard weight > limit * Self.weightOfLimit else { return (value, weight) }
        return (.string(cut(value.description)), MemoryLayout<JSONValue>.stride + limit)
    }
}
