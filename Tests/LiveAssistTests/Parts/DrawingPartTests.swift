import JSON
import MachineKit
import Machines
import Testing

@testable import LiveAssist

@Suite("What an agent draws waits until the consumer is there")
struct DrawingPartTests {
    /// A session in which the agent is number 2 and the consumer number 1 with its screen, topic 5.
    private static func directory() -> TopicDirectory {
        var directory = TopicDirectory()
        let people: JSONValue = [
            ["id": 1, "metadata": ["role": "consumer", "name": "Ada"]],
            ["id": 2, "metadata": ["role": "agent", "name": "Sam"]],
        ]
        _ = directory.take(TopicFrame(.participantList, topic: 0, participant: 2, json: people))
        let screen: JSONValue = ["id": 5, "metadata": ["type": "shared-window"]]
        _ = directory.take(TopicFrame(.openPrivateTopic, topic: 0, participant: 1, json: screen))
        return directory
    }

    /// Opens a topic of the agent's own.
    private static func open(_ type: String, _ id: UInt16, in directory: inout TopicDirectory) throws -> Topic {
        let value: JSONValue = ["id": .integer(Int64(id)), "metadata": ["type": .string(type)]]
        let news = directory.take(TopicFrame(.openTopic, topic: 5, participant: 2, json: value))
        guard case .opened(let topic)? = news.first else { throw NoTopic() }
        return topic
    }

    private struct NoTopic: Error {}

    /// The part among what it draws on.
    private struct World {
        var part = DrawingPart()
        var directory = DrawingPartTests.directory()

        var hasTopic: Bool { self.directory.first { $0.type == "annotation" } != nil }

        /// The state of one surface, told by what the part would do next.
        var state: String {
            var later = self.part
            let entering = later.handle(.admitted, self.directory)
            if entering.contains(.open(.annotation)) || entering.contains(.join(7)) { return "closed" }
            let saying = later.handle(.said(.annotationAdded("probe"), on: .annotation), self.directory)
            if saying.contains(.say(.annotationAdded("probe"), on: 7)) { return "open with the consumer" }
            return self.hasTopic ? "open" : "opening"
        }
    }

