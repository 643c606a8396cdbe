import JSON

/// The texts that a script has drawn by chance, and the times by which it makes a name new: another run draws others,
/// so a stored transcript has masks for them.
///
/// A script that talks to a real server needs names that are new there, and a transcript with such a name in it would
/// fit no other run.
final class DrawnTexts {
    /// Fewer characters are found by chance in what was said.
    private static let shortest = 4

    /// Longer texts are rather what is said than a part of it.
    private static let longest = 200

    /// So many are kept.
    private static let most = 200

    /// The longest first, which others may be parts of.
    private var texts: [String] = []

    /// Takes down a text that was drawn.
    func add(_ text: String) {
        guard Self.shortest...Self.longest ~= text.utf8.count, self.texts.count < Self.most else { return }
        let place = self.texts.firstIndex { $0.utf8.count < text.utf8.count } ?? self.texts.endIndex
        self.texts.insert(text, at: place)
    }

    /// Returns a transcript with masks for what was drawn.
    ///
    /// - Parameter kept: One whose lines stay as they are, for they fit.
    func masked(_ transcript: StoredTranscript, keeping kept: StoredTranscript?) -> StoredTranscript {
        let kept = Set(kept?.lines.map(\.text) ?? [])
        return StoredTranscript(
            lines: transcript.lines.map { line in
                guard case .entry(let entry, let text) = line, !kept.contains(text) else { return line }
                let masked = TranscriptEntry(
                    actor: entry.actor, direction: entry.direction, name: entry.name,
                    fields: self.masked(entry.fields))
                return .entry(masked, text: masked == entry ? text : masked.line)
            })
    }

    private func masked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let source): .string(self.masked(source))
        case .array(let elements): .array(elements.map { self.masked($0) })
        case .object(let members): .object(self.masked(members))
        case .null, .bool, .integer, .double, .numeral: value
        }
    }

    private func masked(_ members: JSONObject) -> JSONObject {
        JSONObject(members.map { name, value in (name, self.masked(value)) })
    }

    /// Returns a template with masks for what was drawn; those that it has, and what is escaped, stay.
    private func masked(_ source: String) -> String {
        var rest = source[...]
        var masked = ""
        while let first = rest.first {
            var count = 1
            if first == "\\" {
                count = 2
            } else if first == "<", let end = rest.firstIndex(of: ">") {
                count = rest.distance(from: rest.startIndex, to: end) + 1
            } else if let text = self.texts.first(where: { rest.hasPrefix($0) }) {
                if !masked.hasSuffix(Self.mask) { masked += Self.mask }
                rest.removeFirst(text.count)
                continue
            }
            masked += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        // One with more masks than there may be is stored as it was said.
        return TextTemplate(masked).problem == nil ? masked : source
    }

    private static let mask = "<any>"
}

extension Script {
    /// Returns a text that was drawn by chance, and takes it down where transcripts are stored.
    func drawn(_ text: String) -> String {
        self.drawnTexts?.add(text)
        return text
    }

    /// Returns a time of the clock, and takes it down as what is drawn by chance is: within a name it makes that new in
    /// each run. Where a name can have no other characters, its digits stand there alone.
    func drawnTime(_ text: String) -> String {
        self.drawnTexts?.add(text.filter(\.isNumber))
        return self.drawn(text)
    }
}
