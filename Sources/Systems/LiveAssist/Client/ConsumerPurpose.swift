/// Why an exchange of a consumer is under way.
enum ConsumerPurpose: Hashable, Sendable {
    case createCode
    case redeemCode(String)
    case session
    case document(Int64)
    case farewell

    /// Whether it is about a short code.
    var isAboutCode: Bool {
        switch self {
        case .createCode, .redeemCode: true
        case .session, .document, .farewell: false
        }
    }
}
