/// The server-side filter on the meta of messages, in the two forms that the vendor's clients send.
enum SubscribeFilter: Hashable, Sendable {
    case none
    /// Hides messages whose `content_filter` has `filtered`, except from their sender.
    case hidesFiltered

    /// Reads a filter expression.
    ///
    /// - Returns: Nil if the expression has another form; PubNub answers 481 to a malformed one.
    init?(_ expression: String?) {
        guard let expression, !expression.isEmpty else {
            self = .none
            return
        }
        let words = expression.filter { $0 != " " }
        let hides = ["!(content_filterLIKE'*filtered*')", "!(content_filtercontains'filtered')"]
        guard hides.contains(where: { words.contains($0) }), words.contains("sender_id=='"), words.contains("||") else {
            return nil
        }
        self = .hidesFiltered
    }
}
