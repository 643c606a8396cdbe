import JSON
import LuaRuntime
import Machines
import Testing

@testable import Scenario

@Suite("How messages on a link are told apart")
struct LinkFramesTests {
    private static func mistake(_ value: JSONValue) -> String? {
        do throws(UsageError) {
            _ = try LinkFrames.framing(value, of: "here")
            return nil
        } catch { return error.message }
    }

    @Test(
        "each way to say it",
        arguments: [
            ("lines", .lines(.lineFeed)), ("bytes", .bytes), (["lines": "\n"], .lines(.lineFeed)),
            (["lines": "\r\n"], .lines(.carriageReturnLineFeed)), (["length": 1], .prefixed(.init(size: 1))),
            (["lines": "\u{1E}"], .lines(.init("\u{1E}")!)), (["lines": "||"], .lines(.init("||")!)),
            (["lines": "\0"], .lines(.init("\0")!)), (["lines": "\r"], .lines(.init("\r")!)),
            (["length": 8, "order": "big"], .prefixed(.init(size: 8))),
            (
                ["length": 4, "order": "little", "counts_itself": true],
                .prefixed(.init(size: 4, isLittleEndian: true, countsItself: true))
            ),
            (["length": 2.0, "counts_itself": false], .prefixed(.init(size: 2))),
        ] as [(JSONValue, LinkFraming)] as [(JSONValue, LinkFraming)])
    func ways(value: JSONValue, framing: LinkFraming) throws {
        #expect(try LinkFrames.framing(value, of: "here") == framing)
    }

    private static let choices =
        "\"lines\", \"bytes\", { lines = \"\\r\\n\" } or { length = 4, order = \"big\", counts_itself = false }"

    private static let lineEnds =
        "lines stands alone, and is one or two bytes, such as \"\\r\\n\" or \"\\x1e\""

    @Test(
        "what is none is told with what there is",
        arguments: [
            ("line", "here: frames cannot be \"line\"; did you mean \"lines\"?"),
            ("packets", "here: frames cannot be \"packets\"; it is \(Self.choices)"),
            ("", "here: frames cannot be \"\"; it is \(Self.choices)"),
            (5, "here: frames is \(Self.choices)"), ([], "here: frames is \(Self.choices)"),
            ([:], "here: frames is \(Self.choices), with a length from 1 to 8 bytes"),
            (["length": 0], "here: frames is \(Self.choices), with a length from 1 to 8 bytes"),
            (["length": 9], "here: frames is \(Self.choices), with a length from 1 to 8 bytes"),
            (["order": "big"], "here: frames is \(Self.choices), with a length from 1 to 8 bytes"),
            (["lines": ""], "here: frames: \(Self.lineEnds)"), (["lines": "|||"], "here: frames: \(Self.lineEnds)"),
            (["lines": "€"], "here: frames: \(Self.lineEnds)"),
            (["lines": "\n", "length": 4], "here: frames: \(Self.lineEnds)"),
            (["length": "4"], "here: frames: length is an integer, not \"4\""),
            (["length": 1.5], "here: frames: length is an integer, not 1.5"),
            (["length": 4, "order": "middle"], "here: frames: order is one of \"big\", \"little\", not \"middle\""),
            (["lenght": 4], "here: frames has no member \"lenght\"; did you mean \"length\"?"),
            (["length": 4, "counts_itself": 1], "here: frames: counts_itself is true or false, not 1"),
        ] as [(JSONValue, String)] as [(JSONValue, String)])
    func mistakes(value: JSONValue, message: String) {
        #expect(Self.mistake(value) == message)
    }

    @Test("a length says as long a message as its bytes can, less its own where it counts itself", arguments: 1...8)
    func longest(size: Int) {
        let plain = LinkFraming.LengthPrefix(size: size)
        var largest: UInt64 = 0
        for _ in 0..<size { largest = largest << 8 | 255 }
        #expect(plain.longest == largest)
        #expect(LinkFraming.LengthPrefix(size: size, countsItself: true).longest == largest - UInt64(size))
    }

