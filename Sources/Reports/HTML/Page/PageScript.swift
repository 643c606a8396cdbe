internal import EmbeddedFiles

/// The script of a page: it reads the blocks of data and shows them.
///
/// Whatever comes from data becomes text nodes; the script never makes markup, addresses or code of it. Its parts are
/// the `.js` files of `EmbeddedFiles/Page`.
enum PageScript {
    static let text = Self.function(String(cString: embedded_page_script()))

    /// The script of a page that follows a run while it goes.
    static let live = Self.function(
        String(cString: embedded_page_script()) + String(cString: embedded_live_script()))

    /// Returns a script whose names nothing else sees.
    static func function(_ body: String) -> String { "\n\"use strict\";\n(() => {\n\(body)})();\n" }
}
