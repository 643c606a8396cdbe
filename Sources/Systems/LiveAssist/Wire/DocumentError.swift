/// Why showing a document failed, as the consumer tells the agent (vendor's web SDK).
enum DocumentError: Int16, CaseIterable, Hashable, Sendable {
    case connection = 1
    case http = 2
    case mimeType = 3
    case parsing = 4
    case noData = 5
    case cobrowseNotActive = 6

    /// The word that scripts use.
    var word: String {
        switch self {
        case .connection: "connection"
        case .http: "http"
        case .mimeType: "mime_type"
        case .parsing: "parsing"
        case .noData: "no_data"
        case .cobrowseNotActive: "cobrowse_not_active"
        }
    }
}
