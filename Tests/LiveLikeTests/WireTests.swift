import HTTPTypes
import JSON
import Machines
import Patterns
import Testing

@testable import LiveLike

@Suite("Wire forms")
struct WireTests {
    @Test(
        "Time stamps are read in every form the service writes",
        arguments: [
            ("2022-04-15T05:20:00Z", 16_500_000_000_000_000), ("2022-04-15T05:20:00.999Z", 16_500_000_009_990_000),
            ("2022-04-15T05:20:00.999001Z", 16_500_000_009_990_010),
            ("2022-04-15T05:20:00+00:00", 16_500_000_000_000_000),
            ("2022-04-15T05:20:00.5+0000", 16_500_000_005_000_000),
            ("2022-04-15T07:20:00+02:00", 16_500_000_000_000_000),
        ] as [(String, Int64)])
    func timestamps(text: String, ticks: Int64) {
        #expect(ServiceTime.ticks(text) == ticks)
    }

    @Test(
        "What is no time stamp is nil",
        arguments: [
            "", "now", "2022-04-15", "2022-04-15T05:20:00", "2022-13-15T05:20:00Z", "2022-04-15T05:20:00.Z",
            "2022-04-15T05:20:00+25:00", "2022-04-15T05:20:00.1234567890Z",
        ])
    func noTimestamps(text: String) {
        #expect(ServiceTime.ticks(text) == nil)
    }

    @Test("A time stamp survives writing and reading to the microsecond")
    func timestampRoundTrip() {
        var random = RandomSource(seed: 4)
        for _ in 0..<500 {
            let ticks = Int64.random(in: 0...20_000_000_000_000_000, using: &random) / 10 * 10
            #expect(ServiceTime.ticks(ServiceTime.text(ticks: ticks)) == ticks)
        }
    }

    @Test(
        "A time stamp before 1970 is written, too",
        arguments: [
            ("1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999900Z"),
            ("1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"),
            ("1960-02-29T12:00:00Z", "1960-02-29T12:00:00.000000Z"),
        ])
    func timestampsBeforeTheEpoch(text: String, written: String) throws {
        #expect(ServiceTime.text(ticks: try #require(ServiceTime.ticks(text))) == written)
    }

    @Test("Time tokens are 17 digits and never trap")
    func timeTokens() {
        #expect(TimeToken(epochMilliseconds: 1_650_000_000_000).text == "16500000000000000")
        #expect(TimeToken("16500000010000000")?.ticks == 16_500_000_010_000_000)
        #expect(TimeToken(ticks: 5).text == "00000000000000005")
        #expect(TimeToken.zero.text == "0")
        for text in ["", "-1", "1.5", "99999999999999999999", "9999999999999999999", "0x10"] {
            #expect(TimeToken(text) == nil, "\(text)")
        }
        #expect(TimeToken(epochMilliseconds: .max).ticks == .max)
    }

    @Test("The example answer of the notes is read as it stands")
    func exampleReply() throws {
        let text = """
            {"t":{"t":"16500000010000000","r":4},"m":[{"a":"1","f":514,"i":"u2","s":7,"p":{"t":"16500000009990000","r":4},
             "k":"sub-c-x","c":"chatroom.R","b":"chatroom.R","u":{"sender_id":"u2","content_filter":""},
             "d":{"event":"message-created","payload":{"id":"m2","chat_room_id":"R","message":"hello","sender_id":"u2",
             "sender_nickname":"Wise Bee","sender_image_url":null,"created_at":"2022-04-15T05:20:00.999000Z",
             "program_date_time":null,"content_filter":[],"filtered_message":null,"quote_message":null,
             "client_message_id":"c2"}}}]}
            """
        let reply = try #require(SubscribeReply(Array(text.utf8)))
        #expect(reply.timeToken.ticks == 16_500_000_010_000_000)
        let item = try #require(reply.items.first)
        let envelope = try Envelope(item.data)
        let message = try ChatMessage(envelope.event, envelope.payload, timeToken: item.timeToken)
        #expect(message.text == "hello")
        #expect(message.sender.nickname == "Wise Bee")
        #expect(message.times.token?.text == "16500000009990000")
        #expect(message.filtering.reasons.isEmpty)
    }

