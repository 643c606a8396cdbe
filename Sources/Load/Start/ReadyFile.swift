/// The file by which one process tells the shards that share a folder that it is ready: `ready-2-9f86d081884c7d65`.
///
/// Its name holds the number of the shard and a token that no other process has, so that two processes of one number
/// never write the same file and can be told apart. It holds three lines (defined here): that of a ready shard; since
/// when the process waits, and how often it has written the file; and who it is, for people.
struct ReadyFile: Hashable, Sendable {
    /// The number of the shard, counted from one.
    let index: Int

    /// Tells the process from all others.
    let token: String

    /// The most bytes of a file that are read; names of machines and processes are short.
    static let limit = RendezvousLine.limit * 2

    private static let opening = "ready-"

    init(index: Int, token: String) {
        self.index = index
        self.token = token
    }

    /// Reads the name of a file.
    ///
    /// - Returns: Nil if the file is not one of these.
    init?(name: String) {
        guard name.hasPrefix(Self.opening) else { return nil }
        let parts = name.dropFirst(Self.opening.count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), index >= 1, !parts[1].isEmpty,
            parts[1].utf8.count <= 32, parts[1].allSatisfy(\.isHexDigit)
        else { return nil }
        self.init(index: index, token: String(parts[1]))
    }

    /// The name of the file.
    var name: String { "\(Self.opening)\(self.index)-\(self.token)" }

    /// The name of the file in which this process is told why it is not part of the run.
    var refusalName: String { "refused-\(self.index)-\(self.token)" }

    /// What the file holds.
    struct Content: Hashable, Sendable {
        /// The line of a ready shard, as it was written.
        var line: String
        /// Since when the process waits.
        var since: EpochTime
        /// How often the file was written before; only somebody who is alive makes it grow.
        var beat: Int
        /// The machine and the process, for people.
        var writer: String

        init(line: String, since: EpochTime, beat: Int, writer: String) {
            self.line = line
            self.since = since
            self.beat = beat
            self.writer = writer
        }

        /// Reads a file; whatever another program may have put there.
        init?(text: String) {
            let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
            guard lines.count == 4 else { return nil }
            let numbers = lines[1].split(separator: " ", omittingEmptySubsequences: false)
            guard numbers.count == 2, let since = Int64(numbers[0]), let beat = Int(numbers[1]) else { return nil }
            self.init(
                line: String(lines[0]), since: EpochTime(nanoseconds: since), beat: beat, writer: String(lines[2]))
        }

        /// The text of the file.
        var text: String {
            let writer = self.writer.split(whereSeparator: \.isNewline).joined(separator: " ").prefix(100)
            return "\(self.line)\n\(self.since.nanoseconds) \(self.beat)\n\(writer)\n"
        }
    }
}
