import ByteDivisions
import JSON
import Machines
import Testing

@testable import PlainHTTP

@Suite("The reader of streamed answers")
struct StreamReaderTests {
    private static func options(_ members: JSONObject) throws -> RequestOptions {
        try RequestOptions(origin: "http://bot.test", target: [:], options: members)
    }

    /// What came of a stream: the texts of its pieces, nil where one has none, and the joined text.
    private struct Reading: Equatable {
        var texts: [String?] = []
        var replacing: [Int] = []
        var lastAt: Int?
        var text = ""
        var overflow: String?
    }

    private static func read(_ pieces: [[UInt8]], _ format: StreamFormat, _ options: JSONObject) throws -> Reading {
        var reader = StreamReader(format, options: try Self.options(options))
        var reading = Reading()
        func take(_ piece: StreamReader.Piece) {
            if piece.replaces { reading.replacing.append(reading.texts.count) }
            if piece.isLast { reading.lastAt = reading.texts.count }
            reading.texts.append(piece.text)
        }
        do throws(StreamReader.Overflow) {
            for bytes in pieces {
                var offset = 0
                while let piece = try reader.next(bytes.span, at: &offset) { take(piece) }
            }
            if let piece = try reader.finish() { take(piece) }
        } catch {
            reading.overflow = error.message
        }
        reading.text = reader.text
        return reading
    }

    private static func delta(_ text: String) -> String {
        "data: {\"choices\":[{\"delta\":{\"content\":\"\(text)\"}}]}\n\n"
    }

    @Test("Deltas add up, and end with the mark, however they are divided")
    func deltas() throws {
        let text =
            Self.delta("") + Self.delta("grüß") + ": ping\n\ndata: {}\n\n" + Self.delta(" dich") + "data: [DONE]\n\n"
        for division in Divisions.all(of: Array(text.utf8)) {
            let reading = try Self.read(division, .events, [:])
            #expect(reading.texts == [nil, "grüß", nil, " dich", nil])
            #expect(reading.lastAt == 4)
            #expect(reading.text == "grüß dich")
        }
    }