    @Test("a message that cannot be told apart is held back with the reason, and all others are sent")
    func obstacles() {
        let short = LinkFraming.prefixed(.init(size: 1, countsItself: true))
        #expect(short.obstacle(to: .binary([UInt8](repeating: 0, count: 254))) == nil)
        #expect(
            short.obstacle(to: .binary([UInt8](repeating: 0, count: 255)))
                == "a message of 255 bytes is longer than 254, which a length of 1 byte can say")
        #expect(LinkFraming.lines(.carriageReturnLineFeed).obstacle(to: .text("a\r\nb")) != nil)
        #expect(LinkFraming.lines(.lineFeed).obstacle(to: .text("a\rb")) == nil)
        #expect(LinkFraming.lines(.carriageReturnLineFeed).obstacle(to: .text("a\r")) == nil)
        #expect(LinkFraming.lines(.lineFeed).obstacle(to: .binary([10])) == nil)
        #expect(LinkFraming.bytes.obstacle(to: .text("\n")) == nil)
    }

    /// The bytes of messages as somebody writes them who divides a stream by hand.
    private static func wire(_ messages: [String], _ frames: String) -> [UInt8] {
        messages.flatMap { message -> [UInt8] in
            let bytes = Array(message.utf8)
            switch frames {
            case "\"lines\"": return bytes + [10]
            case Self.records: return bytes + [0x1E]
            case "{ length = 2 }": return [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
            default: return [UInt8((bytes.count + 4) & 255), UInt8((bytes.count + 4) >> 8), 0, 0] + bytes
            }
        }
    }

    private static let records = #"{ lines = "\x1e" }"#

    @Test(
        "messages that arrive in any pieces are told apart as by hand",
        arguments: [
            "\"lines\"", Self.records, "{ length = 2 }", "{ length = 4, order = \"little\", counts_itself = true }",
        ], 0..<6)
    func pieces(frames: String, seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let messages = (0..<6).map { _ in random.text(of: "abé 1", count: 0...9) }
        let pieces = random.pieces(of: Self.wire(messages, frames)).map { piece in
            "feed \"" + piece.map { "\\x" + Hexadecimal.encode([$0]) }.joined() + "\""
        }
        // The server of another system takes bytes as they come, so that it can send them in pieces of its own.
        let run = try ScriptRun(
            """
            local raw = system { name = "raw", events = {}, frames = "bytes" }
            function raw.server.connected(desk, client)
                local function feed(bytes) if #bytes > 0 then client:send_bytes(bytes) wait "10ms" end end
                \(pieces.joined(separator: "\n"))
            end
            local own = system { name = "own", events = { message = { text = "string" } }, frames = \(frames) }
            function own.commands.connect(me, url) me:open { url = url, frames = \(frames) } me:wait "open" end
            function own.on.text(me, text) me:emit("message", { text = text }) end
            function own.on.bytes(me, bytes) me:emit("message", { text = bytes }) end
            function own.server.text() end
            scenario("s", function(t)
                local url = t:server(raw).url
                local client = t:actor(own)
                client:connect(url)
                for _, text in ipairs(json.decode(\(Self.lua(messages)))) do client:expect_next("message", { text = text }) end
                client:expect_silence "1s"
            end)
            """)
        #expect(run.messages == [])
    }

    private static func lua(_ messages: [String]) -> String {
        let text = JSONValue.array(messages.map { .string($0) }).description
        return "\"" + text.utf8.map { "\\x" + Hexadecimal.encode([$0]) }.joined() + "\""
    }
}

@Suite("Threads that wait for something named")
struct NamedWaitsTests {
    @Test("those that wait for a name go on, each once, and are counted; others go on waiting")
    func waking() {
        let waits = NamedWaits()
        var woken: [String] = []
        for name in ["a", "b", "a"] {
            _ = waits.wait(for: name) { result in woken.append("\(name) \((try? result.get().json()) ?? .null)") }
        }
        #expect(waits.wake("c", with: .integer(0)) == 0)
        #expect(waits.wake("a", with: .integer(1)) == 2)
        #expect(waits.wake("a", with: .integer(2)) == 0)
        #expect(waits.wake("b", with: .string("x")) == 1)
        #expect(woken == ["a 1", "a 1", "b \"x\""])
    }

    @Test("a wait that is taken back is not woken, and can be taken back twice")
    func takenBack() {
        let waits = NamedWaits()
        var woken = 0
        let first = waits.wait(for: "a") { _ in woken += 1 }
        let second = waits.wait(for: "a") { _ in woken += 10 }
        first()
        first()
        #expect(waits.wake("a", with: .nil) == 1)
        second()
        #expect(woken == 10)
    }

    @Test("who waits again while it is woken waits for the next time")
    func waitingAgain() {
        let waits = NamedWaits()
        var woken = 0
        func wait() {
            _ = waits.wait(for: "a") { _ in
                woken += 1
                wait()
            }
        }
        wait()
        #expect(waits.wake("a", with: .nil) == 1)
        #expect(waits.wake("a", with: .nil) == 1)
        #expect(woken == 2)
        waits.forget()
        #expect(waits.wake("a", with: .nil) == 0)
    }

    @Test("a line that is not UTF-8 reaches the handler with the bytes that it has, on either side")
    func bytesInLines() throws {
        let run = try ScriptRun(
            """
            local own = system { name = "own", events = { message = { hex = "string" } }, frames = "lines" }
            function own.commands.connect(me) me.link = me:open { frames = "lines" } me:wait "open" end
            function own.commands.send(me, bytes) me.link:send_bytes(bytes) end
            function own.on.text(me, text) me:emit("message", { hex = hex.encode(text) }) end
            function own.server.text(desk, client, text)
                client:send(hex.encode(text))
                client:send_bytes(text .. "\\r\\n")
            end
            scenario("s", function(t)
                t:server(own)
                local client = t:actor(own)
                client:connect()
                client:send("Gr\\xfc\\xdfe\\n")
                client:expect_next("message", { hex = hex.encode "4772fcdf65" })
                client:expect_next("message", { hex = "4772fcdf65" })
                client:send("Grüße\\n")
                client:expect_next("message", { hex = hex.encode(hex.encode "Grüße") })
                client:expect_next("message", { hex = hex.encode "Grüße" })
            end)
            """)
        #expect(run.messages == [])
    }
}
