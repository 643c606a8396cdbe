internal import EmbeddedFiles

/// What the page of a load run has beside the style of all pages.
enum LoadPageStyle {
    static let text = PageStyle.text + String(cString: embedded_load_style())

    /// Switches between light and dark; the page shows all without it.
    static let script = String(cString: embedded_load_script())
}
