internal import EmbeddedFiles

/// What the page of a load run has beside the style of all pages.
enum LoadPageStyle {
    static let text = PageStyle.text + String(cString: embedded_load_style())

    /// Switches between light and dark; the page shows all without it.
    static let script = String(cString: embedded_load_script())

    /// The style of a page that follows a run while it goes.
    static let liveText = Self.text + String(cString: embedded_live_style())

    /// The script of that page.
    static let liveScript = Self.script + String(cString: embedded_live_load_script())
}
