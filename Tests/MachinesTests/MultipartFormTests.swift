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