    @Test(
        "A piece that tells of a failure is kept in mind until text comes, and ends nothing",
        arguments: [
            (#"data: {"error":{"message":"overloaded","type":"server_error"}}"#, "overloaded"),
            (#"data: {"error":"no more"}"#, "no more"), (#"data: {"error":{"code":7}}"#, #"{"error":{"code":7}}"#),
            (#"data: {"error":"busy","choices":[{"delta":{"content":""}}]}"#, "busy"),
            (#"data: {"error":null}"#, nil), (#"data: {"error":{}}"#, nil), (#"data: {"error":""}"#, nil),
            (#"data: {"error":false}"#, nil), ("data: error", nil),
        ] as [(String, String?)])
    func toldFailure(line: String, told: String?) throws {
        var reader = StreamReader(.events, options: try Self.options([:]))
        func feed(_ text: String) throws {
            let bytes = Array(text.utf8)
            var offset = 0
            while let piece = try reader.next(bytes.span, at: &offset) {
                #expect(!piece.isLast && !piece.isFailure)
            }
        }
        try feed(Self.delta("a") + line + "\n\n")
        #expect(reader.toldFailure == told)
        try feed(Self.delta("b"))
        #expect(reader.toldFailure == nil && reader.text == "ab")
    }

    @Test("Cumulative texts give what is new, or replace what was there, however they are divided")
    func cumulative() throws {
        let texts = ["É", "É.", "É.", "No", "No!"]
        let stream =
            texts.map { "event: generating\ndata: [\"\($0)\"]\n\n" }.joined() + "event: complete\ndata: [\"No!\"]\n\n"
        for division in Divisions.all(of: Array(stream.utf8)) {
            let reading = try Self.read(division, .events, ["mode": "cumulative"])
            #expect(reading.texts == ["É", ".", nil, "No", "!", nil])
            #expect(reading.replacing == [3])
            #expect(reading.lastAt == 5)
            #expect(reading.text == "No!")
        }
    }

    @Test("A text that grows within a character is a new one as far as bytes go")
    func growingCharacter() throws {
        let stream = "data: [\"e\"]\n\ndata: [\"e\u{301}\"]\n\n"
        let reading = try Self.read([Array(stream.utf8)], .events, ["mode": "cumulative"])
        #expect(reading.texts == ["e", "\u{301}"])
        #expect(Array(reading.text.utf8) == Array("e\u{301}".utf8))
    }

    @Test("Lines are messages, however they are divided")
    func lines() throws {
        for division in Divisions.all(of: Array("{\"text\":\"one\"}\r\n\n{\"no\":1}\n{\"text\":\"two\"}".utf8)) {
            let reading = try Self.read(division, .lines, [:])
            #expect(reading.texts == ["one", nil, "two"])
            #expect(reading.text == "one\ntwo")
        }
    }

    @Test(
        "With the path $ the data itself is the text",
        arguments: [
            ("Hello ", "Hello "), ("5", "5"), ("\"quoted\"", "quoted"), ("{\"a\":1}", "{\"a\":1}"), ("null", "null"),
        ])
    func plain(data: String, text: String) throws {
        let reading = try Self.read([Array("data: \(data)\n\n".utf8)], .events, ["piece": "$", "done": ""])
        #expect(reading.texts == [text])
    }

    @Test("Marks of the end can be others, or none")
    func marks() throws {
        let stream = Array((Self.delta("a") + "event: message_stop\ndata: {}\n\n" + Self.delta("b")).utf8)
        #expect(try Self.read([stream], .events, ["done": "", "done_event": "message_stop"]).lastAt == 1)
        #expect(try Self.read([stream], .events, ["done": ""]).lastAt == nil)
        #expect(StreamReader(.events, options: try Self.options([:])).awaitedEnd?.contains("[DONE]") == true)
        #expect(StreamReader(.events, options: try Self.options(["done": ""])).awaitedEnd == nil)
        #expect(StreamReader(.lines, options: try Self.options(["mode": "deltas"])).awaitedEnd == nil)
    }

    @Test("Neither a piece nor the joined text grows beyond the limit")
    func limits() throws {
        let stream = Array(String(repeating: Self.delta("0123456789"), count: 30).utf8)
        let reading = try Self.read([stream], .events, ["body_limit": 200])
        #expect(reading.overflow?.contains("text") == true)
        #expect(reading.text.utf8.count <= 210)
        #expect(try Self.read([stream], .events, ["body_limit": 20]).overflow?.contains("event") == true)
        #expect(try Self.read([stream], .lines, ["body_limit": 20]).overflow?.contains("line") == true)
    }

    @Test("Random streams read the same in random pieces, and never stop the reader", arguments: 0..<30)
    func fuzz(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let parts = [
            "data: ", "event: ", "complete", "error", "\n", "\n\n", "\r", "\r\n", "[DONE]", "[\"a\"]",
            "{\"text\":\"b\"}",
            "{\"choices\":[{\"delta\":{\"content\":\"c\"}}]}", "id: 1", "retry: 9", ":", "é", "\u{0}", "[[[[", "null",
        ]
        var bytes: [UInt8] = []
        for _ in 0..<200 {
            bytes += Array((parts.randomElement(using: &random) ?? "").utf8)
            if Int.random(in: 0..<20, using: &random) == 0 { bytes += random.bytes(3) }
        }
        for format in [StreamFormat.events, .lines] {
            for mode in StreamMode.allCases {
                let options: JSONObject = ["mode": .string(mode.rawValue), "body_limit": 300]
                let whole = try Self.read([bytes], format, options)
                let divided = try Self.read(Divisions.random(of: bytes, longest: 7, using: &random), format, options)
                #expect(whole == divided)
            }
        }
    }
}
