import JSON
import Machines

/// Tells the server that the session lives, and learns from it whether the desk would take the visitor back.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `started` | running | a ping at once, or a timer (browser window) |
/// | running | `due`, in the foreground, no ping under way | running | ping; sets the timer |
/// | running | `answered` with success | running | sets the timer; `recapture` when it is offered anew |
/// | running | `answered` with a failure | running | sets the timer |
/// | running | `answered` with a failure, the last one allowed | resting | drops the ping |
/// | running | `stopped` | resting | drops the ping; says so to the server (iOS engine) |
/// | any | `suspended` | unchanged | stops the timer |
/// | any | `sessionBegan` | unchanged | forgets what the server has offered |
struct PingPart: Sendable {
    /// What happens to the pings.
    enum Input: Sendable {
        case sessionBegan
        case started(Moment)
        case due(Moment)
        case answered(CallOutcome, Moment)
        case suspended
        /// Whether the end of the session is told to the server.
        case stopped(sayingClosed: Bool, chatKey: String?)
    }

    /// What the part must know of the others.
    struct Moment: Sendable {
        let chatKey: String?
        let session: SessionStateMachine.State
        /// Whether the client is in the background.
        let isSuspended: Bool
        /// Whether a ping has no answer yet.
        let isUnderWay: Bool
    }

    private let profile: Profile
    private(set) var isRunning = false
    /// Failed pings in a row.
    private var failures = 0
    /// Whether the desk would take the visitor back.
    private(set) var isRecaptureAvailable = false

    /// The states in which somebody could come back.
    private static let recapturing: [SessionStateMachine.State] = [
        .chatting, .unavailableForm, .sendingUnavailableInfo,
    ]

    /// Creates pings that do not run.
    init(_ profile: Profile) { self.profile = profile }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .sessionBegan:
            self.isRecaptureAvailable = false
            return []
        case .started(let moment):
            self.isRunning = true
            self.failures = 0
            return self.profile.pings.areSentAtOnce ? self.ping(moment) : [Self.timer(Profile.pingInterval)]
        case .due(let moment): return self.ping(moment)
        case .answered(let outcome, let moment): return self.answered(outcome, moment)
        case .suspended: return [.perform(.cancelTimer(.ping))]
        case .stopped(let sayingClosed, let key): return self.stop(sayingClosed: sayingClosed, chatKey: key)
        }
    }

    private static func timer(_ delay: Duration) -> ClientAction { .perform(.setTimer(.ping, delay)) }

    private func ping(_ moment: Moment) -> [ClientAction] {
        guard self.isRunning, !moment.isSuspended, !moment.isUnderWay else { return [] }
        let parameters = [("ChatKey", moment.chatKey ?? ""), ("Closed", "false")]
        return [.call(.ping, .pingChat, parameters), Self.timer(Profile.pingInterval)]
    }

    private mutating func answered(_ outcome: CallOutcome, _ moment: Moment) -> [ClientAction] {
        guard self.isRunning else { return [] }
        guard let answer = outcome.success else {
            self.failures += 1
            if let limit = self.profile.pings.failureLimit, self.failures >= limit {
                return self.stop(sayingClosed: false, chatKey: moment.chatKey)
            }
            return [Self.timer(self.profile.pings.delayAfterFailure)]
        }
        self.failures = 0
        let wasAvailable = self.isRecaptureAvailable
        self.isRecaptureAvailable = answer.members.truth("Recapture")
        guard self.isRecaptureAvailable, !wasAvailable, Self.recapturing.contains(moment.session) else {
            return [Self.timer(Profile.pingInterval)]
        }
        return [Self.timer(Profile.pingInterval), .emit(.recapture, raw: answer.body)]
    }

    private mutating func stop(sayingClosed: Bool, chatKey: String?) -> [ClientAction] {
        let wasRunning = self.isRunning
        self.isRunning = false
        var actions: [ClientAction] = [.perform(.cancelTimer(.ping)), .cancelCalls(.pings)]
        if sayingClosed, wasRunning, self.profile.pings.tellClosed, let chatKey {
            actions.append(.call(.closedPing, .pingChat, [("ChatKey", chatKey), ("Closed", "true")]))
        }
        return actions
    }
}
