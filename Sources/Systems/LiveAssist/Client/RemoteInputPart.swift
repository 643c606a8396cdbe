import JSON
import Machines

/// What an agent does with mouse and keyboard on the consumer's screen; what it may not touch stays untouched.
///
/// | the mouse of an agent | input | → the mouse | actions |
/// |---|---|---|---|
/// | any | `received` that it goes down on an element | pressed | `remote_input` |
/// | any | `received` that it goes down elsewhere | free | `remote_input` |
/// | pressed | `received` that it goes up on the same element | free | `remote_input`, twice for a click; toggles, tells the form |
/// | any | `received` that it goes up elsewhere | free | `remote_input` |
/// | any | `received` another message | unchanged | `remote_input`; enters a text, or sends the scrolled screen |
/// | any | `received` while paused | unchanged | |
/// | pressed | `agentLeft`, `sessionEnded` | free | |
struct RemoteInputPart: Sendable {
    /// What happens to the input of agents.
    enum Input: Sendable {
        case received(WindowMessage, from: AgentRecord)
        case agentLeft(UInt16)
        case sessionEnded
    }

    /// Where the mouse went down, for recognizing a click.
    private var pressed: [UInt16: String] = [:]

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ context: CobrowseContext) -> [ConsumerAction] {
        switch input {
        case .received(let message, let agent):
            return context.isPaused ? [] : self.receive(message, agent, context)
        case .agentLeft(let id): self.pressed[id] = nil
        case .sessionEnded: self.pressed = [:]
        }
        return []
    }

    private mutating func receive(
        _ message: WindowMessage, _ agent: AgentRecord, _ context: CobrowseContext
    ) -> [ConsumerAction] {
        // Each agent touches what it may touch by itself.
        let view = RedactedScreen(context.screen, for: agent.permissions, context.configuration)
        switch message {
        case .mouseDown(let x, let y, let button):
            let item = Self.touched(view, x, y)
            self.pressed[agent.id] = item?.id
            return [Self.event("mouse_down", agent, x, y, item, button: button)]
        case .mouseUp(let x, let y, let button):
            let item = Self.touched(view, x, y)
            // Down and up on the same element are a click.
            let click = item.flatMap {
                self.pressed[agent.id] == $0.id ? Self.click($0, agent, x, y) : nil
            }
            self.pressed[agent.id] = nil
            return [Self.event("mouse_up", agent, x, y, item, button: button)] + (click ?? [])
        case .doubleClick(let x, let y):
            return [Self.event("double_click", agent, x, y, Self.touched(view, x, y))]
        case .mouseMove(let x, let y): return [Self.event("mouse_move", agent, x, y, nil)]
        case .inputAtLocation(let x, let y, let text):
            guard let item = Self.touched(view, x, y), item.kind.takesText,
                text.utf8.count <= FormPart.valueLimit
            else { return [] }
            return [.enter(item.id, value: text, by: agent.name, how: "type")]
        case .scroll(let direction):
            let fields: JSONObject = [
                "type": "scroll", "direction": .string(direction.word), "agent": .string(agent.name),
            ]
            return [
                .emit(.remoteInput, "", fields),
                .changed(context.screen.box, after: ScreenPart.scrollDelay),
            ]
        default: return []
        }
    }

    /// The element at a place, if the agent may touch it.
    private static func touched(_ view: RedactedScreen, _ x: Int16, _ y: Int16) -> RedactedScreen.Item? {
        guard let item = view.item(x: Int(x), y: Int(y)), item.isInteractive else { return nil }
        return item
    }

    private static func event(
        _ type: String, _ agent: AgentRecord, _ x: Int16, _ y: Int16, _ item: RedactedScreen.Item?, button: Int16? = nil
    ) -> ConsumerAction {
        var fields: JSONObject = [
            "type": .string(type), "x": .integer(Int64(x)), "y": .integer(Int64(y)),
            "agent": .string(agent.name),
        ]
        fields["element"] = item.map { .string($0.id) }
        fields["button"] = button.map { .integer(Int64($0)) }
        return .emit(.remoteInput, "", fields)
    }

    private static func click(
        _ item: RedactedScreen.Item, _ agent: AgentRecord, _ x: Int16, _ y: Int16
    ) -> [ConsumerAction] {
        var actions = [Self.event("click", agent, x, y, item)]
        if item.kind.isOnOrOff {
            let isOn = item.kind == .radio || item.value != "true"
            actions.append(.enter(item.id, value: isOn ? "true" : "false", by: agent.name, how: "toggle"))
        }
        return actions + [.clicked(item, x: x, y: y, by: agent.id)]
    }
}
