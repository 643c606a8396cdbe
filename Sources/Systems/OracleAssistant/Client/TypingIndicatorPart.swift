import JSON
import Machines

/// The indicator that somebody on the other side is about to answer (chapter "Typing Indicator").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | hidden | `shown` | shown | `typing`; sets the timer, if it times out |
/// | shown | `shown` by the same | shown | sets or cancels the timer |
/// | shown | `shown` by another | shown | the same; `typing` |
/// | shown | `hidden`, `timedOut` | hidden | `typing`; cancels the timer |
/// | hidden | `hidden`, `timedOut` | hidden | cancels the timer |
/// | any | `stopped` | unchanged | cancels the timer |
struct TypingIndicatorPart: Sendable {
    /// What happens to the indicator; whoever is about to answer, or was.
    enum Input: Sendable {
        /// Somebody answers; without an end in sight it goes away by itself only if it `timesOut`.
        case shown(Screen.Origin, timesOut: Bool)
        case hidden(Screen.Origin)
        case timedOut
        case stopped
    }

    private let isEnabled: Bool
    private let timeout: Duration
    private(set) var isShown = false
    private var origin = Screen.Origin.bot

    /// Creates a hidden indicator.
    init(_ settings: ClientSettings) {
        self.isEnabled = settings.flag("showTypingStatus")
        self.timeout = settings.span("typingStatusTimeout")
    }

    /// Takes in what happened.
    ///
    /// - Parameter raw: The message of the other side that says so, if there is one.
    mutating func handle(_ input: Input, agentName: String?, raw: JSONValue? = nil) -> [ClientAction] {
        switch input {
        case .shown(let origin, let timesOut):
            guard self.isEnabled || origin == .agent else { return [] }
            let timer: OracleEffect = timesOut ? .setTimer(.indicator, self.timeout) : .cancelTimer(.indicator)
            guard !self.isShown || self.origin != origin else { return [.perform(timer)] }
            self.isShown = true
            self.origin = origin
            return [.perform(timer), self.event(agentName, raw)]
        case .hidden(let origin):
            guard self.isEnabled || origin == .agent else { return [] }
            return self.hide(agentName, raw)
        case .timedOut: return self.isEnabled ? self.hide(agentName, raw) : []
        case .stopped: return [.perform(.cancelTimer(.indicator))]
        }
    }

    private mutating func hide(_ agentName: String?, _ raw: JSONValue?) -> [ClientAction] {
        guard self.isShown else { return [.perform(.cancelTimer(.indicator))] }
        self.isShown = false
        return [.perform(.cancelTimer(.indicator)), self.event(agentName, raw)]
    }

    private func event(_ agentName: String?, _ raw: JSONValue?) -> ClientAction {
        var person: JSONObject = ["type": .string(self.origin.rawValue)]
        if self.origin == .agent { person["name"] = agentName.map { .string($0) } }
        return .emit(.typing, ["active": .bool(self.isShown), "person": .object(person)], raw: raw)
    }
}
