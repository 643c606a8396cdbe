import JSON

/// What a stored transcript asks of the fields of an entry.
///
/// Fields that it does not name may have any value, tables within them likewise. Text may have masks such as
/// `<number>`; a mask alone stands for a value of any type that fits.
enum TranscriptTemplate {
    /// Returns whether an entry is what a stored line asks for.
    static func fits(_ stored: TranscriptEntry, _ found: TranscriptEntry) -> Bool {
        Self.isLike(stored, found) && stored.fields.allSatisfy { name, value in Self.fits(value, name, of: found) }
    }

    /// Returns whether a field of an entry is what a stored value asks for.
    static func fits(_ stored: JSONValue, _ name: String, of found: TranscriptEntry) -> Bool {
        Self.fits(stored, found.fields[name], shown: found.shown?[name])
    }

    /// Returns whether two entries are of the same actor, way and name.
    static func isLike(_ stored: TranscriptEntry, _ found: TranscriptEntry) -> Bool {
        stored.actor == found.actor && stored.direction == found.direction && stored.name == found.name
    }

    /// Returns whether a value is what a stored value asks for.
    ///
    /// - Parameter shown: The value as people may see it, which fits as well: `***` may be stored in the place of a
    ///   secret. Nil if no secret stands in it.
    static func fits(_ stored: JSONValue, _ found: JSONValue?, shown: JSONValue? = nil) -> Bool {
        switch (stored, found) {
        case (.string(let source), let found?):
            let template = TextTemplate(source)
            return Self.fits(template, found) || shown.map { $0 != found && Self.fits(template, $0) } ?? false
        case (.object(let members), .object(let found)?):
            let shown = shown?.object
            return members.allSatisfy { name, value in Self.fits(value, found[name], shown: shown?[name]) }
        case (.array(let elements), .array(let found)?):
            let shown = shown?.array
            return elements.count == found.count
                && elements.indices.allSatisfy { Self.fits(elements[$0], found[$0], shown: shown?[$0]) }
        case (.integer, let found?), (.double, let found?): return stored.isSame(as: found)
        case (_, let found): return stored == (found ?? .null)
        }
    }

    private static func fits(_ template: TextTemplate, _ found: JSONValue) -> Bool {
        if let type = template.onlyHole { return type.value(of: found) != nil }
        return found.string.map { template.captures(in: $0) != nil } ?? false
    }

    /// Returns a stored line for an entry that it does not fit any more: what still fits stays as it is written.
    static func renewed(_ stored: TranscriptEntry, with found: TranscriptEntry) -> TranscriptEntry {
        let fields = stored.fields.compactMap { name, value -> (String, JSONValue)? in
            found.fields[name].map { (name, Self.renewed(value, with: $0, shown: found.shown?[name], of: found)) }
        }
        return TranscriptEntry(
            actor: stored.actor, direction: stored.direction, name: stored.name, fields: JSONObject(fields))
    }

    private static func renewed(
        _ stored: JSONValue, with found: JSONValue, shown: JSONValue?, of entry: TranscriptEntry
    ) -> JSONValue {
        if Self.fits(stored, found, shown: shown) { return stored }
        switch (stored, found) {
        case (.object(let members), .object(let found)):
            let shown = shown?.object
            return .object(
                JSONObject(
                    members.compactMap { name, value in
                        found[name].map { (name, Self.renewed(value, with: $0, shown: shown?[name], of: entry)) }
                    }))
        case (.array(let elements), .array(let found)) where elements.count == found.count:
            let shown = shown?.array
            return .array(
                elements.indices.map { Self.renewed(elements[$0], with: found[$0], shown: shown?[$0], of: entry) })
        case (.string(let source), .string(let text)):
            if let mask = TranscriptEntry.mask(for: text) { return .string(mask) }
            guard let seen = shown?.string, seen != text else { return .string(Self.renewed(source, with: text)) }
            return TranscriptEntry.open(Self.renewed(source, with: seen), for: found)
        default:
            return entry.stored(found, shown: shown)
        }
    }

    /// Returns a template for a text whose first and last words still fit; masks among them stay.
    private static func renewed(_ source: String, with text: String) -> String {
        let stored = source.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        let found = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        func fits(_ left: Int, _ right: Int) -> Bool { TextTemplate(stored[left]).captures(in: found[right]) != nil }
        let shortest = min(stored.count, found.count)
        var head = 0
        while head < shortest, fits(head, head) { head += 1 }
        var tail = 0
        while tail < shortest - head, fits(stored.count - tail - 1, found.count - tail - 1) { tail += 1 }
        var middle = found[head..<(found.count - tail)].map { TextTemplate.escaped($0) }
        if stored.count == found.count {
            for index in head..<(found.count - tail) where fits(index, index) { middle[index - head] = stored[index] }
        }
        return (stored[..<head] + middle + stored[(stored.count - tail)...]).joined(separator: " ")
    }
}

extension TextTemplate {
    /// Returns a text as a template that only it matches.
    static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\\\")
        let template = TextTemplate(text)
        return template.hasHoles || template.problem != nil ? text.replacing("<", with: "\\<") : text
    }
}
