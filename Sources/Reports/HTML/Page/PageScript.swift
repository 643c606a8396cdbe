internal import EmbeddedFiles

/// The script of a page: it reads the blocks of data and shows them.
///
/// Whatever comes from data becomes text nodes; the script never makes markup, addresses or code of it. Its parts are
/// the `.js` files of `EmbeddedFiles/Page`.
enum PageScript {
    static let text = "\n\"use strict\";\n(() => {\n" + String(cString: embedded_page_script()) + "})();\n"
}
