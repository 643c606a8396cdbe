/// Which buttons of messages that were answered already can still be tapped (property `disablePastActions`).
struct PastActionRule: Sendable {
    private let mode: String?

    /// Reads the configuration.
    init(_ settings: ClientSettings) { self.mode = settings.text("disablePastActions") }

    /// Returns why an action cannot be carried out, or nil if it can.
    func obstacle(to action: MessageAction, isPast: Bool, isConnected: Bool) -> String? {
        guard let kind = action.kind else { return "its type is unknown" }
        if kind.answersSkill, !isConnected { return "the client is not connected" }
        guard isPast else { return nil }
        return switch self.mode {
        case "none": nil
        case "postback" where !kind.answersSkill: nil
        default: "the user has answered since (disable_past_actions is \(self.mode ?? "all"))"
        }
    }
}
