import JSON

/// What the answers of the visitor API have to be for the client to go on with them, method by method.
///
/// Answers that are not here are read as the vendor's client reads them, or shown as they are.
enum AnswerExamination {
    /// What is wrong with an answer that reports success, after the word "with"; nil if it can be read.
    static func fault(of method: String, in answer: RESTAnswer) -> String? {
        guard let method = RESTMethod(rawValue: method), let shapes = Self.members[method] else { return nil }
        // Whom no chat is possible for needs no key to one.
        let isBegun = method == .createChat && answer.unavailableReason == nil
        return (isBegun ? [Self.key] + shapes : shapes).fault(in: answer.members)
    }

    private static let key = MemberShape.required("ChatKey", .text)

    private static let limits = ["ClientTimeout", "AnswerTimeout"].map { MemberShape.optional($0, .number) }

    private static let preChat: [MemberShape] =
        [.optional("PreChat", .form), .optional("UnavailableForm", .form)] + Self.limits

    private static let members: [RESTMethod: [MemberShape]] = [
        .getChatAvailability: [.optional("Available", .truth)],
        .createChat: Self.preChat, .submitPreChat: Self.preChat, .startChat: Self.limits,
        .finishChat: [.optional("PostChat", .form)], .submitPostChat: [.optional("PostChat", .form)],
        .getUnavailableForm: [.optional("UnavailableForm", .form)],
        .resolveChatKey: [.optional("Startable", .truth), .optional("Ended", .truth)],
    ]
}
