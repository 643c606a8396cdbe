import HTTPTypes
import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Attachments")
struct AttachmentTests {
    @Test("a file is uploaded, then sent as a message, and can be downloaded")
    func upload() throws {
        let rehearsal = try Rehearsal(server: ["echo": true])
        rehearsal.connect()
        #expect(
            rehearsal.do("upload", ["file": ["name": "a b.png", "text": "pixels"]]) == .done("Uploading attachment"))
        rehearsal.run(.seconds(1))
        let request = try #require(rehearsal.requests.first)
        #expect(request.head.path?.hasPrefix("/chat/v1/attachments?channelId=") == true)
        #expect(request.head.headerFields[HTTPField.Name("x-oda-meta-file-size")!] == "6")
        #expect(request.head.headerFields[.authorization] == nil)
        let uploaded = try #require(rehearsal.last(.attachmentUploaded))
        #expect(uploaded.fields["type"] == "image")
        #expect(uploaded.fields["media_type"] == "image/png")
        let attachment = rehearsal.sent.last?["messagePayload"]?["attachment"]
        #expect(attachment?["title"] == "a b.png")
        #expect(attachment?["url"]?.string?.hasPrefix("http://oda.test/attachment/v1/attachments/") == true)
        #expect(rehearsal.server.machine.files.files.values.first?.bytes == Array("pixels".utf8))
    }

    @Test("what the menu takes for a sound, a picture or a film is sent as one")
    func kinds() throws {
        let kinds: [(String, [String])] = [
            ("audio", ["aac", "amr", "m4a", "mp3", "mp4a", "mpga", "oga", "ogg", "WAV"]),
            ("image", ["gif", "jfif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"]),
            (
                "video",
                ["3g2", "3gp", "avi", "m4v", "mov", "mp4", "mpeg", "mpg", "ogv", "qt", "webm", "wmv"]
            ), ("file", ["7z", "docx", "eml", "key", "msg", "pdf", "yaml"]),
        ]
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        for (kind, endings) in kinds {
            for ending in endings {
                rehearsal.do("upload", ["file": ["name": .string("a.\(ending)"), "text": "x"]])
                rehearsal.run(.milliseconds(10))
                #expect(rehearsal.last(.attachmentUploaded)?.fields["type"] == .string(kind), "\(ending)")
                #expect(rehearsal.sent.last?["messagePayload"]?["attachment"]?["type"] == .string(kind))
            }
        }
    }

    @Test("the name of a file is encoded as a URL is, delimiters left as they are, and comes back as it was")
    func encodedName() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        let name = "a+b;c, (1)&'ü'\"%.png"
        rehearsal.do("upload", ["file": ["name": .string(name), "text": "pixels"]])
        rehearsal.run(.seconds(1))
        let body = String(decoding: try #require(rehearsal.requests.first).body, as: UTF8.self)
        #expect(body.contains(#"filename="a+b;c,%20(1)&'%C3%BC'%22%25.png""#))
        #expect(rehearsal.server.machine.files.files.values.first?.name == name)
        #expect(rehearsal.last(.attachmentUploaded)?.fields["name"] == .string(name))
    }

    @Test(
        "a client that gives its connection up stops its uploads, and says so", arguments: ["disconnect", "go_offline"])
    func givenUp(_ method: String) throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.do("upload", ["file": ["name": "a.png", "text": "pixels"]])
        rehearsal.do(method)
        rehearsal.run(.seconds(1))
        #expect(rehearsal.all(.attachmentUploaded).isEmpty)
        let error = try #require(rehearsal.last(.error))
        #expect(error.fields["code"] == "UploadNetworkFail")
        #expect(error.fields["name"] == "a.png")
        #expect(error.fields["banner"] == "Error in uploading attachment")
        #expect(rehearsal.all(.error).count == 1)
        rehearsal.do("go_online")
        rehearsal.connect()
        rehearsal.do("upload", ["file": ["name": "b.png", "text": "pixels"]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.attachmentUploaded)?.fields["name"] == "b.png", "the next one goes through")
    }

    @Test("security headers go with the file, and a protected file needs the token")
    func security() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "s"],
            client: [
                "enable_attachment_security": true, "token_fixture": ["secret": "s", "user_id": "ada"],
            ])
        rehearsal.connect()
        rehearsal.do("upload", ["file": ["name": "a.txt", "text": "secret"]])
        rehearsal.run(.seconds(1))
        let fields = try #require(rehearsal.requests.first).head.headerFields
        #expect(fields[HTTPField.Name("x-oda-meta-file-isProtected")!] == "True")
        #expect(fields[HTTPField.Name("x-oda-meta-file-authType")!] == "ChannelClientAuth")
        #expect(fields[.authorization]?.hasPrefix("Bearer ") == true)
        let url = try #require(rehearsal.last(.attachmentUploaded)?.fields["url"]?.string)
        let withToken = try #require(rehearsal.read("download_url", ["url": .string(url)]).string)
        for (address, status) in [(url, 401), (withToken, 200), (withToken + "x", 401)] {
            let path = String(address.dropFirst("http://oda.test".count))
            let request = HTTPRequest(method: .get, scheme: "http", authority: "oda.test", path: path)
            var step = ServerStep(now: rehearsal.now, random: RandomSource(seed: 1))
            rehearsal.server.handle(.requested(ExchangeID(99), Request(request)), in: &step)
            guard case .respond(_, let response) = step.effects[0] else {
                Issue.record("the server did not answer")
                return
            }
            #expect(response.head.status.code == status)
        }
    }

    @Test(
        "files that cannot be sent are told with the vendor's code and words, and nothing goes out",
        arguments: [
            (["name": "a.txt", "size": 0], "UploadZeroSize", "Files of size zero bytes can not be uploaded."),
            (["name": "a.txt", "size": 26_214_401], "UploadMaxSize", "You can only attach files of size up to 25MB."),
            (["name": "a.exe", "size": 5], "UploadBadFile", "File type not supported"),
        ] as [(JSONObject, String, String)])
    func refusedHere(_ file: JSONObject, _ code: String, _ words: String) throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.do("upload", ["file": .object(file)])
        #expect(rehearsal.last(.error)?.fields["code"] == .string(code))
        #expect(rehearsal.last(.error)?.fields["message"] == .string(words))
        #expect(rehearsal.requests.isEmpty)
    }

    @Test("the largest file that is allowed goes through")
    func largest() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.do("upload", ["file": ["name": "a.txt", "size": 26_214_400]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.attachmentUploaded)?.fields["size"] == 26_214_400)
    }

    @Test(
        "statuses of the server become the vendor's codes",
        arguments: [
            (413, "UploadMaxSize"), (415, "UploadBadFile"), (401, "UploadUnauthorized"), (403, "UploadUnauthorized"),
            (500, "UploadNetworkFail"), (400, "UploadNetworkFail"),
        ])
    func refusedThere(_ status: Int64, _ code: String) throws {
        let rehearsal = try Rehearsal(server: ["faults": ["upload_status": .integer(status)]])
        rehearsal.connect()
        rehearsal.do("upload", ["file": ["name": "a.txt", "text": "a"]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.error)?.fields["code"] == .string(code))
        #expect(rehearsal.last(.error)?.fields["banner"] == "Error in uploading attachment")
        #expect(rehearsal.sent.isEmpty)
    }

    @Test("attachments can be switched off, and need a connection")
    func notAvailable() throws {
        let rehearsal = try Rehearsal(client: ["enable_attachment": false])
        rehearsal.connect()
        rehearsal.do("upload", ["file": ["name": "a.txt", "text": "a"]])
        #expect(rehearsal.last(.error)?.fields["code"] == "UploadNotAvailable")
        #expect(try rehearsal.read("share_menu") == ["items": [], "custom": []])
        let unconnected = try Rehearsal()
        unconnected.do("upload", ["file": ["name": "a.txt", "text": "a"]])
        #expect(unconnected.last(.error)?.fields["code"] == "ConnectionNone")
    }

    @Test(
        "the share menu filters kinds and sizes, under both of its names",
        arguments: ["share_menu_configuration", "share_popup_configuration"])
    func shareMenu(_ name: String) throws {
        let menu: JSONValue = ["items": ["audio"], "custom": [["types": ["pdf"], "label": "PDF", "max_size": 1]]]
        let rehearsal = try Rehearsal(client: [name: menu])
        rehearsal.connect()
        rehearsal.do("upload", ["file": ["name": "a.png", "text": "a"]])
        #expect(rehearsal.last(.error)?.fields["code"] == "UploadBadFile")
        rehearsal.do("upload", ["file": ["name": "a.pdf", "size": 1025]])
        #expect(rehearsal.last(.error)?.fields["code"] == "UploadMaxSize")
        rehearsal.forget()
        rehearsal.do("upload", ["file": ["name": "a.pdf", "size": 1024]])
        rehearsal.do("upload", ["file": ["name": "a.wav", "size": 2000]])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.all(.attachmentUploaded).count == 2)
        rehearsal.do("set_share_menu", ["menu": ["items": ["visual"]]])
        rehearsal.forget()
        rehearsal.do("upload", ["file": ["name": "a.png", "text": "a"]])
        #expect(rehearsal.last(.error) == nil)
        #expect(
            try rehearsal.read("share_menu")["items"] == [
                ["item": "visual", "label": "Photo & Video Library"], ["item": "camera", "label": "Camera"],
            ])
        rehearsal.do("upload", ["file": ["name": "a.png", "text": "a", "from": "camera", "permission": false]])
        #expect(rehearsal.last(.error)?.fields["message"] == "Camera permission denied.")
    }

    @Test("an upload that begins uses up the actions of earlier messages")
    func pastActions() throws {
        let rehearsal = try Rehearsal()
        rehearsal.connect()
        rehearsal.serve("say", ["message": ["text": "?", "actions": ["One"]]])
        rehearsal.run(.seconds(1))
        rehearsal.do("upload", ["file": ["name": "a.txt", "text": "a"]])
        if case .done = rehearsal.do("tap", ["label": "One"]) { Issue.record("the button can still be tapped") }
    }
}