    @Test("a surface goes through its transition table, and through nothing else")
    func table() {
        typealias Input = TransitionWalk<World>.Input
        func input(
            _ name: String, if isPossible: @escaping (World) -> Bool = { _ in true }, _ input: DrawingPart.Input
        ) -> Input {
            Input(name, if: isPossible) { _ = $0.part.handle(input, $0.directory) }
        }
        let walk = TransitionWalk(
            World(), state: \.state,
            inputs: [
                input("admitted", .admitted), input("withdrawn", .withdrawn),
                input("said", if: { !$0.part.isFull }, .said(.annotationAdded("a line"), on: .annotation)),
                Input("opened", if: { !$0.hasTopic }) { world in
                    do {
                        let topic = try Self.open("annotation", 7, in: &world.directory)
                        _ = world.part.handle(.opened(topic), world.directory)
                    } catch {
                        Issue.record(error)
                    }
                },
                Input("joined", if: \.hasTopic) { world in
                    _ = world.directory.take(TopicFrame(.joinTopic, topic: 7, participant: 1))
                    _ = world.part.handle(.joined, world.directory)
                },
                Input("the consumer leaves", if: \.hasTopic) { world in
                    _ = world.directory.take(TopicFrame(.leaveTopic, topic: 7, participant: 1))
                },
            ])
        #expect(
            walk.changes() == [
                StateChange("closed", "admitted", "opening"), StateChange("closed", "admitted", "open"),
                StateChange("closed", "admitted", "open with the consumer"),
                StateChange("closed", "opened", "open"), StateChange("opening", "opened", "open"),
                StateChange("open", "joined", "open with the consumer"),
                StateChange("open with the consumer", "the consumer leaves", "open"),
                StateChange("opening", "withdrawn", "closed"), StateChange("open", "withdrawn", "closed"),
                StateChange("open with the consumer", "withdrawn", "closed"),
            ])
    }

    @Test("each surface is opened once, and what is said keeps its order")
    func order() throws {
        var part = DrawingPart()
        var directory = Self.directory()
        #expect(part.handle(.admitted, directory) == [.open(.annotation), .open(.spotlight)])
        #expect(part.handle(.admitted, directory).isEmpty)
        let first = WindowMessage.annotationAdded("first")
        let second = WindowMessage.annotationAdded("second")
        #expect(part.handle(.said(first, on: .annotation), directory).isEmpty)
        let topic = try Self.open("annotation", 7, in: &directory)
        #expect(part.handle(.opened(topic), directory).isEmpty)
        #expect(part.handle(.said(second, on: .annotation), directory).isEmpty)
        _ = directory.take(TopicFrame(.joinTopic, topic: 7, participant: 1))
        #expect(part.handle(.joined, directory) == [.say(first, on: 7), .say(second, on: 7)])
        #expect(part.handle(.joined, directory).isEmpty)
        #expect(part.handle(.said(first, on: .annotation), directory) == [.say(first, on: 7)])
    }

    @Test("whoever was withdrawn has nothing to say any more, and enters its topics again")
    func again() throws {
        var part = DrawingPart()
        var directory = Self.directory()
        _ = part.handle(.admitted, directory)
        let topic = try Self.open("spotlight", 8, in: &directory)
        _ = part.handle(.opened(topic), directory)
        _ = directory.take(TopicFrame(.joinTopic, topic: 8, participant: 1))
        _ = part.handle(.said(.annotationsSet(""), on: .annotation), directory)
        #expect(part.handle(.withdrawn, directory).isEmpty)
        #expect(part.handle(.said(.cursorPing(x: 1, y: 2), on: .spotlight), directory).isEmpty)
        #expect(
            part.handle(.admitted, directory) == [
                .open(.annotation), .join(8), .say(.cursorPing(x: 1, y: 2), on: 8),
            ])
    }

    @Test("no more than a thousand messages wait")
    func limit() {
        var part = DrawingPart()
        let directory = Self.directory()
        for _ in 0..<1_000 {
            #expect(!part.isFull)
            _ = part.handle(.said(.annotationsSet(""), on: .annotation), directory)
        }
        #expect(part.isFull)
    }

    @Test(
        "a path has a color, a width and an opacity that the protocol has",
        arguments: [
            ("nocolor", nil, nil), ("#00ff0", nil, nil), ("00ff00", nil, nil), (nil, -3, nil), (nil, 0.5, nil),
            (nil, 26, nil), (nil, nil, 9), (nil, nil, -0.1),
        ] as [(String?, Double?, Double?)])
    func style(stroke: String?, width: Double?, opacity: Double?) throws {
        let path = "M 1 1 L 2 2"
        #expect(throws: CommandError.self) {
            try Annotation.element(path: path, stroke: stroke, width: width, opacity: opacity)
        }
        let element = try Annotation.element(path: path, stroke: nil, width: 25, opacity: 0)
        #expect(element.contains("stroke=\"#ff0000\" stroke-width=\"25.0\" stroke-opacity=\"0.0\""))
    }

    @Test(
        "a drawing that no agent makes is told and not drawn",
        arguments: [
            ("<path/>", "an SVG path"), ("<circle r=\"1\"/>", "a drawing without a path"), ("line", "without a path"),
            ("<path d=\"M 1 1 L 2 2\" stroke-width=\"900\"/>", "a width from 1 to 25, not 900.0"),
            ("<path d=\"M 1 1 L 2 2\" stroke-width=\"wide\"/>", "whose stroke-width is no number"),
            ("<path d=\"M 1 1 L 2 2\" stroke-opacity=\"7\"/>", "an opacity from 0 to 1, not 7.0"),
            ("<path d=\"M 1 1 L 2 2\" stroke=\"mauve\"/>", "a color as #rrggbb, not \"mauve\""),
            ("<path d=\"M Z\"/>", "an SVG path"),
        ])
    func wrong(element: String, message: String) {
        for said in [WindowMessage.annotationAdded(element), .annotationsSet(element)] {
            var part = AnnotationPart()
            let actions = part.handle(.drawn(said, on: 6, by: "Sam"), isPaused: false)
            guard case .emit(let event)? = actions.last, actions.count == 1 else {
                Issue.record("\(actions)")
                continue
            }
            #expect(event.kind == .error && event.fields["code"] == 30_102)
            #expect(event.fields["message"]?.string?.contains(message) == true)
            #expect(part.annotations.isEmpty)
        }
    }

    @Test("elements around paths are no complaint, and of several paths those before a wrong one are drawn")
    func several() {
        var part = AnnotationPart()
        let path = "<path d=\"M 1 1 L 2 2\" class=\"a\">"
        let group = WindowMessage.annotationAdded("<g>\(path)</path>\(path)</path></g>")
        #expect(part.handle(.drawn(group, on: 6, by: "Sam"), isPaused: false).count == 4)
        let wrong = WindowMessage.annotationAdded(path + "<path d=\"\"/>")
        #expect(part.handle(.drawn(wrong, on: 6, by: "Sam"), isPaused: false).count == 3)
        #expect(part.annotations.count == 3)
    }
}
