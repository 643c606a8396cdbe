import JSON
import Machines

/// Reads what a script gives as `rows`: a list of tables or values, or the name of a CSV, JSON or JSON Lines file.
struct RowReader {
    /// A scenario has at most this many rows.
    static let mostRows = 10_000

    /// The users of a load test share at most this many rows.
    static let mostUserRows = 1_000_000

    /// So many mistakes of a file are told at once.
    static let mostMistakes = 20

    /// The member that names a row, if the script says which.
    let key: String?

    /// Returns the text of a file of the project.
    let file: (String) throws(UsageError) -> String

    private struct Entry {
        let value: JSONValue
        let origin: String?
        let place: String
    }

    /// Reads rows.
    ///
    /// - Throws: ``UsageError`` that names the file and line, or the row.
    func rows(_ value: JSONValue) throws(UsageError) -> [DataRow] {
        let entries = try self.entries(value)
        guard !entries.isEmpty else {
            throw UsageError(
                (value.string.map { "\($0) has no rows" } ?? "rows is empty")
                    + "; a scenario without rows would never be played")
        }
        guard entries.count <= Self.mostRows else {
            throw UsageError(
                "there are \(entries.count) rows, and a scenario has at most \(Self.mostRows); "
                    + "utterances.sample or utterances.pairwise choose fewer")
        }
        let columns = RowColumns.names(of: entries.map(\.value))
        var places: [[UInt8]: String] = [:]
        var rows: [DataRow] = []
        for entry in entries {
            let name = try self.name(of: entry)
            if let earlier = places.updateValue(entry.place, forKey: Array(name.utf8)) {
                throw UsageError(
                    "\(earlier) and \(entry.place) have the same name, \"\(name)\"; give each row its own "
                        + (self.key ?? "name") + ", so that reports can tell them apart")
            }
            rows.append(DataRow(name: name, value: entry.value, columns: columns, origin: entry.origin))
        }
        return rows
    }

    /// Reads the rows that users of a load test share; they need no names.
    ///
    /// - Throws: ``UsageError`` that names the file and each line that is wrong.
    func userRows(_ value: JSONValue) throws(UsageError) -> [JSONValue] {
        let entries = try self.entries(value)
        guard !entries.isEmpty else {
            throw UsageError(
                (value.string.map { "\($0) has no rows" } ?? "rows is empty") + "; leave rows out, or fill it")
        }
        guard entries.count <= Self.mostUserRows else {
            throw UsageError("there are \(entries.count) rows; users share at most \(Self.mostUserRows)")
        }
        return entries.map(\.value)
    }

    private func entries(_ value: JSONValue) throws(UsageError) -> [Entry] {
        switch value {
        case .string(let name): return try self.entries(ofFile: name)
        case .array(let elements): return Self.entries(elements)
        case .object(let members) where members.isEmpty: return []
        default:
            throw UsageError(
                "rows is a list of tables or the name of a CSV or JSON file, not "
                    + value.description.shortened(to: 60))
        }
    }

    private func name(of entry: Entry) throws(UsageError) -> String {
        if let key = self.key {
            let name = entry.value[key].map { DataRow.text($0) } ?? ""
            guard !name.isEmpty else { throw UsageError("\(entry.place) has no \"\(key)\", which row_key asks for") }
            return name
        }
        if let name = entry.value["name"]?.string, !name.isEmpty { return DataRow.text(.string(name)) }
        return DataRow.name(of: entry.value)
    }

    private static func entries(_ elements: [JSONValue]) -> [Entry] {
        elements.enumerated().map { Entry(value: $1, origin: nil, place: "row \($0 + 1)") }
    }

    private func entries(ofFile name: String) throws(UsageError) -> [Entry] {
        if name.lowercased().hasSuffix(".csv") { return try Self.entries(csv: try self.file(name), name) }
        if name.lowercased().hasSuffix(".json") { return try Self.entries(json: try self.file(name), name) }
        if name.lowercased().hasSuffix(".jsonl") { return try Self.entries(lines: try self.file(name), name) }
        throw UsageError("rows come from a file that ends with .csv, .json or .jsonl, not \"\(name)\"")
    }

    /// Says that one of two values of a row would be lost.
    private static func repetition(of name: String) -> String {
        "an object has two members \"\(name)\", of which one would be lost; give each its own name"
    }

    private static func mistake(_ mistakes: [String]) -> UsageError {
        let rest = mistakes.count - Self.mostMistakes
        let lines = mistakes.prefix(Self.mostMistakes) + (rest > 0 ? ["and \(rest) more lines like these"] : [])
        return UsageError(lines.joined(separator: "\n"))
    }

    private static func entries(lines text: String, _ name: String) throws(UsageError) -> [Entry] {
        var entries: [Entry] = []
        var mistakes: [String] = []
        for (index, line) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = String(decoding: line, as: UTF8.self)
            guard !line.isBlank else { continue }
            let origin = "\(name):\(index + 1)"
            do {
                let (value, repeatedName) = try JSONReader.readNotingRepetition(line.utf8)
                if let repeatedName { mistakes.append("\(origin): \(Self.repetition(of: repeatedName))") }
                entries.append(Entry(value: value, origin: origin, place: origin))
            } catch {
                mistakes.append("\(origin): \(error.message)")
            }
        }
        guard mistakes.isEmpty else { throw Self.mistake(mistakes) }
        return entries
    }

    private static func entries(csv text: String, _ name: String) throws(UsageError) -> [Entry] {
        let records: [CSVReader.Record]
        do { records = try CSVReader.records(text) } catch {
            throw UsageError("\(name):\(error.line): \(error.message)")
        }
        guard let header = records.first else {
            throw UsageError("\(name) is empty; its first line names the columns")
        }
        var mistakes: [String] = []
        for (index, column) in header.fields.enumerated() {
            if column.isEmpty {
                mistakes.append("\(name):\(header.line): column \(index + 1) has no name")
            } else if header.fields.firstIndex(of: column) != index {
                mistakes.append("\(name):\(header.line): two columns have the name \"\(column)\"")
            }
        }
        var entries: [Entry] = []
        for record in records.dropFirst() {
            guard record.fields.count == header.fields.count else {
                mistakes.append(
                    "\(name):\(record.line): there are \(record.fields.count) fields, and \(header.fields.count) columns"
                )
                continue
            }
            guard mistakes.isEmpty else { continue }
            let members = zip(header.fields, record.fields).map { ($0, JSONValue.string($1)) }
            let origin = "\(name):\(record.line)"
            entries.append(Entry(value: .object(JSONObject(members)), origin: origin, place: origin))
        }
        guard mistakes.isEmpty else { throw Self.mistake(mistakes) }
        return entries
    }

    private static func entries(json text: String, _ name: String) throws(UsageError) -> [Entry] {
        let value: JSONValue
        let repeatedName: String?
        do { (value, repeatedName) = try JSONReader.readNotingRepetition(text.utf8) } catch {
            let line = text.utf8.prefix(error.offset).count { $0 == UInt8(ascii: "\n") } + 1
            throw UsageError("\(name):\(line): \(error.message)")
        }
        if let repeatedName { throw UsageError("\(name): \(Self.repetition(of: repeatedName))") }
        guard let elements = value.array else { throw UsageError("\(name) holds no list of rows: [ { … }, … ]") }
        return elements.enumerated().map { index, element in
            Entry(value: element, origin: "\(name), row \(index + 1)", place: "\(name), row \(index + 1)")
        }
    }
}
