import FoundationEssentials
import JSON
import Reports

/// What is known of scenarios from earlier runs: how each ended the last time, how long it took, and what it read.
///
/// It lies beside the reports as `history.json` and is replaced as a whole at the end of a run; a run that is killed
/// leaves the one before. Runs of one shard leave the durations as they are, so that all shards of a run that are
/// played one after the other in a folder are dealt from the same ones.
struct RunHistory: Sendable {
    /// What is known of one scenario.
    struct Entry: Hashable, Sendable {
        /// Whether it passed, or failed as expected, when it was played last; or has only been skipped.
        var isGood: Bool

        /// How long all attempts took by the clock of the machine, in microseconds, if it is known.
        var microseconds: Int?

        /// The files that it read while it played, besides those that it is made from: paths from the project's root.
        /// Nil if that is not known, as of one that has never come to its end.
        var reads: Set<String>?

        /// Whether each of its plays in a run was skipped, which shows nothing; not kept.
        var isSkipped = false
    }

    /// The name of the file within the folder for reports.
    static let fileName = "history.json"

    private static let format = 1

    /// No scenario takes longer than 11 days, whatever a damaged file says; the sum over all of them can be counted.
    private static let mostMicroseconds: Int64 = 1_000_000_000_000

    /// The scenarios by id; a file that could not be loaded has its name with `::`.
    private(set) var entries: [String: Entry] = [:]

    /// Why the file tells nothing though it is there; nil if it can be read, or if there is none.
    private(set) var damage: String?

    /// Reads a history; one that is missing or damaged is empty, and whoever relies on it asks for its ``damage``.
    init(path: String) {
        guard let data = FileManager.default.contents(atPath: path) else {
            if FileManager.default.fileExists(atPath: path) { self.damage = "check its permissions" }
            return
        }
        let file: JSONValue
        do throws(JSONSyntaxError) { file = try JSONReader.read(data) } catch {
            self.damage = "it is no JSON: \(error)"
            return
        }
        guard file["format"]?.integer == Int64(Self.format) else {
            self.damage = "it has no \"format\": \(Self.format)"
            return
        }
        for (id, value) in file["scenarios"]?.object ?? [:] {
            self.entries[id] = Entry(
                isGood: value["good"]?.bool ?? true,
                microseconds: value["us"]?.integer.map { Int(max(0, min($0, Self.mostMicroseconds))) },
                reads: value["reads"]?.array.map { Set($0.compactMap(\.string)) })
        }
    }

    /// The scenarios that did not pass the last time.
    var failed: Set<String> { Set(self.entries.filter { !$0.value.isGood }.keys) }

    /// How long scenarios took, in microseconds.
    var microseconds: [String: Int] { self.entries.compactMapValues(\.microseconds) }

    /// Takes in how scenarios went.
    ///
    /// - Parameters:
    ///   - played: The scenarios of a run by id.
    ///   - keepsDurations: Whether durations stay as they are.
    mutating func merge(_ played: [String: Entry], keepsDurations: Bool) {
        for (id, entry) in played {
            let microseconds = keepsDurations ? self.entries[id]?.microseconds : entry.microseconds
            // What did not come to its end may have read a part only, and who was skipped is what it was before.
            let before = self.entries[id]
            let isPassedOver = entry.isSkipped && entry.isGood && before != nil
            let reads =
                entry.isGood && !isPassedOver ? entry.reads : before?.reads.map { $0.union(entry.reads ?? []) }
            let isGood = isPassedOver ? before?.isGood != false : entry.isGood
            self.entries[id] = Entry(isGood: isGood, microseconds: microseconds, reads: reads)
        }
    }

    /// Takes in what files declare now: forgets scenarios that they do not declare any more, and takes those of a file
    /// that could not be loaded the last time for ones that did not pass.
    ///
    /// - Parameters:
    ///   - files: The files; one that cannot be loaded is none of them, for nobody knows what it declares.
    ///   - ids: What they declare.
    mutating func update(of files: Set<String>, declaring ids: Set<String>) {
        for id in ids where self.entries[Self.file(of: id) + "::"]?.isGood == false {
            self.entries[id, default: Entry(isGood: false)].isGood = false
        }
        self.entries = self.entries.filter { id, _ in ids.contains(id) || !files.contains(Self.file(of: id)) }
    }

    /// The file in the id of a scenario.
    private static func file(of id: String) -> String {
        id.firstRange(of: "::").map { String(id[..<$0.lowerBound]) } ?? id
    }

    /// Replaces the file.
    ///
    /// - Returns: Why it cannot be written, or nil.
    func write(to path: String) -> String? {
        var scenarios: JSONObject = [:]
        for (id, entry) in self.entries.sorted(by: { $0.key < $1.key }) {
            var members: JSONObject = ["good": .bool(entry.isGood)]
            if let microseconds = entry.microseconds { members["us"] = .integer(Int64(microseconds)) }
            if let reads = entry.reads { members["reads"] = .array(reads.sorted().map { .string($0) }) }
            scenarios[id] = .object(members)
        }
        let file: JSONValue = ["format": .integer(Int64(Self.format)), "scenarios": .object(scenarios)]
        do throws(ReportFileError) {
            try FileSystem.replace(path, with: JSONWriter.write(file) + [0x0A])
            return nil
        } catch {
            return error.message
        }
    }
}
