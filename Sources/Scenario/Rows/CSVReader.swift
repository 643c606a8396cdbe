/// Reads comma-separated values (RFC 4180): quoted fields, doubled quotes within them, line breaks within them.
///
/// The separator is what the first line has most of outside of quotes: commas, semicolons or tabs (defined here).
struct CSVReader {
    /// A line of fields.
    struct Record: Hashable {
        /// Where it begins, counted from one.
        let line: Int
        let fields: [String]
    }

    /// What is wrong with a file, and where.
    struct Problem: Error, Hashable {
        let line: Int
        let message: String
    }

    private let bytes: [UInt8]
    private let separator: UInt8
    private var place = 0
    private var line = 1

    private static let quote = UInt8(ascii: "\"")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private init(_ text: String) {
        self.bytes = Array(text.utf8)
        self.separator = Self.separator(of: self.bytes)
    }

    /// Returns what separates the fields of the first line; a comma where there is nothing to tell by.
    private static func separator(of bytes: [UInt8]) -> UInt8 {
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        var counts = [0, 0, 0]
        var isQuoted = false
        for byte in bytes {
            if byte == Self.quote { isQuoted.toggle() }
            guard !isQuoted else { continue }
            if byte == Self.newline { break }
            if let index = candidates.firstIndex(of: byte) { counts[index] += 1 }
        }
        let most = counts.max() ?? 0
        return candidates[counts.firstIndex(of: most) ?? 0]
    }

    /// Reads all records; empty lines are left out, and a line that is an empty text in quotes is none.
    ///
    /// - Throws: ``Problem`` with the line.
    static func records(_ text: String) throws(Problem) -> [Record] {
        var reader = CSVReader(text)
        var records: [Record] = []
        while reader.place < reader.bytes.count {
            let isQuoted = reader.bytes[reader.place] == Self.quote
            let record = try reader.record()
            if record.fields != [""] || isQuoted { records.append(record) }
        }
        return records
    }

    private mutating func record() throws(Problem) -> Record {
        let start = self.line
        var fields: [String] = []
        while true {
            fields.append(try self.field())
            guard self.place < self.bytes.count else { break }
            let byte = self.bytes[self.place]
            self.place += 1
            if byte == self.separator { continue }
            if byte == Self.carriageReturn, self.place < self.bytes.count, self.bytes[self.place] == Self.newline {
                self.place += 1
            }
            self.line += 1
            break
        }
        return Record(line: start, fields: fields)
    }

    private func isEnd(_ byte: UInt8) -> Bool {
        byte == self.separator || byte == Self.newline || byte == Self.carriageReturn
    }

    private mutating func field() throws(Problem) -> String {
        guard self.place < self.bytes.count, self.bytes[self.place] == Self.quote else {
            let field = self.bytes[self.place...].prefix { !self.isEnd($0) }
            self.place = field.endIndex
            return String(decoding: field, as: UTF8.self)
        }
        let start = self.line
        var field: [UInt8] = []
        self.place += 1
        while self.place < self.bytes.count {
            let byte = self.bytes[self.place]
            self.place += 1
            guard byte == Self.quote else {
                if byte == Self.newline { self.line += 1 }
                field.append(byte)
                continue
            }
            if self.place < self.bytes.count, self.bytes[self.place] == Self.quote {
                field.append(byte)
                self.place += 1
                continue
            }
            guard self.place == self.bytes.count || self.isEnd(self.bytes[self.place]) else {
                throw Problem(
                    line: self.line,
                    message: "a quoted field goes on after its end; double the quotes that stand within one")
            }
            return String(decoding: field, as: UTF8.self)
        }
        throw Problem(line: start, message: "a quoted field is not closed")
    }
}
