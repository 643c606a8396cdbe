import JSON
import RunRecord

@testable import Reports

/// Reads the blocks of data of an HTML report back into what was recorded.
struct PageReader {
    let text: String

    init(_ document: [UInt8]) {
        self.text = String(decoding: document, as: UTF8.self)
    }

    /// The JSON of a block, found as a browser finds it: up to the first end tag, whatever stands before it.
    func block(_ id: String) throws -> JSONValue? {
        let start = "<script type=\"application/json\" id=\"\(id)\">"
        guard let opening = self.text.firstRange(of: start) else { return nil }
        let rest = self.text[opening.upperBound...]
        guard let closing = rest.firstRange(of: "</script") else { return nil }
        return try JSONReader.read(String(rest[..<closing.lowerBound]), depth: 200)
    }

    /// Everything that happened in an attempt.
    func happenings(_ place: Int) throws -> [(atNanoseconds: Int64, runEvent: RunEvent)] {
        let block = try self.block("a\(place)")
        let texts = block?["texts"]?.array?.map { $0.string ?? "" } ?? []
        return try (block?["entries"]?.array ?? []).map { entry in
            (entry[1]?.integer ?? -1, try Self.runEvent(entry.array ?? [], texts))
        }
    }

    private struct UnknownLetter: Error {}

    private static func runEvent(_ values: [JSONValue], _ texts: [String]) throws -> RunEvent {
        func text(_ place: Int) -> String { values[place].string ?? "" }
        func number(_ place: Int) -> Int? { values[place].integer.map { Int($0) } }
        func placed(_ place: Int) -> String? { number(place).map { texts[$0] } }
        switch text(0) {
        case "j": return .actorJoined(name: text(2), system: text(3), role: text(4))
        case "c":
            return .commanded(
                actor: text(2), name: text(3), arguments: values[4].object ?? [:], line: number(5))
        case "o":
            return .observed(
                actor: text(2), number: number(3) ?? -1, kind: text(4), fields: values[5].object ?? [:],
                raw: try placed(6).map { try JSONReader.read($0, depth: 200) })
        case "w":
            let payload = placed(5).map { text(6) == "text" ? WireFrame.Payload.text($0) : .base64($0) }
            return .wire(
                WireFrame(
                    connection: text(2), direction: text(3) == "sent" ? .sent : .received, summary: placed(4) ?? "",
                    payload: payload, isTruncated: values[7].bool ?? false))
        case "s":
            let rows = (values[3].array ?? []).map { row in
                ScreenRow(
                    .init(rawValue: row[0]?.string ?? "") ?? .text, row[1]?.string ?? "", label: row[2]?.string)
            }
            return .showed(actor: text(2), screen: rows)
        case "b": return .stepBegan(name: text(2), line: number(3))
        case "e": return .stepEnded(name: text(2))
        case "x":
            let events = values[6].array?.compactMap { $0.integer.map { Int($0) } } ?? []
            return .expected(
                actor: values[2].string, line: number(3), description: text(4),
                result: values[5].bool == true ? .satisfied(events: events) : .failed)
        case "l": return .logged(level: LogLevel(rawValue: text(2)) ?? .debug, text: text(3))
        case "a": return .attached(name: text(2), path: text(3), mediaType: text(4))
        default: throw UnknownLetter()
        }
    }
}
