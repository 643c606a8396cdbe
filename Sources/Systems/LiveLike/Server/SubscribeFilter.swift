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
        // The same two conditions in either order; compared as wholes, because this is done for every request.
        let parts = expression.filter { $0 != " " }.split(separator: "|")
        guard parts.count == 2 else { return nil }
        let (hiding, sender) = parts[0].first == "!" ? (parts[0], parts[1]) : (parts[1], parts[0])
        let hides = ["!(content_filterLIKE'*filtered*')", "!(content_filtercontains'filtered')"]
        guard hides.contains(String(hiding)), sender.hasPrefix("sender_id=='"), sender.hasSuffix("'") else {
            return nil
        }
        self = .hidesFiltered
    }
}
