import ByteDivisions
import HTTPTypes
import Machines
import Testing
import Transport

@Suite("The parser of HTTP responses")
struct HTTPResponseParserTests {
    struct Reading: Equatable {
        var responses: [Response] = []
        var keepsAlive: [Bool] = []
        var error: HTTPSyntaxError?
    }

    /// Reads the answers to a list of methods; the connection ends after the last piece.
    static func read(_ pieces: [[UInt8]], to methods: [HTTPRequest.Method]) -> Reading {
        var parser = HTTPResponseParser()
        var methods = methods[...]
        var reading = Reading()
        var response: Response?
        func take(_ part: HTTPResponsePart) {
            switch part {
            case .head(let head): response = Response(head)
            case .body(let bytes): response?.body += bytes
            case .end:
                if let response { reading.responses.append(response) }
                reading.keepsAlive.append(parser.keepsAlive)
                if let next = methods.popFirst() { parser.expect(next) }
            }
        }
        do throws(HTTPSyntaxError) {
            if let next = methods.popFirst() { parser.expect(next) }
            for piece in pieces {
                var offset = 0
                while let part = try parser.next(piece.span, at: &offset) { take(part) }
            }
            if let part = try parser.finish() { take(part) }
        } catch {
            reading.error = error
        }
        return reading
    }

    static let several = """
        HTTP/1.1 100 Continue

        HTTP/1.1 103 Early Hints
        Link: <a>

        HTTP/1.1 200 OK
        Content-Length: 5

        helloHTTP/1.1 204 No Content

        HTTP/1.1 304 Not Modified
        Content-Length: 10

        HTTP/1.1 200 OK
        Content-Length: 7

        HTTP/1.1 200
        Transfer-Encoding: chunked

        2
        ab
        1
        c
        0

        HTTP/1.1 404 Not Found
        Connection: close

        to the end
        """.wire

    @Test("Answers are read the same however the bytes are divided")
    func everyDivision() throws {
        let methods: [HTTPRequest.Method] = [.get, .post, .get, .head, .get, .get]
        let whole = Self.read([Self.several], to: methods)
        #expect(whole.error == nil)
        #expect(whole.responses.map(\.head.status.code) == [200, 204, 304, 200, 200, 404])
        #expect(
            whole.responses.map { String(decoding: $0.body, as: UTF8.self) } == [
                "hello", "", "", "", "abc", "to the end",
            ])
        #expect(whole.keepsAlive == [true, true, true, true, true, false])
        for division in Divisions.all(of: Self.several) { #expect(Self.read(division, to: methods) == whole) }
    }

    @Test("After a switch of protocols the bytes are left to the new one")
    func switching() throws {
        let head = "HTTP/1.1 101 Switching Protocols\nUpgrade: websocket\n\n".wire
        var parser = HTTPResponseParser()
        parser.expect(.get)
        var offset = 0
        let bytes = head + [0x81, 0x00]
        guard case .head(let response) = try parser.next(bytes.span, at: &offset) else {
            Issue.record("no head")
            return
        }
        #expect(response.status.code == 101)
        #expect(offset == head.count)
    }

    @Test(
        "A malformed or incomplete answer is refused",
        arguments: [
            "HTTP/1.1 200 OK\nContent-Length: 5\n\nhell", "HTTP/1.1 200 OK\nContent-Length: 5\n", "",
            "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nab\n", "HTTP/1.1 20 OK\n\n", "HTTP/1.1 2000 OK\n\n",
            "HTTP/1.1 +20 OK\n\n", "HTTP/1.1 099 OK\n\n", "HTTP/2.0 200 OK\n\n", "HTTP/1.1  200 OK\n\n",
            "HTTP/1.1 200 O\u{1}K\n\n", "ICY 200 OK\n\n", "<html>\n\n", "SSH-2.0\n", "\n\nHTTP/1.1 200 OK\n\n",
            "HTTP/1.1 200 OK\nContent-Length: 1\nTransfer-Encoding: chunked\n\n1\na\n0\n\n",
            "HTTP/1.1 200 OK\nContent-Length: 0\n\nmore", "HTTP/1.0 101 Switching Protocols\nUpgrade: websocket\n\n",
        ])
    func refusals(text: String) {
        let whole = Self.read([text.wire], to: [.get])
        #expect(whole.error != nil)
        for division in Divisions.all(of: text.wire) { #expect(Self.read(division, to: [.get]).error == whole.error) }
    }

    @Test("A server cannot hold a client with interim answers without end")
    func interimAnswers() {
        let bytes = String(repeating: "HTTP/1.1 102 Processing\n\n", count: 17).wire
        #expect(Self.read([bytes], to: [.get]).error?.message == "the server sent more than 16 interim answers")
    }

    @Test("Random and damaged bytes end in answers or an error, never otherwise", arguments: 0..<40)
    func fuzz(seed: UInt64) {
        let methods: [HTTPRequest.Method] = [.get, .post, .get, .head, .get, .get]
        var random = RandomSource(seed: seed)
        for _ in 0..<200 {
            var bytes = Self.several
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let whole = Self.read([bytes], to: methods)
            let divided = Self.read(Divisions.random(of: bytes, longest: 7, using: &random), to: methods)
            #expect(divided.responses == whole.responses)
            #expect(divided.error == whole.error)
        }
    }
}
