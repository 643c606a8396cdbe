import JSON
import Machines

/// Whether anybody watches the screen, and what stands in the way: a pause, or a zoom.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | off | `activeChanged` to true | on, as paused as before | `cobrowse_active`; with a call and video the agent's window |
/// | on | `activeChanged` to false | off, as paused as before | `cobrowse_active` |
/// | on | `pauseAsked` in a session | on, paused | tells those who watch |
/// | on, paused | `resumeAsked` in a session | on | the same; the whole screen and the form |
/// | off | `pauseAsked` in a session | off, paused | |
/// | off, paused | `resumeAsked` in a session | off | |
/// | any | `pauseAsked`, `resumeAsked` otherwise | unchanged | |
/// | on | `zoomAsked`, no document open | zooming or not | opens or closes the window; `zoom` |
/// | on, paused | `zoomAsked` | unchanged | |
/// | any | `sessionBegan` | neither paused nor zooming | |
struct CobrowsePart: Sendable {
    /// What happens to co-browsing.
    enum Input: Sendable {
        case activeChanged(Bool)
        case pauseAsked, resumeAsked
        /// An agent wants to begin or to end a zoom.
        case zoomAsked(Bool, agent: String, raw: JSONValue, hasDocument: Bool)
        case sessionBegan
    }

    /// Whether anybody watches.
    private(set) var isActive = false
    private(set) var isPaused = false
    private(set) var isZooming = false

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ context: CobrowseContext) -> [ConsumerAction] {
        switch input {
        case .activeChanged(let isActive): return self.setActive(isActive, context)
        case .pauseAsked: return self.setPaused(true, context)
        case .resumeAsked: return self.setPaused(false, context)
        case .zoomAsked(let isStart, let agent, let raw, let hasDocument):
            guard self.isActive, !self.isPaused, self.isZooming != isStart, !hasDocument,
                let screen = context.directory.screen
            else { return [] }
            self.isZooming = isStart
            let fields: JSONObject = ["active": .bool(isStart), "agent": .string(agent)]
            let event = ConsumerAction.emit(.zoom, "", fields, raw: raw)
            return Self.zoomWindow(isStart, on: screen.id, context.directory) + [event]
        case .sessionBegan:
            self.isPaused = false
            self.isZooming = false
            return []
        }
    }

    private mutating func setActive(_ isActive: Bool, _ context: CobrowseContext) -> [ConsumerAction] {
        guard self.isActive != isActive else { return [] }
        self.isActive = isActive
        let event = ConsumerAction.emit(
            .cobrowseActive, "cobrowseActiveDidChange(to:)", ["active": .bool(isActive)])
        guard isActive, context.hasCall, context.configuration.call.videoMode != "none",
            let screen = context.directory.screen
        else { return [event] }
        let metadata: JSONValue = [
            "type": "shared-window", "moveable": true, "name": "draggable-agent-window",
            "onTop": .bool(context.configuration.call.isAgentWindowOnTop),
        ]
        return [event, .send(TopicFrame(.openTopic, topic: screen.id, json: metadata))]
    }

    /// Stops sending the screen, or starts again with a whole picture.
    private mutating func setPaused(_ isPaused: Bool, _ context: CobrowseContext) -> [ConsumerAction] {
        guard context.state == .inSession, self.isPaused != isPaused else { return [] }
        self.isPaused = isPaused
        guard self.isActive, let screen = context.directory.screen else { return [] }
        guard isPaused else {
            return [.say(.onAssist, on: screen.id), .forgetChange, .sendPicture(of: nil), .sendForm]
        }
        return [.say(.offAssist, on: screen.id)]
    }

    private static func zoomWindow(
        _ isStart: Bool, on screen: UInt16, _ directory: TopicDirectory
    ) -> [ConsumerAction] {
        guard isStart else {
            let window = directory.first { $0.type == "zoom-window" }
            return window.map { [.send(TopicFrame(.closeTopic, topic: $0.id))] } ?? []
        }
        let metadata: JSONValue = [
            "type": "zoom-window", "moveable": true, "closeable": true, "zoomable": true,
            "resizeable": true,
            "name": "zoom-window",
        ]
        return [.send(TopicFrame(.openTopic, topic: screen, json: metadata))]
    }
}
