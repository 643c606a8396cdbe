/// Why an exchange of an agent is under way.
enum AgentPurpose: Hashable, Sendable {
    case login
    case code
    case token
    case farewell

    /// Method and path of the request.
    var request: String {
        switch self {
        case .login: "POST /assistserver/agent"
        case .code: "GET /assistserver/shortcode/agent"
        case .token: "POST /gateway/sessions/session"
        case .farewell: "DELETE /assistserver/agent"
        }
    }
}
