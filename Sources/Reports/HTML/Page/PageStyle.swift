internal import EmbeddedFiles

/// The style of a page: the `.css` files of `EmbeddedFiles/Page`.
enum PageStyle {
    static let text = String(cString: embedded_page_style())

    /// The style of a page that follows a run while it goes.
    static let live = Self.text + String(cString: embedded_live_style())
}
