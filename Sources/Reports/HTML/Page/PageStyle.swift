internal import EmbeddedFiles

/// The style of a page: the `.css` files of `EmbeddedFiles/Page`.
enum PageStyle {
    static let text = String(cString: embedded_page_style())
}
