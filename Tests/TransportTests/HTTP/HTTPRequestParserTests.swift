import ByteDivisions
import HTTPTypes
import Machines
import Testing
import Transport

@Suite("The parser of HTTP requests")
struct HTTPRequestParserTests {
    struct Reading: Equatable {
        var requests: [Request] = []
        var trailers: [HTTPFields] = []
        var keepsAlive: [Bool] = []
        var error: HTTPSyntaxError?
    }

    static func read(_ pieces: [[UInt8]], limits: HTTPLimits = HTTPLimits()) -> Reading {
        var parser = HTTPRequestParser(limits: limits)
        var reading = Reading()
        var request: Request?
        do throws(HTTPSyntaxError) {
            for piece in pieces {
                var offset = 0
                while let part = try parser.next(piece.span, at: &offset) {
                    switch part {
                    case .head(let head): request = Request(head)
                    case .body(let bytes): request?.body += bytes
                    case .end(let trailer):
                        if let request { reading.requests.append(request) }
                        reading.trailers.append(trailer)
                        reading.keepsAlive.append(parser.keepsAlive)
                    }
                }
                #expect(offset == piece.count)
            }
        } catch {
            reading.error = error
        }
        return reading
    }

    static let several = """
        GET /chat?x=1 HTTP/1.1
        Host: desk.test:8080
        X-Name:  Ada \t

        POST /say HTTP/1.1
        host: desk.test
        Content-Length: 5

        helloPOST /say HTTP/1.1
        Host: desk.test
        Transfer-Encoding: chunked
        Connection: close

        5;note="a b"
        hello
        00A
        0123456789
        0
        X-Sum: 15


        """.wire

