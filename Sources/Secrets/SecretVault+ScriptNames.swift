extension SecretVault {
    /// Adds the values of the variables that a script names as secrets, before the script has asked for them.
    ///
    /// - Parameters:
    ///   - source: The text of a script.
    ///   - variables: The environment variables.
    public func add(secretsNamedIn source: String, variables: [String: String]) {
        for name in Self.texts(givenTo: "secret", in: source) {
            if let value = variables[name] { self.add(value) }
        }
    }

    /// Finds the texts in calls of a function, as `NAME` in `secret "NAME"` and `secret("NAME")`, byte by byte, because
    /// each run looks at all its scripts.
    ///
    /// - Parameters:
    ///   - function: The name of the function, not empty.
    ///   - source: The text of a script.
    public static func texts(givenTo function: String, in source: String) -> [String] {
        let bytes = Array(source.utf8)
        let word = Array(function.utf8)
        var names: [String] = []
        for start in bytes.indices where bytes[start] == word[0] && bytes[start...].starts(with: word) {
            guard start == 0 || !Self.belongsToName(bytes[start - 1]) else { continue }
            var rest = bytes[(start + word.count)...].drop(while: Self.isSpace)
            if rest.first == UInt8(ascii: "(") { rest = rest.dropFirst().drop(while: Self.isSpace) }
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            let name = rest.dropFirst().prefix { $0 != quote && $0 != UInt8(ascii: "\n") }
            guard !name.isEmpty, name.endIndex < bytes.endIndex, bytes[name.endIndex] == quote else { continue }
            names.append(String(decoding: name, as: UTF8.self))
        }
        return names
    }

    private static func belongsToName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }
}
