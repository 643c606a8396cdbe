import JSON

/// Reads a saved run record piece by piece.
///
/// The record may have been left by a killed run: its last line may be cut. Empty lines are passed over, for editors
/// and shells add one at the end, and nothing is missing where one stands. Anything else that is not a line of a record
/// is an error, for a report from half of a damaged record would be a lie.
public struct RecordReader {
    /// A line longer than this many bytes is not a line of a run record.
    public static let lineLimit = 64 << 20

    /// JSON of peers nests within an entry, so entries may nest deeper than what a peer may send.
    private static let depth = 2 * JSONReader.defaultDepth

    private var pending: [UInt8] = []
    private var lineNumber = 0

    /// How many entries were of types that this version does not know.
    public private(set) var unknownEntries = 0

    /// Whether the record ended within a line.
    public private(set) var isCut = false

    /// Creates a reader at the start of a record.
    public init() {}

    /// Reads a whole record.
    ///
    /// - Throws: ``RecordFormatError`` with the number of the line that cannot be read.
    public static func read(_ bytes: some Sequence<UInt8>) throws(RecordFormatError) -> [RunEntry] {
        var reader = RecordReader()
        let entries = try reader.read(bytes)
        return entries + (try reader.finish())
    }

    /// Takes the next bytes of the record and returns the entries that they complete.
    ///
    /// - Throws: ``RecordFormatError`` with the number of the line that cannot be read.
    public mutating func read(_ bytes: some Sequence<UInt8>) throws(RecordFormatError) -> [RunEntry] {
        var entries: [RunEntry] = []
        var searched = self.pending.count
        self.pending.append(contentsOf: bytes)
        var start = 0
        while let end = self.pending[searched...].firstIndex(of: 0x0A) {
            self.lineNumber += 1
            let line = self.content(of: self.pending[start..<end])
            if !line.isEmpty, let entry = try self.entry(line) { entries.append(entry) }
            start = end + 1
            searched = start
        }
        self.pending.removeSubrange(..<start)
        guard self.pending.count <= Self.lineLimit else {
            throw RecordFormatError("it is too long; is this a run record?", line: self.lineNumber + 1)
        }
        return entries
    }

    /// Takes note that the record has no more bytes and returns the entry of a last line without a line feed.
    ///
    /// - Throws: ``RecordFormatError`` if the last line is whole but not an entry.
    public mutating func finish() throws(RecordFormatError) -> [RunEntry] {
        guard !self.pending.isEmpty else { return [] }
        self.lineNumber += 1
        let line = self.content(of: self.pending[...])
        self.pending = []
        guard !line.isEmpty else { return [] }
        // A piece of a JSON object is never JSON, so whatever is JSON was written to its end.
        guard let value = try? JSONReader.read(line, depth: Self.depth) else {
            self.isCut = true
            return []
        }
        return try self.entry(value).map { [$0] } ?? []
    }

    private mutating func entry(_ line: ArraySlice<UInt8>) throws(RecordFormatError) -> RunEntry? {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONReader.read(line, depth: Self.depth)
        } catch {
            throw RecordFormatError("\(error); is this a run record?", line: self.lineNumber)
        }
        return try self.entry(value)
    }

    /// Returns a line without the byte order mark that editors and shells put before the first one, and without the
    /// carriage return that they put at the end of each.
    private func content(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let line = self.lineNumber == 1 && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.dropFirst(3) : line
        return line.last == 0x0D ? line.dropLast() : line
    }

    private mutating func entry(_ value: JSONValue) throws(RecordFormatError) -> RunEntry? {
        do throws(RecordFormatError) {
            if let entry = try RunEntry(json: value) { return entry }
        } catch {
            throw RecordFormatError(error.message, line: self.lineNumber)
        }
        self.unknownEntries += 1
        return nil
    }
}
