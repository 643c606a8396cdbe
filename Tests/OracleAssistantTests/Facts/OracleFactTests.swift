import MachineKit
import Testing

/// The table of facts is what the vendor's document says, where that can be looked up.
@Suite(
    "Facts of the vendor's document",
    .enabled(if: SharedMaterial.folder != nil, Comment(rawValue: SharedMaterial.skipReason)))
struct OracleFactTests {
    private let text: String
    private let lines: [Substring]

    init() throws {
        self.text = try #require(
            SharedMaterial.document, "../shared is there, but has no seeds/001_….txt, the vendor's document")
        self.lines = self.text.split(separator: "\n", omittingEmptySubsequences: true)
    }

    /// The lines between two lines of the document.
    private func section(_ start: String, _ end: String) throws -> ArraySlice<Substring> {
        let first = try #require(self.lines.firstIndex { $0 == start }, "the document has no line \"\(start)\"")
        let last = try #require(
            self.lines[(first + 1)...].firstIndex { $0.hasPrefix(end) },
            "the document has no line that begins with \"\(end)\" after \"\(start)\"")
        return self.lines[(first + 1)..<last]
    }

    /// The first words of lines that are names: no blanks, and more than a plain word.
    private static func names(_ lines: ArraySlice<Substring>, _ isName: (Substring) -> Bool) -> [(String, Substring)] {
        lines.compactMap { line in
            let word = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            return !word.isEmpty && isName(word) && line.dropFirst(word.count).hasPrefix(" ")
                ? (String(word), line) : nil
        }
    }

    private static func isLower(_ word: Substring) -> Bool { word.first?.isLowercase ?? false }

    @Test("network properties and feature flags are those of the tables and chapters")
    func settings() throws {
        let network = Self.names(try self.section("Network Configuration", "Feature Flags"), Self.isLower)
        #expect(network.map(\.0) == OracleFacts.networkProperties)
        let flags = Self.names(try self.section("Feature Flags", "Strings"), Self.isLower)
        #expect(Set(flags.map(\.0)) == Set(OracleFacts.featureFlags))
        let mentioned = self.text.matches(
            of: /(?:botsConfiguration\.|Feature flag: |Functionality configuration: )([a-z]\w+)/)
        #expect(Set(mentioned.map { String($0.1) }) == Set(OracleFacts.mentionedFlags))
    }

    @Test("each text ends the line of its key, and nothing else of that length does")
    func texts() throws {
        let rows = Self.names(try self.section("Strings", "UI Properties and Colors"), Self.isLower)
        #expect(rows.map(\.0) == OracleFacts.texts.map(\.key))
        for ((key, line), text) in zip(rows, OracleFacts.texts) {
            // Two keys have no text.
            let ends = line.indices.map { String(line[$0...]) } + [""]
            #expect(ends.contains { OracleFacts.fingerprint($0) == text.fingerprint }, "the text of \(key)")
        }
    }

    @Test("UI properties, colors, attributes and icons are those of the tables")
    func appearance() throws {
        let rows = Self.names(try self.section("UI Properties and Colors", "Icons")) {
            $0 != "You" && $0 != "Component" && ($0.contains { $0.isUppercase })
        }
        #expect(rows.map(\.0) == OracleFacts.appearance.map(\.name))
        for ((name, line), fact) in zip(rows, OracleFacts.appearance) {
            if let color = fact.color { #expect(line.hasSuffix(color), "the color of \(name)") }
        }
        let attributes = Self.names(
            try self.section("Attribute Settings", "Message Timestamp Formatting"), Self.isLower)
        #expect(attributes.map(\.0) == OracleFacts.webViewAttributes)
        let icons = try self.section("Icons", "Features").compactMap {
            $0.firstMatch(of: /"(\w+)"/).map { String($0.1) }
        }
        #expect(icons == OracleFacts.icons)
    }

    @Test("types and functions are those that samples and tables name")
    func names() {
        let samples = self.text.matches(of: /"(?:type|displayType)"\s*:\s*"(\w+)"/).map { String($0.1) }
        let tables = self.text.matches(of: /(?:message|action) type "(\w+)"/).map { String($0.1) }
        // One sample shows stars where a type stands.
        #expect(Set(samples + tables).subtracting(["stars"]) == Set(OracleFacts.types))
        let functions = Set(self.text.matches(of: /(?:func |shared\(\)\.)(\w+)\(/).map { String($0.1) })
        // What an example of an app declares for itself.
        let own: Set = [
            "viewDidLoad", "shared", "viewControllerInstance", "showTypingIndicator", "hideTypingIndicator",
        ]
        #expect(functions.subtracting(own) == Set(OracleFacts.functions))
    }
}
