import JSON
import Machines

/// What agents can fill in on the consumer's screen.
///
/// What can be filled in makes a form, and another set of elements another one: answers to an older one are dropped
/// from then on. The same form sent again, to somebody who has just come, keeps its number, so that what somebody else
/// is filling in meanwhile is not lost.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `updateAsked`, nothing to fill in | none | closes the topic, if there is one |
/// | any | `updateAsked`, something to fill in, no topic | unchanged | opens the topic |
/// | any | `updateAsked`, `sendAsked`, something to fill in, a topic, not paused | made | sends the form to those who have come for it |
/// | made | `filled`, by the number of the form | made | enters the values; confirms |
/// | made | `filled`, by another number, while paused, or with what an element does not take | made | |
/// | made | `clicked`, an element of the form | made | tells those who have come for it |
/// | any | `confirmAsked` | unchanged | tells everybody what stands in it |
/// | made | `forgotten`, `sessionBegan` | none | |
struct FormPart: Sendable {
    /// What happens to the form.
    enum Input: Sendable {
        case updateAsked, sendAsked
        case filled(JSONValue, by: AgentRecord)
        case confirmAsked(on: UInt16)
        case clicked(RedactedScreen.Item, x: Int16, y: Int16, by: UInt16)
        case forgotten
        case sessionBegan
    }

    /// A value that an agent enters has at most this many bytes; defined here.
    static let valueLimit = 10_000

    private var number: Int64 = 0
    private var elements: [String] = []

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ context: CobrowseContext) -> [ConsumerAction] {
        switch input {
        case .updateAsked: return self.update(context)
        case .sendAsked: return self.send(context)
        case .filled(let value, let agent): return self.fill(value, agent, context)
        case .confirmAsked(let topic):
            guard let view = context.view else { return [] }
            return [.say(.inputPopulated(self.form(of: view.fillable)), on: topic)]
        case .clicked(let item, let x, let y, let agent):
            guard let topic = context.ownTopic("input"), let index = self.elements.firstIndex(of: item.id)
            else { return [] }
            let clicked: JSONValue = [
                "screenId": .integer(self.number),
                "clicked": [
                    "type": .string(item.kind.rawValue), "label": .string(item.label),
                    "index": .integer(Int64(index)),
                ],
                "by": .integer(Int64(agent)),
            ]
            return [.say(.inputClicked(x: x, y: y, clicked), on: topic.id)]
        case .forgotten, .sessionBegan:
            self.elements = []
            return []
        }
    }

    /// Opens, renews or closes the input topic as there is something to fill in or not.
    private mutating func update(_ context: CobrowseContext) -> [ConsumerAction] {
        guard let screen = context.directory.screen, screen.owner == context.directory.ownID else {
            return []
        }
        let topic = context.ownTopic("input")
        guard let view = context.view, !view.fillable.isEmpty else {
            self.elements = []
            return topic.map { [.send(TopicFrame(.closeTopic, topic: $0.id))] } ?? []
        }
        guard topic != nil else { return [.send(.openPrivate(parent: 0, metadata: ["type": "input"]))] }
        return self.send(context)
    }

    /// Sends the descriptors of what can be filled in to those who have come for it.
    private mutating func send(_ context: CobrowseContext) -> [ConsumerAction] {
        guard !context.isPaused, context.isActive, let view = context.view,
            let topic = context.ownTopic("input")
        else { return [] }
        let fillable = view.fillable
        let elements = fillable.map(\.id)
        if self.elements.isEmpty || self.elements != elements {
            self.number += 1
            self.elements = elements
        }
        guard context.hasWatcher(in: topic) else { return [] }
        return [.say(.inputElements(self.form(of: fillable)), on: topic.id)]
    }

    private func form(of items: [RedactedScreen.Item]) -> JSONValue {
        let descriptors = items.enumerated().map { index, item -> JSONValue in
            var fields: JSONObject = [
                "type": .string(item.kind.rawValue), "label": .string(item.label),
                "index": .integer(Int64(index)),
            ]
            if item.kind.isOnOrOff {
                fields["checked"] = .bool(item.value == "true")
            } else {
                fields["value"] = .string(item.value)
            }
            if !item.group.isEmpty { fields["radioGroup"] = .string(item.group) }
            if !item.options.isEmpty {
                fields["options"] = .array(
                    item.options.map { ["value": .string($0), "label": .string($0)] })
            }
            return .object(fields)
        }
        return ["screenId": .integer(self.number), "descriptors": .array(descriptors)]
    }

    /// Takes what an agent filled in, as far as it may, and shows the result.
    private func fill(_ value: JSONValue, _ agent: AgentRecord, _ context: CobrowseContext)
        -> [ConsumerAction]
    {
        guard !context.isPaused, value["screenId"]?.integer == self.number,
            let topic = context.ownTopic("input")
        else { return [] }
        let view = RedactedScreen(context.screen, for: agent.permissions, context.configuration)
        let touchable = Dictionary(view.fillable.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var actions: [ConsumerAction] = []
        for descriptor in (value["descriptors"]?.array ?? []).prefix(Screen.elementLimit) {
            guard let index = descriptor["index"]?.integer.flatMap(Int.init(exactly:)),
                self.elements.indices.contains(index), let item = touchable[self.elements[index]],
                let value = item.value(of: descriptor)
            else { continue }
            actions.append(.enter(item.id, value: value, by: agent.name, how: "fill"))
        }
        return actions.isEmpty ? [] : actions + [.confirmForm(on: topic.id)]
    }
}

extension RedactedScreen.Item {
    /// The value that a descriptor fills in; nil if the element takes no such value.
    fileprivate func value(of descriptor: JSONValue) -> String? {
        guard !self.kind.isOnOrOff else { return descriptor["checked"]?.bool.map { $0 ? "true" : "false" } }
        guard let text = descriptor["value"]?.string, text.utf8.count <= FormPart.valueLimit else { return nil }
        return self.options.isEmpty || self.options.contains(text) ? text : nil
    }
}
