import JSON
import Machines
import Testing

@Suite("Forms with files")
struct MultipartFormTests {
    @Test("plain fields and files stand in their order")
    func body() {
        let form = MultipartForm(
            [
                .init(name: "note", content: Array("hello".utf8)),
                .init(name: "file", fileName: "a \"b\".txt", type: "text/plain", content: [1, 2]),
            ], boundary: "b")
        #expect(form.type == "multipart/form-data; boundary=b")
        #expect(
            form.body
                == Array(
                    "--b\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nhello\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a %22b%22.txt\"\r\nContent-Type: text/plain\r\n\r\n"
                        .utf8) + [1, 2] + Array("\r\n--b--\r\n".utf8))
    }

    @Test("the boundary stands in no part")
    func boundary() {
        let form = MultipartForm([.init(name: "a", content: Array("x ----repartee-0 ----repartee-1".utf8))])
        #expect(form.type == "multipart/form-data; boundary=----repartee-2")
        #expect(MultipartFile(field: "a", in: form.body, contentType: form.type)?.content.count == 31)
    }

    @Test("a name cannot end its line")
    func injection() {
        let form = MultipartForm([.init(name: "a\r\nX: y", content: [])], boundary: "b")
        #expect(String(decoding: form.body, as: UTF8.self).contains("name=\"a%0D%0AX: y\""))
    }

    @Test("scripts give a text, JSON or bytes")
    func script() throws {
        let form = try MultipartForm(script: [
            ["name": "t", "text": "hi"], ["name": "j", "json": ["a": 1]],
            ["name": "f", "base64": "AQI=", "filename": "x.bin"],
        ])
        let text = String(decoding: form.body, as: UTF8.self)
        #expect(text.contains("name=\"t\"\r\n\r\nhi\r\n"))
        #expect(text.contains("name=\"j\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n"))
        #expect(
            text.contains(
                "name=\"f\"; filename=\"x.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n\u{1}\u{2}\r\n"))
    }

    @Test("the fields of a form read back as they were written, whatever their names and bytes are", arguments: 0..<20)
    func roundTrip(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let names = ["a", "a \"b\".txt", "ü; name=\"x\"", "two\r\nlines", "back\\slash", ""]
        let parts = (0..<Int(seed % 5)).map { number in
            MultipartForm.Part(
                name: names[Int.random(in: 0..<names.count, using: &random)],
                fileName: number % 2 == 0 ? nil : names[Int.random(in: 0..<names.count, using: &random)],
                type: number % 3 == 0 ? nil : "text/plain; charset=utf-8",
                content: random.bytes(Int.random(in: 0..<50, using: &random)) + Array("\r\n--\r\n".utf8))
        }
        let form = MultipartForm(parts)
        #expect(MultipartForm.parts(of: form.body, contentType: form.type) == parts)
    }

    @Test(
        "names stand as browsers, curl and others write them",
        arguments: [
            ("form-data; name=\"a\"; filename=\"x.txt\"", "a", "x.txt"), ("form-data; name=a", "a", nil),
            ("form-data;filename=x.txt ; NAME=\"a\"", "a", "x.txt"), ("form-data; name=\"a\\\"b\"", "a\"b", nil),
            ("form-data; name=\"a%22b\"; filename=\"C:\\dir\\x\"", "a\"b", "C:\\dir\\x"),
            ("form-data; filename=\"name=b; name=c\"; name=\"a\"", "a", "name=b; name=c"),
            ("form-data; name=\"a%20b%zz\"; filename=\"\"", "a%20b%zz", ""),
        ] as [(String, String, String?)])
    func names(disposition: String, name: String, fileName: String?) throws {
        let body = "--b\r\nCONTENT-disposition: \(disposition)\r\nX-Other\r\n\r\nhi\r\n--b--\r\n"
        let parts = MultipartForm.parts(of: Array(body.utf8), contentType: "Multipart/Form-Data; boundary=\"b\"")
        #expect(parts == [MultipartForm.Part(name: name, fileName: fileName, content: Array("hi".utf8))])
    }

    @Test(
        "what is no whole form is none",
        arguments: [
            "", "--b", "--b\r\n", "--c--\r\n", "--b\r\n\r\nhi\r\n--b--",
            "--b\r\nContent-Disposition: form-data\r\n\r\nhi\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhi",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhi\r\n--b",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhi\r\n--b\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\nhi\r\n--b--",
        ])
    func broken(body: String) {
        #expect(MultipartForm.parts(of: Array(body.utf8), contentType: "multipart/form-data; boundary=b") == nil)
    }

    @Test("a form of another type, without a boundary or of too many fields is none")
    func refusedForms() {
        func form(_ count: Int) -> MultipartForm {
            MultipartForm((0..<count).map { .init(name: "\($0)", content: []) }, boundary: "b")
        }
        func parts(_ count: Int, _ type: String) -> Int? {
            MultipartForm.parts(of: form(count).body, contentType: type)?.count
        }
        #expect(parts(1, "multipart/form-data; boundary=b") == 1)
        #expect(parts(MultipartForm.partLimit, "multipart/form-data; boundary=b") == MultipartForm.partLimit)
        #expect(parts(MultipartForm.partLimit + 1, "multipart/form-data; boundary=b") == nil)
        for type in [
            "multipart/mixed; boundary=b", "multipart/form-data", "multipart/form-data; boundary=",
            "multipart/form-data; boundary=\"\"", "multipart/form-data; boundary=c", "",
        ] { #expect(parts(1, type) == nil, "\(type)") }
    }

    @Test(
        "a part that cannot be sent is refused",
        arguments: [
            ["name": "a"], ["name": "a", "text": "x", "base64": ""], ["name": "a", "base64": "%"],
            ["name": "a", "text": "x", "type": "a\r\nb"],
        ] as [JSONValue])
    func refusals(part: JSONValue) {
        #expect(throws: ConfigurationError.self) { try MultipartForm(script: [part]) }
    }
}
