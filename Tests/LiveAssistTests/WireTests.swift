import JSON
import Machines
import Testing

@testable import LiveAssist

@Suite("Wire forms")
struct WireTests {
    @Test("A frame is three little-endian numbers and a payload")
    func frameBytes() {
        let frame = TopicFrame(.sendMessage, topic: 1, participant: 0x0203, payload: [9])
        #expect(frame.bytes == [0x84, 0x4E, 1, 0, 3, 2, 9])
        #expect(TopicFrame(frame.bytes) == frame)
        #expect(TopicFrame(.ping, topic: 0).bytes == [100, 0, 0, 0, 0, 0])
    }

    @Test(
        "Every kind of frame survives writing and reading, and every cut of its head is refused",
        arguments: TopicFrame.Kind.allCases)
    func frameRoundTrip(kind: TopicFrame.Kind) {
        let frame = TopicFrame(kind, topic: 65_535, participant: 1, payload: [1, 2, 3])
        #expect(TopicFrame(frame.bytes) == frame)
        for length in 0..<6 { #expect(TopicFrame(Array(frame.bytes[..<length])) == nil) }
    }

    @Test("Unknown kinds and frames above the limit are refused")
    func badFrames() {
        #expect(TopicFrame([1, 0, 0, 0, 0, 0]) == nil)
        #expect(TopicFrame([100, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: TopicFrame.limit)) == nil)
    }

    @Test("Opening a private topic carries permissions before its metadata")
    func privateTopic() throws {
        let frame = TopicFrame.openPrivate(parent: 0, metadata: ["type": "input"], permissions: [(2, .allowed)])
        #expect(Array(frame.payload.prefix(6)) == [1, 0, 2, 0, 2, 0])
        let read = try #require(frame.privateTopic)
        #expect(read.permissions.map(\.0) == [2] && read.permissions.map(\.1) == [.allowed])
        #expect(read.metadata == ["type": "input"])
        for length in 0..<frame.payload.count {
            let cut = TopicFrame(.openPrivateTopic, topic: 0, payload: Array(frame.payload[..<length]))
            #expect(cut.privateTopic == nil)
        }
    }

    @Test("A permission frame has target and permission")
    func permissionFrame() throws {
        let frame = TopicFrame.permission(topic: 1, target: 2, .requested)
        #expect(frame.payload == [2, 0, 1, 0])
        #expect(try #require(frame.permission).permission == .requested)
        #expect(TopicFrame(.setPermission, topic: 1, payload: [2, 0, 9, 0]).permission == nil)
        #expect(TopicFrame(.setPermission, topic: 1, payload: [2, 0, 1]).permission == nil)
    }

    private static let messages: [(WindowMessage, Int16, Int)] = [
        (.windowResized(width: 390, height: 844), 1001, 6), (.windowMoved(x: -1, y: 2, isMoving: true), 1002, 8),
        (.rectangleUpdated(x: 1, y: 2, width: 3, height: 4, format: .jpeg, image: [5, 6]), 1003, 14),
        (.windowClosed(.supportEnded), 1004, 4), (.scrollbars(horizontal: true, vertical: false), 1005, 6),
        (.offAssist, 8001, 2), (.onAssist, 8002, 2), (.zoomLevel(percent: 300), 4002, 4),
        (.mouseDown(x: 1, y: 2, button: 3), 3001, 8), (.mouseUp(x: 1, y: 2, button: 3), 3002, 8),
        (.doubleClick(x: 1, y: 2), 3003, 6), (.mouseMove(x: 1, y: 2), 3004, 6),
        (.inputAtLocation(x: 1, y: 2, text: "ü"), 6003, 8), (.scroll(.up), 7001, 2), (.scroll(.down), 7002, 2),
        (.scroll(.left), 7003, 2), (.scroll(.right), 7004, 2), (.annotationsSet(""), 2001, 2),
        (.annotationAdded("<path/>"), 2002, 9), (.cursorPing(x: 1, y: 2), 9001, 6),
        (.pushDocument(id: 0, url: "u"), 4001, 5), (.pushContentStart(id: 0, type: "t"), 4003, 5),
        (.contentChunk(id: 1, bytes: [1]), 4004, 5), (.contentEnd(id: 1), 4005, 4), (.documentAccepted(id: 1), 4006, 4),
        (.documentRejected(id: 1), 4007, 4), (.documentSucceeded(id: 1), 4008, 4),
        (.documentFailed(id: 1, error: 2, http: 404, details: "x"), 4009, 9), (.closeRequest(id: 1), 4010, 4),
        (.documentClosed(id: 1, .agent), 4011, 6), (.contentMetadata(id: 1, text: "x"), 4012, 5),
        (.snapshotStart, 5001, 2), (.snapshotChunk([1]), 5002, 3), (.snapshotEnd, 5003, 2),
        (.inputElements(["screenId": 1, "descriptors": []]), 6001, 33),
        (.inputPopulated(["screenId": 1, "descriptors": []]), 6002, 33), (.inputClicked(x: 1, y: 2, [:]), 6004, 8),
        (.inputMoved, 6005, 2), (.selectFocused(x: 1, y: 2, [:]), 6006, 8), (.selectBlurred(x: 1, y: 2, [:]), 6007, 8),
    ]

    @Test(
        "Every message has its code and length, and survives writing and reading", arguments: WireTests.messages.indices
    )
    func messageRoundTrip(index: Int) {
        let (message, code, length) = Self.messages[index]
        let bytes = message.bytes
        #expect(bytes.count == length)
        #expect(Int16(bitPattern: UInt16(bytes[0]) | UInt16(bytes[1]) << 8) == code)
        #expect(WindowMessage(bytes) == message)
    }

    @Test(
        "A form has a number and a list of fields",
        arguments: [[], [:], ["screenId": 1], ["descriptors": []], ["screenId": "1", "descriptors": []]] as [JSONValue])
    func noForm(value: JSONValue) {
        #expect(WindowMessage(WindowMessage.inputElements(value).bytes) == nil)
        #expect(WindowMessage(WindowMessage.inputPopulated(value).bytes) == nil)
    }

    @Test("A picture's bytes begin at offset 12")
    func imageOffset() {
        let bytes = WindowMessage.rectangleUpdated(x: 0, y: 0, width: 1, height: 1, format: .png, image: [0xAB]).bytes
        #expect(bytes[12] == 0xAB)
    }

    @Test("No bytes trap a decoder", arguments: 1...50)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let codes: [Int] = Self.messages.map { Int($0.1) }
        for _ in 0..<400 {
            var bytes: [UInt8] = []
            bytes.append(signed: codes.randomElement(using: &random)!)
            bytes += random.bytes(Int.random(in: 0..<24, using: &random))
            if let message = WindowMessage(bytes) { #expect(WindowMessage(message.bytes) != nil) }
            _ = TopicFrame(bytes)?.privateTopic
            _ = ScreenPicture.decode(bytes)
            _ = try? Annotation(String(decoding: bytes, as: UTF8.self), topic: 1)
        }
    }

    @Test("A picture is a PNG whose text says what is drawn; cuts of it say nothing")
    func picture() {
        let content: JSONValue = ["elements": [["label": "grün"]]]
        let image = ScreenPicture.encode(content)
        #expect(Array(image.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        #expect(Array(image.suffix(12)) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
        #expect(ScreenPicture.decode(image) == content)
        for length in 0..<60 { #expect(ScreenPicture.decode(Array(image[..<length])) == nil) }
    }

    @Test("Error codes are the vendor's")
    func errorCodes() {
        #expect(ErrorCode.allCases.count == 19)
        #expect(ErrorCode(rawValue: 40101)?.name == "assistConsumerDocumentShareFailedNotScreenSharing")
        #expect(ErrorCode.assistSessionInProgress.rawValue == 30103)
    }

    @Test("Hexadecimal text reads back, whatever it says", arguments: ["", "a", "order 42 ü", "\u{1F600}"])
    func hexadecimal(text: String) {
        #expect(UserToUser.decode(UserToUser.encode(text)) == text)
    }

    @Test("What is no hexadecimal text is nil", arguments: ["a", "zz", "ff", "+1", "-1"])
    func noHexadecimal(text: String) {
        #expect(UserToUser.decode(text) == nil)
    }

    @Test(
        "A server name is read in every listed form",
        arguments: [
            ("h", "https", "h", 8443), ("//h", "https", "h", 8443), ("//h:99", "https", "h", 99),
            ("h:99", "https", "h", 99),
            ("http://h", "http", "h", 8080), ("http://h:99", "http", "h", 99), ("https://h", "https", "h", 8443),
            ("[1::2]:99", "https", "[1::2]", 99), ("//[1::2]", "https", "[1::2]", 8443),
            ("http://[1::2]", "http", "[1::2]", 8080), ("[1::2]", "https", "[1::2]", 8443),
            ("//[1::2]:5", "https", "[1::2]", 5), ("http://[1::2]:5", "http", "[1::2]", 5),
            ("HTTP://Host/", "http", "host", 8080),
        ])
    func serverNames(text: String, scheme: String, host: String, port: Int) throws {
        let server = try #require(ServerObject(text))
        #expect(server.scheme == scheme && server.host == host && server.port == port)
    }

    @Test(
        "What is no server name is refused",
        arguments: [
            "", "//", "h:", "h:0", "h:65536", "h:x", "1::2", "[1::2", "[]", "[h]", "ftp://h", "http://", "h/path",
            "h h", "h\r\nX: y",
        ])
    func noServerNames(text: String) throws {
        #expect(ServerObject(text) == nil)
        let world = try TestWorld()
        let consumer = try world.add()
        guard case .refused = world.command(consumer, "parse_url", ["server": .string(text)]) else {
            Issue.record("must be refused")
            return
        }
    }
}