    @Test("Requests are read the same however the bytes are divided")
    func everyDivision() throws {
        let whole = Self.read([Self.several])
        #expect(whole.error == nil)
        try #require(whole.requests.count == 3)
        #expect(whole.requests[0].head.path == "/chat?x=1")
        #expect(whole.requests[0].head.authority == "desk.test:8080")
        #expect(whole.requests[0].head.headerFields[HTTPField.Name("x-name")!] == "Ada")
        #expect(whole.requests[0].head.headerFields.count == 1)
        #expect(whole.requests[1].body == Array("hello".utf8))
        #expect(whole.requests[2].body == Array("hello0123456789".utf8))
        #expect(whole.trailers[2][HTTPField.Name("X-Sum")!] == "15")
        #expect(whole.keepsAlive == [true, true, false])
        for division in Divisions.all(of: Self.several) { #expect(Self.read(division) == whole) }
    }

    @Test(
        "What could be read in two ways, or is not HTTP, is refused",
        arguments: [
            ("GET / HTTP/1.1\nHost: a\nContent-Length: 3\nContent-Length: 4\n\nabcd", 400),
            ("GET / HTTP/1.1\nHost: a\nContent-Length: 3\nContent-Length: 3\n\nabc", 400),
            ("GET / HTTP/1.1\nHost: a\nContent-Length: 3, 3\n\nabc", 400),
            ("GET / HTTP/1.1\nHost: a\nContent-Length: +3\n\nabc", 400),
            ("GET / HTTP/1.1\nHost: a\nContent-Length: -3\n\nabc", 400),
            ("GET / HTTP/1.1\nHost: a\nContent-Length: 0x3\n\nabc", 400),
            ("GET / HTTP/1.1\nHost: a\nContent-Length: 99999999999999999999\n\nabc", 400),
            ("GET / HTTP/1.1\nHost: a\nContent-Length: \n\nabc", 400),
            ("GET / HTTP/1.1\nHost: a\nContent-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked\n\n0\n\n", 501),
            ("GET / HTTP/1.1\nHost: a\nTransfer-Encoding: xchunked\n\n0\n\n", 501),
            ("GET / HTTP/1.0\nTransfer-Encoding: chunked\n\n0\n\n", 400),
            ("GET / HTTP/1.1\nHost : a\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\n b\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\n\tb\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\nX: a\u{0}b\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\n: b\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\nNo colon\n\n", 400),
            ("GET / HTTP/1.1\n\n", 400),
            ("GET / HTTP/1.1\nHost: a\nHost: a\n\n", 400),
            ("GET  / HTTP/1.1\nHost: a\n\n", 400),
            ("GET / HTTP/1.1 \nHost: a\n\n", 400),
            ("GET /a b HTTP/1.1\nHost: a\n\n", 400),
            ("GET /\u{7F} HTTP/1.1\nHost: a\n\n", 400),
            ("G@T / HTTP/1.1\nHost: a\n\n", 400),
            ("GET / HTTP/2.0\nHost: a\n\n", 505),
            ("GET / HTTP/1.1x\nHost: a\n\n", 400),
            ("GET / http/1.1\nHost: a\n\n", 400),
            ("GET /\nHost: a\n\n", 400),
            ("\n\nGET / HTTP/1.1\nHost: a\n\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nx\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n-1\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n 1\na\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n1 \na\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n;x\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\nFFFFFFFFFFFFFFFF\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n7FFFFFFFFFFFFFF\n", 413),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n2\nabc\n", 400),
            ("POST / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n0\n bad\n\n", 400),
            ("POST / HTTP/1.1\nHost: a\nContent-Length: 33554433\n\n", 413),
        ])
    func refusals(text: String, status: Int) {
        let bytes = text.wire
        let whole = Self.read([bytes])
        #expect(whole.error?.status.code == status)
        for division in Divisions.all(of: bytes) { #expect(Self.read(division).error == whole.error) }
    }

    @Test(
        "A carriage return or a line feed alone ends no line",
        arguments: [
            "GET / HTTP/1.1\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\n",
            "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", "GET / HTTP/1.1\rX\r\nHost: a\r\n\r\n",
            "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\na\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\n",
        ])
    func bareLineEnds(text: String) {
        for division in Divisions.all(of: Array(text.utf8)) {
            #expect(Self.read(division).error?.status == .badRequest)
        }
    }

    @Test("A head beyond the limits is refused as soon as it is")
    func limits() {
        let limits = HTTPLimits(startLine: 40, head: 100, fields: 3, body: 4)
        let longTarget = "GET /\(String(repeating: "a", count: 40))".wire
        let longField = "GET / HTTP/1.1\nHost: \(String(repeating: "a", count: 90))".wire
        let manyFields = "GET / HTTP/1.1\nHost: a\nA: 1\nB: 2\nC: 3\n\n".wire
        let longBody = "GET / HTTP/1.1\nHost: a\nContent-Length: 5\n\n".wire
        for division in Divisions.all(of: longTarget) {
            #expect(Self.read(division, limits: limits).error?.status == .uriTooLong)
        }
        for division in Divisions.all(of: longField) {
            #expect(Self.read(division, limits: limits).error?.status == .requestHeaderFieldsTooLarge)
        }
        for division in Divisions.all(of: manyFields) {
            #expect(Self.read(division, limits: limits).error?.status == .requestHeaderFieldsTooLarge)
        }
        #expect(Self.read([longBody], limits: limits).error?.status == .contentTooLarge)
        #expect(Self.read(["GET / HTTP/1.1\nHost: a\nA: 1\nB: 2\n\n".wire], limits: limits).error == nil)
    }

    @Test("An absolute target names the authority")
    func absoluteTarget() {
        let reading = Self.read(["GET http://other.test:81/a?b HTTP/1.1\nHost: desk.test\n\n".wire])
        #expect(reading.requests.first?.head.authority == "other.test:81")
        #expect(reading.requests.first?.head.path == "/a?b")
    }

    @Test("HTTP/1.0 keeps a connection only on request")
    func version10() {
        #expect(Self.read(["GET / HTTP/1.0\n\n".wire]).keepsAlive == [false])
        #expect(Self.read(["GET / HTTP/1.0\nConnection: keep-alive\n\n".wire]).keepsAlive == [true])
        #expect(Self.read(["GET / HTTP/1.1\nHost: a\nConnection: Keep-Alive, Close\n\n".wire]).keepsAlive == [false])
    }

    @Test("Random and damaged bytes end in requests or an error, never otherwise", arguments: 0..<40)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for _ in 0..<200 {
            var bytes = Self.several
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: "\r\n \t:0".utf8.shuffled(using: &random).prefix(2), at: place)
                }
            }
            let whole = Self.read([bytes])
            let divided = Self.read(Divisions.random(of: bytes, longest: 7, using: &random))
            #expect(divided.requests == whole.requests)
            #expect(divided.error == whole.error)
        }
        let noise = random.bytes(400)
        #expect(Self.read([noise]).requests.isEmpty)
    }
}
