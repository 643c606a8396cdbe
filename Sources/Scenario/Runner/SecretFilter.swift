import JSON
import Machines
import RunRecord

/// Keeps secrets out of the run record: the values themselves and their usual encodings.
struct SecretFilter: Sendable {
    /// Shorter values would hide too much; ``Script`` refuses them.
    static let leastLength = 4

    private var texts: [String] = []

    /// Adds a secret.
    mutating func add(_ value: String) {
        let bytes = Array(value.utf8)
        let hexadecimal = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let json = String(JSONValue.string(value).description.dropFirst().dropLast())
        let percent = FormEncoding.percentEncode(value)
        let forms =
            [value, percent, percent.replacing("%20", with: "+"), json]
            + [hexadecimal, hexadecimal.uppercased(), Self.withLowercaseEscapes(percent), Self.markup(value)]
            + Self.base64Forms(bytes)
        // Longer forms first, so that no form leaves the rest of another one behind.
        self.texts = Set(self.texts + forms).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Adds the secrets of another filter.
    mutating func add(_ others: SecretFilter) {
        guard !others.texts.isEmpty else { return }
        self.texts = Set(self.texts + others.texts).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// What base64 makes of bytes wherever they begin in a group of three, as in Basic authorization, without the
    /// digits that depend on their neighbors.
    private static func base64Forms(_ bytes: [UInt8]) -> [String] {
        (0...2).flatMap { offset in
            let whole = Base64.encode([UInt8](repeating: 0, count: offset) + bytes)
            let digits = (offset + bytes.count) * 8 / 6
            let own = String(whole.prefix(digits).dropFirst(offset == 0 ? 0 : offset + 1))
            return [own, own.replacing("+", with: "-").replacing("/", with: "_")]
        }
    }

    private static func withLowercaseEscapes(_ text: String) -> String {
        var result = ""
        var escaped = 0
        for character in text {
            result += escaped > 0 ? character.lowercased() : String(character)
            escaped = character == "%" ? 2 : max(0, escaped - 1)
        }
        return result
    }

    private static func markup(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }

    /// Returns a failure without the secrets.
    func masked(_ failure: ScenarioFailure) -> ScenarioFailure {
        var masked = ScenarioFailure(
            category: failure.category, typeName: failure.typeName, message: self.masked(failure.message),
            position: failure.position)
        masked.sections = failure.sections.map { section in
            .init(heading: section.heading, lines: section.lines.map { self.masked($0) })
        }
        masked.limit = failure.limit
        masked.isSoft = failure.isSoft
        return masked
    }

    /// Returns an entry without the secrets.
    func masked(_ entry: RunEntry) -> RunEntry {
        guard !self.texts.isEmpty else { return entry }
        let masked = try? RunEntry(json: self.masked(entry.json))
        return masked.flatMap { $0 } ?? entry
    }

    /// Returns a value without the secrets.
    func masked(_ value: JSONValue) -> JSONValue {
        guard !self.texts.isEmpty else { return value }
        return switch value {
        case .string(let text): .string(self.masked(text))
        case .array(let elements): .array(elements.map { self.masked($0) })
        case .object(let members): .object(JSONObject(members.map { (self.masked($0.0), self.masked($0.1)) }))
        default: value
        }
    }

    /// Returns a text without the secrets.
    func masked(_ text: String) -> String {
        self.texts.reduce(text) { $0.contains($1) ? $0.replacing($1, with: "***") : $0 }
    }
}
