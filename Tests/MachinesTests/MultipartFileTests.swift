import HTTPTypes
import Machines
import Testing

@Suite("Files in forms")
struct MultipartFileTests {
    private static let type = "multipart/form-data; boundary=b"

    @Test("a file reads back as it was attached, whatever its bytes are", arguments: [0, 1, 2, 100, 5_000])
    func roundTrip(size: Int) throws {
        var random = RandomSource(seed: 9)
        let file = MultipartFile(name: "a.jpg", type: "image/jpg", content: random.bytes(size))
        var request = Request(HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/"))
        request.attach(file, as: "image", boundary: "b")
        let type = try #require(request.head.headerFields[.contentType])
        #expect(type == Self.type)
        #expect(MultipartFile(field: "image", in: request.body, contentType: type) == file)
        #expect(MultipartFile(field: "file", in: request.body, contentType: type) == nil)
        #expect(MultipartFile(field: "image", in: request.body, contentType: "text/plain") == nil)
    }

    @Test("a file is found behind other parts, and what it leaves open has a default")
    func secondPart() throws {
        let body =
            "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nxyz\r\n--b--\r\n"
        let file = try #require(MultipartFile(field: "file", in: Array(body.utf8), contentType: Self.type))
        #expect(file == MultipartFile(name: "", type: "application/octet-stream", content: Array("xyz".utf8)))
    }

    @Test("forms of any shape never trap and are read only when whole")
    func anyShape() {
        var random = RandomSource(seed: 5)
        let body = Array(
            "--b\r\nContent-Disposition: form-data; name=\"attachment\"; filename=\"a\"\r\n\r\nxyz\r\n--b--\r\n".utf8)
        for end in 0...body.count {
            let file = MultipartFile(field: "attachment", in: Array(body[..<end]), contentType: Self.type)
            #expect((file != nil) == (end >= body.count - 4))
        }
        for _ in 0..<500 {
            var broken = body
            for _ in 0..<4 {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = MultipartFile(field: "attachment", in: broken, contentType: Self.type)
        }
    }
}
