/// Whose side somebody in a session is on.
enum AssistRole: String, CaseIterable, Sendable {
    case consumer, agent
}
