import JSON
import Machines
import Secrets

/// One row of the data that a scenario is played with.
struct DataRow: Hashable, Sendable {
    /// Names the row in its scenario; comes from the row itself and not from its place, so it stays when rows move.
    let name: String

    /// What the scenario gets.
    let value: JSONValue

    /// The columns of the data that it is one of; those that it does not have itself are nil in a script.
    let columns: [String]

    /// Where it stands, as `orders.csv:3`, if it comes from a file.
    let origin: String?

    /// What the row tries the bot with, for rates by it: its member `mutator`, if it has one.
    var mutator: String? {
        guard let name = self.value["mutator"]?.string, !name.isEmpty else { return nil }
        return String(Self.text(.string(name)).prefix(Self.longestName))
    }

    /// Names longer than this are cut and told apart by a hash of the row.
    private static let longestName = 60

    /// Returns the name that a row gets from what is in it.
    static func name(of value: JSONValue) -> String {
        var parts: [String] = []
        if let members = value.object {
            for name in members.names.sorted() { parts.append(Self.text(members[name] ?? .null)) }
        } else {
            parts = [Self.text(value)]
        }
        let text = parts.joined(separator: ", ")
        guard text.count > Self.longestName || text.allSatisfy({ $0.isWhitespace || $0 == "," }) else { return text }
        return text.prefix(Self.longestName - 10) + "… #" + Self.hash(of: text)
    }

    /// Returns a value in one line.
    static func text(_ value: JSONValue) -> String {
        let text = value.string ?? value.description
        return text.split(whereSeparator: { $0.isNewline || $0.asciiValue.map { $0 < 32 } ?? false })
            .joined(separator: " ")
    }

    /// Eight hexadecimal digits that stand for a text, the same in every run and on every machine.
    private static func hash(of text: String) -> String {
        let digits = String(FNV1a.hash32(text.utf8), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

extension DataRow {
    /// Returns the row as a failure shows it.
    func lines(without secrets: SecretMasker) -> [String] {
        let heading = self.name + (self.origin.map { "  (\($0))" } ?? "")
        guard let members = self.value.object else { return [heading] }
        return [heading]
            + members.map { name, value in
                "\(name) = \(secrets.masked(value, at: [name]).description.shortened(to: 100))"
            }
    }
}
