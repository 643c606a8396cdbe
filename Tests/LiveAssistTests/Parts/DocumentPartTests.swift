import HTTPTypes
import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("The documents of a consumer go through their transition table, and through nothing else")
struct DocumentPartTests {
    private typealias Input = TransitionWalk<DocumentPart>.Input

    private static func state(_ part: DocumentPart) -> String {
        part.documents.first.map { "\($0.state)" } ?? "none"
    }

    private static func isNone(_ part: DocumentPart) -> Bool { part.documents.isEmpty }

    private static func pushes(
        _ asked: CobrowseContext, _ unasked: CobrowseContext, _ paused: CobrowseContext
    ) -> [Input] {
        let url = WindowMessage.pushDocument(id: 0, url: "/a.pdf")
        let content = WindowMessage.pushContentStart(id: 0, type: "image/png")
        let other = WindowMessage.pushContentStart(id: 0, type: "text/html")
        func push(_ name: String, _ message: WindowMessage, _ context: CobrowseContext) -> Input {
            Input(name, if: Self.isNone) { _ = $0.handle(.received(message, from: 2), context) }
        }
        return [
            push("a URL with somebody to ask", url, asked),
            push("content with somebody to ask", content, asked),
            push("a URL", url, unasked), push("content", content, unasked),
            push("another type", other, unasked),
            push("a URL while paused", url, paused),
        ]
    }

    /// What comes of a document that is being fetched.
    private static func ofFetch(
        _ name: String, _ context: CobrowseContext, _ input: @escaping (Int64) -> DocumentPart.Input
    ) -> Input {
        Input(name, if: { $0.documents.first?.state == .fetching }) { part in
            guard let document = part.documents.first else {
                Issue.record("\(name) was given without a document")
                return
            }
            _ = part.handle(input(document.key), context)
        }
    }

    /// What is told of a message from the agent, if nothing else comes of it.
    private static func complaint(
        of message: WindowMessage, in part: inout DocumentPart, _ context: CobrowseContext
    ) -> String? {
        let actions = part.handle(.received(message, from: 2), context)
        guard case .emit(let event)? = actions.first, actions.count == 1, event.kind == .error else { return nil }
        return event.fields["message"]?.string
    }

    @Test(
        "what comes of a document that was not begun is told",
        arguments: [
            (.contentChunk(id: 3, bytes: [1]), "a piece of the document 3"),
            (.contentMetadata(id: 3, text: "a"), "the metadata of the document 3"),
            (.contentEnd(id: 3), "the end of the document 3"),
            (.closeRequest(id: 3), "a wish to close the document 3"),
        ] as [(WindowMessage, String)])
    func notBegun(message: WindowMessage, text: String) throws {
        let context = try CobrowseFixture.context(["pushDelegate": true])
        var part = DocumentPart()
        #expect(Self.complaint(of: message, in: &part, context)?.contains(text) == true)
        _ = part.handle(.received(.pushContentStart(id: 3, type: "image/png"), from: 2), context)
        _ = part.handle(.answered(false, key: nil), context)
        #expect(part.handle(.received(message, from: 2), context).isEmpty, "the agent may not have heard of the end")
        _ = part.handle(.sessionBegan, context)
        #expect(Self.complaint(of: message, in: &part, context) != nil)
    }

    @Test("what comes too early, and the same document once more, is told and changes nothing")
    func tooEarly() throws {
        let context = try CobrowseFixture.context(["pushDelegate": true])
        var part = DocumentPart()
        let push = WindowMessage.pushContentStart(id: 0, type: "image/png")
        _ = part.handle(.received(push, from: 2), context)
        for message in [push, .contentChunk(id: 0, bytes: [1]), .contentEnd(id: 0)] {
            #expect(Self.complaint(of: message, in: &part, context) != nil, "\(message)")
        }
        #expect(part.documents.map(\.state) == [.asking] && part.documents[0].bytes.isEmpty)
    }

    @Test("an agent is told that a document is one too many")
    func limit() throws {
        let context = try CobrowseFixture.context(["pushDelegate": true])
        var part = DocumentPart()
        for id in 0..<Int16(100) {
            let actions = part.handle(.received(.pushDocument(id: id, url: "/a.pdf"), from: 2), context)
            #expect(actions.count == 1)
        }
        let actions = part.handle(.received(.pushDocument(id: 100, url: "/a.pdf"), from: 2), context)
        #expect(part.documents.count == 100)
        let failures = actions.compactMap { action -> Int16? in
            guard case .say(.documentFailed(let id, _, _, _), _) = action else { return nil }
            return id
        }
        #expect(failures == [100])
    }

