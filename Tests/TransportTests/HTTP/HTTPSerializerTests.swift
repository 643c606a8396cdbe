import HTTPTypes
import Machines
import Testing
import Transport

@Suite("The writer of HTTP messages")
struct HTTPSerializerTests {
    @Test("A request is written with its framing and read back equal")
    func request() {
        let head = HTTPRequest(
            method: .post, scheme: "http", authority: "desk.test", path: "/say",
            headerFields: [.contentType: "text/plain", .contentLength: "99", .transferEncoding: "chunked"])
        var bytes: [UInt8] = []
        HTTPSerializer.write(Request(head, body: Array("hello".utf8)), into: &bytes)
        #expect(
            bytes == "POST /say HTTP/1.1\nHost: desk.test\nContent-Type: text/plain\nContent-Length: 5\n\nhello".wire)
        let reading = HTTPRequestParserTests.read([bytes])
        #expect(reading.requests.first?.body == Array("hello".utf8))
    }

    @Test("Cookies have one line, wherever they were set")
    func cookies() {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/")
        head.headerFields[.cookie] = "a=1; b=2"
        head.headerFields[.accept] = "*/*"
        head.headerFields.append(HTTPField(name: .cookie, value: "c=3"))
        var bytes: [UInt8] = []
        HTTPSerializer.write(Request(head), into: &bytes)
        #expect(bytes == "GET / HTTP/1.1\nHost: a\nCookie: a=1; b=2; c=3\nAccept: */*\n\n".wire)
    }

    @Test("A target cannot smuggle in another line")
    func target() {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/a b é")
        var bytes: [UInt8] = []
        HTTPSerializer.write(Request(head), into: &bytes)
        #expect(bytes == "GET /a%20b%20%C3%A9 HTTP/1.1\nHost: a\n\n".wire)
    }

    @Test(
        "An answer has a length where it may have one",
        arguments: [
            (200, HTTPRequest.Method.get, "Content-Length: 2\n\nhi"), (200, .head, "Content-Length: 2\n\n"),
            (204, .get, "\n"), (304, .get, "\n"),
        ])
    func response(status: Int, method: HTTPRequest.Method, rest: String) {
        let response = Response(
            HTTPResponse(status: .init(code: status, reasonPhrase: "Fine"), headerFields: [.connection: "x"]),
            body: Array("hi".utf8))
        var bytes: [UInt8] = []
        HTTPSerializer.write(response, to: method, keepsAlive: true, into: &bytes)
        #expect(bytes == "HTTP/1.1 \(status) Fine\n\(rest)".wire)
    }

    @Test(
        "The head of a streamed answer says how its body ends",
        arguments: [
            (HTTPBodyFraming.chunked, true, "Transfer-Encoding: chunked\n\n"),
            (.chunked, false, "Transfer-Encoding: chunked\nConnection: close\n\n"),
            (.length(7), true, "Content-Length: 7\n\n"), (.untilClose, true, "Connection: close\n\n"),
        ])
    func streamedHead(framing: HTTPBodyFraming, keepsAlive: Bool, rest: String) {
        let head = HTTPResponse(
            status: .init(code: 200, reasonPhrase: "Fine"), headerFields: [.contentLength: "1", .connection: "x"])
        var bytes: [UInt8] = []
        HTTPSerializer.begin(head, framing: framing, keepsAlive: keepsAlive, into: &bytes)
        #expect(bytes == "HTTP/1.1 200 Fine\n\(rest)".wire)
    }

    @Test(
        "The framing follows from the head and the client's version",
        arguments: [
            ([:], true, .chunked), ([:], false, .untilClose), ([.contentLength: "5"], false, .length(5)),
            ([.contentLength: "-5"], true, .chunked), ([.contentLength: "x"], true, .chunked),
            ([.connection: "Close"], true, .untilClose), ([.connection: "keep-alive"], true, .chunked),
        ] as [(HTTPFields, Bool, HTTPBodyFraming)])
    func framing(fields: HTTPFields, isVersion11: Bool, framing: HTTPBodyFraming) {
        let head = HTTPResponse(status: .ok, headerFields: fields)
        #expect(HTTPBodyFraming(for: head, isVersion11: isVersion11) == framing)
    }

    @Test("A streamed answer is read back whole")
    func streamed() {
        var bytes: [UInt8] = []
        HTTPSerializer.begin(HTTPResponse(status: .ok), framing: .chunked, keepsAlive: true, into: &bytes)
        HTTPSerializer.chunk(Array("hello ".utf8), into: &bytes)
        HTTPSerializer.chunk([], into: &bytes)
        HTTPSerializer.chunk(Array(repeating: 0x61, count: 300), into: &bytes)
        bytes += HTTPSerializer.lastChunk
        let reading = HTTPResponseParserTests.read([bytes], to: [.get])
        #expect(reading.responses.first?.body == Array("hello ".utf8) + Array(repeating: 0x61, count: 300))
        #expect(reading.error == nil)
    }
}
