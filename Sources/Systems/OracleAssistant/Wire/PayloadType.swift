/// The types of message payloads, `messagePayload.type` (chapter "Message Model" of the vendor's SDK documents).
enum PayloadType: String, CaseIterable, Sendable {
    // Both directions
    case text, attachment, location, postback, status
    case updateApplicationContextCommand
    // User to skill
    case formSubmission, inboundEvent, suggest, closeSession
    // Skill to user
    case card, table, form, tableForm, editForm, raw, textStream, command, outboundEvent, sessionClosed, error
    case executeApplicationActionCommand, getDebugInfoCommand

    /// Who may send it.
    var direction: Direction {
        switch self {
        case .text, .attachment, .location, .status, .updateApplicationContextCommand: .both
        case .postback, .formSubmission, .inboundEvent, .suggest, .closeSession: .userToSkill
        default: .skillToUser
        }
    }

    /// Whether the client shows it in the conversation.
    var isDisplayed: Bool {
        switch self {
        case .text, .attachment, .location, .card, .table, .form, .tableForm, .editForm, .raw, .textStream, .error: true
        default: false
        }
    }

    /// A direction of messages.
    enum Direction: Sendable {
        case userToSkill, skillToUser, both
    }
}
