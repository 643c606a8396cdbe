internal import Digests
import FoundationEssentials

/// The content security policy of a page that is one file: nothing may be loaded, sent or run but its own script and
/// style, which are told by their digests; a page that follows a run may ask the server that it came from, too.
struct ContentPolicy {
    /// The page's only script.
    let script: String

    /// The page's only style sheet.
    let style: String

    /// Whether the page may ask the server that it came from.
    var asksServer = false

    /// The policy as it stands in the head of the page.
    var text: String {
        "default-src 'none'; script-src '\(Self.digest(of: self.script))'; "
            + "style-src '\(Self.digest(of: self.style))'; "
            + (self.asksServer ? "connect-src 'self'; " : "") + "base-uri 'none'; form-action 'none'"
    }

    private static func digest(of text: String) -> String {
        "sha256-" + Data(Digest.sha256(Array(text.utf8))).base64EncodedString()
    }
}
