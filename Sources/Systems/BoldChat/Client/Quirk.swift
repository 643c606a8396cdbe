/// Behavior of the vendor's iOS engine that looks like a mistake; a scenario can switch each off or on.
///
/// By default a client behaves as the vendor's does, quirks included, since that is what meets real servers; which
/// generation has which stands in ``Profile/quirks``.
enum Quirk: String, CaseIterable, Sendable {
    /// The ids of answers to the client's own calls count as last message id, so a server sees ids it never gave.
    case foreignMessageIDs = "foreign_message_ids"
    /// Any answer to a socket call counts as success, even one that reports an error.
    case unexaminedAnswers = "unexamined_answers"
    /// An operator's end that arrives while the last messages are being sent leaves the chat hanging.
    case endWhileSendingHangs = "end_while_sending_hangs"
    /// An end by the same visitor elsewhere is ignored.
    case foreignVisitorEndIgnored = "foreign_visitor_end_ignored"
    /// A failed transcript request puts the session into the state of the post-chat form.
    case historyFailureMovesState = "history_failure_moves_state"
    /// A failed change of language empties language and branding before it is reported.
    case languageFailureClearsBranding = "language_failure_clears_branding"
    /// An error of the chat leaves the session in its state.
    case chatErrorKeepsSession = "chat_error_keeps_session"
    /// Any received body starts the count of retries again, so bodies that are not JSON end only by the time limit.
    case bodyResetsRetries = "body_resets_retries"
    /// Over long polling the chat is never reported as accepted.
    case longPollNeverAccepts = "long_poll_never_accepts"
    /// The session's own end reason stays undefined.
    case endReasonUnassigned = "end_reason_unassigned"

    /// What the client does while the quirk is on, for the reference of scripts.
    var summary: String {
        switch self {
        case .foreignMessageIDs: "Ids of answers to own calls count as last message id."
        case .unexaminedAnswers: "Any answer to a socket call counts as success."
        case .endWhileSendingHangs: "An operator's end while the last messages are sent leaves the chat hanging."
        case .foreignVisitorEndIgnored: "An end by the same visitor elsewhere is ignored."
        case .historyFailureMovesState: "A failed transcript request moves the session to the post-chat form."
        case .languageFailureClearsBranding: "A failed change of language empties language and branding."
        case .chatErrorKeepsSession: "An error of the chat leaves the session in its state."
        case .bodyResetsRetries: "Bodies that are not JSON are retried until the time limit."
        case .longPollNeverAccepts: "Over long polling the chat is never reported as accepted."
        case .endReasonUnassigned: "The property `end_reason` stays `undefined`."
        }
    }
}

/// The quirks that are switched on.
struct Quirks: Hashable, Sendable {
    private var enabled: Set<Quirk>

    /// All quirks, as the vendor's iOS engine has them.
    static let vendor = Quirks()

    /// Creates a set from switches by name.
    ///
    /// - Parameters:
    ///   - switches: Quirks that are not named stay as the profile has them.
    ///   - profile: Whose quirks.
    init(_ switches: [Quirk: Bool] = [:], of profile: Profile = .ios) {
        self.enabled = profile.quirks
        for (quirk, isOn) in switches {
            if isOn { self.enabled.insert(quirk) } else { self.enabled.remove(quirk) }
        }
    }

    /// Whether a quirk is on.
    func contains(_ quirk: Quirk) -> Bool { self.enabled.contains(quirk) }
}
