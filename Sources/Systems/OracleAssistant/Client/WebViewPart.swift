import JSON
import Machines

/// The links of the chat, and the page that is open within it (chapter "Link Handler and Webview").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `linkOpened` in the webview | open | `error`, if the page cannot be shown; `link_opened` |
/// | any | `linkOpened` in the browser | unchanged | `link_opened` |
/// | any | `linkOpened`, not an address | unchanged | `error` |
/// | open | `closed`, `messagesCleared` | closed | |
/// | closed | `closed` | closed | refused |
struct WebViewPart: Sendable {
    /// What happens to links.
    enum Input: Sendable {
        /// - Parameters:
        ///   - inWebview: Where the action says so; nil for where the configuration says.
        ///   - fails: Whether the webview is to fail to show the page.
        ///   - target: The address with the token that a protected file needs.
        case linkOpened(String, inWebview: Bool?, fails: Bool, target: String)
        case closed
        case messagesCleared
    }

    private let settings: ClientSettings

    /// The page that is open.
    private(set) var page: JSONObject?

    /// Creates a part without a page.
    init(_ settings: ClientSettings) { self.settings = settings }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .linkOpened(let url, let inWebview, let fails, let target):
            return self.open(url, inWebview, fails: fails, target)
        case .closed where self.page == nil:
            return [.answer(.refused("no page is open within the chat"))]
        case .closed, .messagesCleared:
            self.page = nil
            return []
        }
    }

    private mutating func open(_ url: String, _ inWebview: Bool?, fails: Bool, _ target: String) -> [ClientAction] {
        let title: JSONObject = ["title": .string(self.settings.words("odais_error"))]
        guard let separator = url.firstRange(of: ":"), separator.lowerBound > url.startIndex,
            !url.contains(where: \.isWhitespace)
        else { return [.fail("LinkInvalid", self.settings.words("odais_check_url"), title)] }
        let isWebview = inWebview ?? (self.settings.text("LinkHandler") == "webview")
        var fields: JSONObject = ["url": .string(target), "handler": .string(isWebview ? "webview" : "browser")]
        guard isWebview else { return [.emit(.linkOpened, fields)] }
        fields["size"] = self.settings.webView("webViewSize")
        fields["title"] = .string(url)
        fields["title_label"] = .string(self.settings.words("odais_access_label_webview_title"))
        fields["close_label"] = .string(self.settings.words("odais_access_label_webview_clear_button"))
        fields["close"] = self.settings.webView("clearButtonLabel") ?? .string(self.settings.words("odais_done"))
        self.page = fields
        let failure = ClientAction.fail("LinkNotLoaded", self.settings.words("odais_fail_to_load"), title)
        return (fails ? [failure] : []) + [.emit(.linkOpened, fields)]
    }
}
