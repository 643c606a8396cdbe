import ChatCore
import JSON
import RunRecord

/// Keeps secrets out of the run record: the values themselves and their usual encodings.
struct SecretFilter {
    private var texts: [String] = []

    /// Adds a secret; texts below four characters would hide too much and are refused silently.
    mutating func add(_ value: String) {
        guard value.count >= 4 else { return }
        let bytes = Array(value.utf8)
        let base64 = Base64.encode(bytes)
        let hexadecimal = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let json = String(JSONValue.string(value).description.dropFirst().dropLast())
        let forms = [
            value, FormEncoding.percentEncode(value), FormEncoding.encode([("", value)]).dropFirst().description,
            base64,
            String(base64.prefix { $0 != "=" }), hexadecimal, hexadecimal.uppercased(), json,
        ]
        // Longer forms first, so that no form leaves the rest of another one behind.
        self.texts = Set(self.texts + forms).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// Returns an entry without the secrets.
    func masked(_ entry: RunEntry) -> RunEntry {
        guard !self.texts.isEmpty else { return entry }
        let masked = try? RunEntry(json: self.masked(entry.json))
        return masked.flatMap { $0 } ?? entry
    }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(self.masked(text))
        case .array(let elements): .array(elements.map { self.masked($0) })
        case .object(let members): .object(JSONObject(members.map { (self.masked($0.0), self.masked($0.1)) }))
        default: value
        }
    }

    private func masked(_ text: String) -> String {
        self.texts.reduce(text) { $0.contains($1) ? $0.replacing($1, with: "***") : $0 }
    }
}
