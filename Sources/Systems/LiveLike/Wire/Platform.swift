import Machines

/// Whose SDK the client behaves like where the vendor's platforms differ.
enum Platform: String, CaseIterable, Hashable, Sendable {
    case iOS = "ios"
    case android

    /// The callbacks of this platform.
    var callbacks: [Callback] { self == .iOS ? Callback.iOS : Callback.android }

    /// The name of the callback that brings events of a kind, empty if the platform has none.
    func callback(for kind: EventKind) -> String {
        self.callbacks.first { $0.kind == kind }?.name ?? ""
    }

    /// The filter on the meta of a published message: the two platforms write it in two ways.
    func filterExpression(_ profile: String) -> String {
        switch self {
        case .iOS: "!(content_filter LIKE '*filtered*') || sender_id == '\(profile)'"
        case .android: "sender_id == '\(profile)' || !(content_filter contains 'filtered')"
        }
    }
}
