import JSON
import Machines

/// What agents draw on the consumer's screen, and the spots they point at.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `drawn`, an element | drawn on | `annotation_adding`, `annotation_added` |
/// | drawn on | `drawn`, the set | cleared, or drawn on anew | `annotations_cleared`; the events of the new ones |
/// | any | `drawn`, no element, or what no agent draws | drawn on as far as it can be read | `error` 30102 |
/// | drawn on | `screenChanged` behind one of them | cleared | clears the topics; `annotations_cleared` |
/// | drawn on | `topicClosed` | without those of the topic | |
/// | any | `pointed` | unchanged | `spotlight` |
/// | any | `drawn`, `pointed` while paused | unchanged | |
/// | any | `sessionBegan` | cleared | |
struct AnnotationPart: Sendable {
    /// What happens to annotations.
    enum Input: Sendable {
        case drawn(WindowMessage, on: UInt16, by: String)
        case pointed(x: Int16, y: Int16, by: String)
        case screenChanged(ScreenElement.Box)
        case topicClosed(UInt16)
        case sessionBegan
    }

    /// A session keeps at most this many annotations.
    private static let limit = 1_000

    private(set) var annotations: [Annotation] = []

    /// Takes in what happened.
    mutating func handle(_ input: Input, isPaused: Bool) -> [ConsumerAction] {
        switch input {
        case .drawn(let message, let topic, let agent):
            return isPaused ? [] : self.draw(message, on: topic, by: .string(agent))
        case .pointed(let x, let y, let agent):
            guard !isPaused else { return [] }
            let fields: JSONObject = [
                "x": .integer(Int64(x)), "y": .integer(Int64(y)), "agent": .string(agent),
            ]
            return [.emit(.spotlight, "", fields)]
        case .screenChanged(let box):
            guard self.annotations.contains(where: { $0.box.overlaps(box) }) else { return [] }
            let topics = Set(self.annotations.map(\.topic)).sorted()
            self.annotations = []
            return topics.map { ConsumerAction.say(.annotationsSet(""), on: $0) } + [
                Self.cleared(["by": "change"])
            ]
        case .topicClosed(let topic):
            self.annotations.removeAll { $0.topic == topic }
            return []
        case .sessionBegan:
            self.annotations = []
            return []
        }
    }

    private mutating func draw(_ message: WindowMessage, on topic: UInt16, by agent: JSONValue)
        -> [ConsumerAction]
    {
        var actions: [ConsumerAction] = []
        let text: String
        switch message {
        case .annotationsSet(let paths):
            if !self.annotations.isEmpty || paths.isEmpty {
                self.annotations = []
                actions.append(Self.cleared(["by": "agent", "agent": agent]))
            }
            text = paths
        case .annotationAdded(let path): text = path
        default: return []
        }
        guard !text.isEmpty else { return actions }
        do throws(WireComplaint) {
            for element in try Annotation.elements(of: text).prefix(Self.limit) {
                let annotation = try Annotation(element, topic: topic)
                guard self.annotations.count < Self.limit else { break }
                let fields = annotation.fields.merging(["agent": agent])
                self.annotations.append(annotation)
                actions += [
                    .emit(.annotationAdding, "assistSDKWillAddAnnotation(_:)", fields),
                    .emit(.annotationAdded, "assistSDKDidAddAnnotation(_:)", fields),
                ]
            }
        } catch {
            actions.append(.fail(.assistTransportFailure, "the agent sent \(error.text)"))
        }
        return actions
    }

    private static func cleared(_ fields: JSONObject) -> ConsumerAction {
        .emit(.annotationsCleared, "assistSDKDidClearAnnotations(_:)", fields)
    }
}
