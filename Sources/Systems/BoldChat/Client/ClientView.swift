/// A client as a person, a script or a report sees it at one moment.
struct ClientView: Sendable {
    let settings: ClientSettings
    /// The state of the session.
    let state: SessionStateMachine.State
    /// What is known of the session.
    let record: SessionRecord
    /// The chat, from its start on.
    let chat: ChatStateMachine?
    /// The event stream of the chat.
    let link: LinkStateMachine?
    /// What was done on the screen.
    let screen: ScreenPart
    /// Whether the desk would take the visitor back.
    let isRecaptureAvailable: Bool
    /// Whether a call is under way that hides the view.
    let isCalling: Bool
}