    @Test("A content filter is an array or a plain text")
    func contentFilters() {
        #expect(ChatMessage.filters(["filtered", "profanity"]) == ["filtered", "profanity"])
        #expect(ChatMessage.filters("filtered") == ["filtered"])
        #expect(ChatMessage.filters("").isEmpty)
        #expect(ChatMessage.filters(.null).isEmpty)
        #expect(ChatMessage.filters(7).isEmpty)
    }

    @Test("Every cut of an answer is refused and the whole is read")
    func cutReplies() {
        let whole = Array(#"{"t":{"t":"16500000010000000","r":4},"m":[{"c":"a","d":{"event":"x"}}]}"#.utf8)
        for length in 0..<whole.count { #expect(SubscribeReply(Array(whole[..<length])) == nil) }
        #expect(SubscribeReply(whole)?.items.count == 1)
    }

    @Test("Both platforms' filter expressions are understood and others are malformed")
    func filterExpressions() {
        #expect(SubscribeFilter("!(content_filter LIKE '*filtered*') || sender_id == 'u'") == .hidesFiltered)
        #expect(SubscribeFilter("sender_id == 'u' || !(content_filter contains 'filtered')") == .hidesFiltered)
        #expect(SubscribeFilter(nil) == SubscribeFilter.none)
        #expect(SubscribeFilter("1 == 1") == nil)
    }

    @Test(
        "Links are found where people see them",
        arguments: [
            ("see https://example.org/a?b=c.", ["https://example.org/a?b=c"]),
            ("www.example.test", ["www.example.test"]),
            ("(example.com)", ["example.com"]), ("HTTP://EXAMPLE.COM:80/x", ["HTTP://EXAMPLE.COM:80/x"]),
            ("a.b and 3.14 and me@home", []), ("http://", []), ("no link.Really", []),
            ("x.com y.io", ["x.com", "y.io"]),
        ])
    func defaultLinks(text: String, expected: [String]) {
        let detector = URLDetector(isEnabled: true, pattern: nil)
        let links = detector.links(in: text)
        #expect(links.map(\.text) == expected)
        for link in links {
            #expect(String(decoding: Array(text.utf8)[(link.start - 1)..<link.stop], as: UTF8.self) == link.text)
        }
        #expect(URLDetector(isEnabled: false, pattern: nil).links(in: text).isEmpty)
    }

    @Test("A pattern replaces the default detector, and its places count bytes")
    func patternLinks() throws {
        let detector = URLDetector(isEnabled: true, pattern: try TextRegex("tik-[0-9]+"))
        let links = detector.links(in: "über tik-42, not example.com")
        #expect(links == [URLDetector.Link(start: 7, stop: 12, text: "tik-42")])
        #expect(URLDetector(isEnabled: true, pattern: try TextRegex("x*")).links(in: "abc").isEmpty)
    }

    @Test(
        "No pattern and no text make the search for links take long", .timeLimit(.minutes(1)),
        arguments: ["(a+)+b", "(a|a)*b", "(.*)*b"])
    func hostilePattern(pattern: String) throws {
        let detector = URLDetector(isEnabled: true, pattern: try TextRegex(pattern))
        #expect(detector.links(in: String(repeating: "a", count: URLDetector.longestText)).isEmpty)
    }

    @Test("Words are masked letter by letter, whole words only")
    func keywordFilter() {
        let filter = KeywordFilter(words: ["darn"])
        #expect(filter.masked("Darn, darned darn!") == "****, darned ****!")
        #expect(KeywordFilter(words: []).masked("darn") == "darn")
    }

    @Test("A refusal has the code of the one SDK, and the words of the SDK that tells of it")
    func refusals() {
        let refusal = Response(json: ["detail": "Not today"], status: .forbidden)
        let errors = Platform.allCases.map { SDKError(refusal, on: $0) }
        #expect(errors.map(\.message) == ["the server answered 403: Not today", "response code : 403 - Not today"])
        #expect(errors.allSatisfy { $0.code == "forbidden" && $0.status == 403 })
    }
}
