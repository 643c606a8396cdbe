import JSON
import RunRecord
import Testing

@testable import Reports

@Suite("The block of a conversation")
struct ConversationBlockTests {
    private static func rendered(_ texts: [String]) throws -> JSONValue {
        var block = ConversationBlock()
        for text in texts {
            block.add(
                .wire(
                    WireFrame(
                        connection: "a/1", direction: .sent, summary: "frame", payload: .text(text), isTruncated: false)
                ),
                atNanoseconds: 1)
        }
        var bytes: [UInt8] = []
        block.render(end: nil, to: &bytes)
        return try JSONReader.read(bytes)
    }

    @Test("has each text once, and every entry the place of its own")
    func texts() throws {
        // Of one length, and alike at both ends: what tells them apart stands in between.
        let texts = (0..<2000).map { "message \(10_000 + $0 * 37 % 2000) of the conversation" }
        let block = try Self.rendered(texts + texts)
        let kept = try #require(block["texts"]?.array).map { $0.string }
        #expect(kept.count == 2001 && Set(kept).count == 2001)
        let entries = try #require(block["entries"]?.array)
        for (entry, text) in zip(entries, texts + texts) {
            let place = try #require(entry.array?[5].integer)
            #expect(kept[Int(place)] == text)
        }
    }

    @Test("tells texts apart by their bytes, not by what people see")
    func bytes() throws {
        let block = try Self.rendered(["\u{E9}", "e\u{301}", "", "\u{E9}", ""])
        #expect(block["texts"]?.array?.count == 4)
    }
}
