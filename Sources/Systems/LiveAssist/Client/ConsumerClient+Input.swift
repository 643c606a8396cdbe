import JSON
import Machines

/// What an agent does with mouse and keyboard on the consumer's screen.
extension ConsumerClient {
    /// Takes an input message; what the agent may not touch stays untouched.
    mutating func receivedInput(_ message: WindowMessage, from source: UInt16, in step: inout Step) {
        guard !self.isPaused, let agent = self.agents[source] else { return }
        // Each agent touches what it may touch by itself.
        let view = ScreenView(self.screen, for: agent.permissions, self.configuration)
        switch message {
        case .mouseDown(let x, let y, _):
            let item = self.touched(view, x, y)
            self.agents[source]?.pressed = item?.id
            self.emitInput("mouse_down", agent, x, y, item, in: &step)
        case .mouseUp(let x, let y, _):
            let item = self.touched(view, x, y)
            self.emitInput("mouse_up", agent, x, y, item, in: &step)
            // Down and up on the same element are a click.
            if let item, agent.pressed == item.id { self.clicked(item, agent, x, y, in: &step) }
            self.agents[source]?.pressed = nil
        case .doubleClick(let x, let y):
            self.emitInput("double_click", agent, x, y, self.touched(view, x, y), in: &step)
        case .mouseMove(let x, let y): self.emitInput("mouse_move", agent, x, y, nil, in: &step)
        case .inputAtLocation(let x, let y, let text):
            guard let item = self.touched(view, x, y), item.kind == .text || item.kind == .date,
                text.utf8.count <= 10_000
            else { return }
            self.set(item.id, to: text, by: agent, how: "type", in: &step)
        case .scroll(let direction):
            let fields: JSONObject = [
                "type": "scroll", "direction": .string(direction.word), "agent": .string(agent.name),
            ]
            self.emit(.remoteInput, "", fields, in: &step)
            self.changed(
                ScreenElement.Box(x: 0, y: 0, width: self.screen.width, height: self.screen.height),
                after: Self.scrollDelay, in: &step)
        default: break
        }
    }

    /// The element at a place, if the agent may touch it.
    private func touched(_ view: ScreenView, _ x: Int16, _ y: Int16) -> ScreenView.Item? {
        guard let item = view.item(x: Int(x), y: Int(y)), item.isInteractive else { return nil }
        return item
    }

    private func emitInput(
        _ type: String, _ agent: AgentRecord, _ x: Int16, _ y: Int16, _ item: ScreenView.Item?,
        in step: inout Step
    ) {
        var fields: JSONObject = [
            "type": .string(type), "x": .integer(Int64(x)), "y": .integer(Int64(y)), "agent": .string(agent.name),
        ]
        fields["element"] = item.map { .string($0.id) }
        self.emit(.remoteInput, "", fields, in: &step)
    }

    private mutating func clicked(
        _ item: ScreenView.Item, _ agent: AgentRecord, _ x: Int16, _ y: Int16, in step: inout Step
    ) {
        self.emitInput("click", agent, x, y, item, in: &step)
        switch item.kind {
        case .checkbox, .switch, .radio:
            let isOn = item.kind == .radio || item.value != "true"
            self.set(item.id, to: isOn ? "true" : "false", by: agent, how: "toggle", in: &step)
        default: break
        }
        guard let topic = self.directory.first(where: { $0.type == "input" && $0.owner == self.directory.ownID }),
            let index = self.formElements.firstIndex(of: item.id)
        else { return }
        let clicked: JSONValue = [
            "screenId": .integer(self.formID),
            "clicked": [
                "type": .string(item.kind.rawValue), "label": .string(item.label), "index": .integer(Int64(index)),
            ],
            "by": .integer(Int64(agent.id)),
        ]
        self.say(.inputClicked(x: x, y: y, clicked), on: topic.id, in: &step)
    }
}
