import JSON
import Machines

/// What the answers of the visitor API have to be for the client to go on with them, method by method.
///
/// Answers that are not here are read as the vendor's client reads them, or shown as they are.
enum AnswerExamination {
    /// Checks an answer that reports success.
    ///
    /// - Throws: ``Misreading`` if the client cannot go on with it.
    static func check(_ answer: RESTAnswer, to method: String) throws(Misreading) {
        guard let method = RESTMethod(rawValue: method), let rules = Self.members[method] else { return }
        // Whom no chat is possible for needs no key to one.
        let isBegun = method == .createChat && answer.unavailableReason == nil
        try MemberRule.check(answer.members, isBegun ? [Self.key] + rules : rules)
    }

    private static let key = MemberRule.needs("ChatKey", .lenientKey)

    private static let limits = ["ClientTimeout", "AnswerTimeout"].map { MemberRule.may($0, .lenientNumber) }

    private static let preChat: [MemberRule] =
        [.may("PreChat", .form), .may("UnavailableForm", .form)] + Self.limits

    private static let members: [RESTMethod: [MemberRule]] = [
        .getChatAvailability: [.may("Available", .lenientTruth)],
        .createChat: Self.preChat, .submitPreChat: Self.preChat, .startChat: Self.limits,
        .finishChat: [.may("PostChat", .form)], .submitPostChat: [.may("PostChat", .form)],
        .getUnavailableForm: [.may("UnavailableForm", .form)],
        .resolveChatKey: [.may("Startable", .lenientTruth), .may("Ended", .lenientTruth)],
    ]
}