    @Test("documents")
    func documents() throws {
        let options: JSONObject = ["addSharedDocCloseListener": true, "pushDelegate": true]
        let context = try CobrowseFixture.context(options)
        let unasked = try CobrowseFixture.context(options.merging(["pushDelegate": false]))
        let paused = try CobrowseFixture.context(options, isPaused: true)
        let idle = try CobrowseFixture.context(options, isActive: false)
        func input(
            _ name: String, if isPossible: @escaping (DocumentPart) -> Bool = { _ in true },
            in place: CobrowseContext? = nil, _ input: DocumentPart.Input
        ) -> Input {
            Input(name, if: isPossible) { _ = $0.handle(input, place ?? context) }
        }
        func received(_ name: String, _ message: WindowMessage) -> Input {
            input(name, .received(message, from: 2))
        }
        let picture = Response(
            HTTPResponse(status: .ok, headerFields: [.contentType: "image/png"]), body: ContentFormat.png.beginning)
        let huge = [UInt8](repeating: 0, count: 16 * 1024 * 1024 + 1)
        let share = DocumentPart.Input.shareAsked(url: "/a.png", data: nil, type: nil)
        let walk = TransitionWalk(
            DocumentPart(), state: Self.state,
            inputs: Self.pushes(context, unasked, paused) + [
                input("answered yes", .answered(true, key: nil)),
                input("answered no", .answered(false, key: nil)),
                received("a piece", .contentChunk(id: 0, bytes: ContentFormat.png.beginning)),
                received("too large a piece", .contentChunk(id: 0, bytes: huge)),
                received("the end", .contentEnd(id: 0)),
                received("a wish to close it", .closeRequest(id: 0)),
                Self.ofFetch("a picture", context) { .fetched($0, picture) },
                Self.ofFetch("text", context) { .fetched($0, Response(json: [:])) },
                Self.ofFetch("nothing", context) { .fetched($0, Response(json: [:], status: .notFound)) },
                Self.ofFetch("fetchFailed", context) { .fetchFailed($0, "gone") },
                input("a URL of its own", if: Self.isNone, share),
                input("a URL of its own with nobody there", if: Self.isNone, in: idle, share),
                input(
                    "content of its own", if: Self.isNone,
                    .shareAsked(url: nil, data: Base64.encode(ContentFormat.png.beginning), type: "image/png")),
                Input("topicOpened") { part in
                    let metadata: JSONValue = ["key": .integer(part.documents.first?.key ?? 0)]
                    let topic = Topic(id: 20, parent: 10, owner: 1, metadata: metadata, isPrivate: false)
                    _ = part.handle(.topicOpened(topic), context)
                },
                input("joined", .joined(20)), input("windowClosed", .windowClosed(20)),
                input("closeAsked", .closeAsked(id: nil, key: nil)),
                input("sessionLeft", .sessionLeft(.supportEnded, isSilent: false)),
                input("sessionBegan", .sessionBegan),
            ])
        var expected: Set = [
            StateChange("none", "a URL with somebody to ask", "asking"),
            StateChange("none", "content with somebody to ask", "asking"),
            StateChange("none", "a URL", "fetching"), StateChange("none", "content", "receiving"),
            StateChange("none", "a URL of its own", "fetching"),
            StateChange("none", "content of its own", "opening"),
            StateChange("asking", "answered yes", "fetching"),
            StateChange("asking", "answered yes", "receiving"),
            StateChange("asking", "answered no", "none"), StateChange("receiving", "the end", "opening"),
            StateChange("receiving", "the end", "none"),
            StateChange("receiving", "too large a piece", "none"),
            StateChange("fetching", "a picture", "opening"), StateChange("fetching", "text", "none"),
            StateChange("fetching", "nothing", "none"), StateChange("fetching", "fetchFailed", "none"),
            StateChange("opening", "topicOpened", "open"), StateChange("open", "windowClosed", "none"),
            StateChange("open", "closeAsked", "none"),
        ]
        for state in ["asking", "receiving", "fetching", "opening", "open"] {
            for end in ["a wish to close it", "sessionLeft", "sessionBegan"] {
                expected.insert(StateChange(state, end, "none"))
            }
        }
        #expect(walk.changes(steps: 40_000) == expected)
    }

    @Test("whoever comes into the topic of a document is told where its window is")
    func joined() throws {
        let context = try CobrowseFixture.context()
        var part = DocumentPart()
        _ = part.handle(
            .shareAsked(url: nil, data: Base64.encode(ContentFormat.png.beginning), type: "image/png"), context)
        #expect(part.handle(.joined(20), context).isEmpty, "its topic is not open yet")
        let metadata: JSONValue = ["key": .integer(try #require(part.documents.first).key)]
        let topic = Topic(id: 20, parent: 10, owner: 1, metadata: metadata, isPrivate: false)
        _ = part.handle(.topicOpened(topic), context)
        let said = part.handle(.joined(20), context)
        #expect(said.count == 2)
        guard case .say(.windowResized(let width, let height), on: 20)? = said.first,
            case .say(.windowMoved(_, _, isMoving: false), on: 20)? = said.last
        else {
            Issue.record("said \(said)")
            return
        }
        #expect(width > 0 && height > 0)
        #expect(part.handle(.joined(21), context).isEmpty, "it is another document's")
    }
}
