import Machines
import Testing

@testable import Transport

@Suite("What has arrived of a message that is not whole yet")
struct UnfinishedMessageTests {
    @Test(
        "of a link",
        arguments: [
            (LinkFraming.lines(.lineFeed), Array("one\n".utf8), nil),
            (.lines(.lineFeed), Array("one\nhalf".utf8), "4 bytes of a line that has no end"),
            (.prefixed(LinkFraming.LengthPrefix(size: 4)), [0, 0, 0, 1, 7, 0, 0], "2 bytes of a length"),
            (.prefixed(LinkFraming.LengthPrefix(size: 1)), [71, 1, 2], "2 bytes of a message that has 71"),
            (.prefixed(LinkFraming.LengthPrefix(size: 1)), [71], "0 bytes of a message that has 71"),
            (.bytes, [1, 2], nil),
        ] as [(LinkFraming, [UInt8], String?)])
    func link(framing: LinkFraming, bytes: [UInt8], words: String?) {
        var codec = LinkCodec(framing, messageLimit: 100)
        var offset = 0
        while codec.next(bytes.span, at: &offset) != nil {}
        #expect(codec.unfinished?.text == words && codec.isInMessage == (words != nil))
    }

    @Test("as much of a later message is not the same")
    func later() throws {
        var codec = LinkCodec(.lines(.lineFeed), messageLimit: 100)
        func read(_ text: String) -> UnfinishedMessage? {
            let bytes = Array(text.utf8)
            var offset = 0
            while codec.next(bytes.span, at: &offset) != nil {}
            return codec.unfinished
        }
        let (first, same, later) = try (#require(read("half")), #require(read("")), #require(read("\nhalf")))
        #expect(first == same && first.predecessors == 0)
        #expect(later != first && later.text == first.text && later.predecessors == 1)
    }

    @Test(
        "of a WebSocket",
        arguments: [
            ([0x81, 2, 0x68, 0x69], nil),
            ([0x81, 2, 0x68, 0x69, 0x81, 32, 0x7B], "1 bytes of a message that has 32"),
            ([0x01, 2, 0x68, 0x69], "2 bytes of a message whose other fragments are missing"),
            ([0x01, 2, 0x68, 0x69, 0x80, 3, 0x7B], "3 bytes of a message that has 5"),
            ([0x01, 9, 0x68], "1 bytes of a fragment of a message that has 9"),
            ([0x81], "1 bytes of the beginning of a frame"),
            ([0x89, 3, 0x68], nil),
        ] as [([UInt8], String?)])
    func webSocket(bytes: [UInt8], words: String?) {
        var codec = WebSocketCodec(role: .client)
        var random = RandomSource(seed: 7)
        var output: [UInt8] = []
        var offset = 0
        while codec.next(bytes.span, at: &offset, output: &output, random: &random) != nil {}
        #expect(codec.unfinished == words)
    }
}
