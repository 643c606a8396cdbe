/// What is around the data of a page: its head, its style, the elements that are there from the start, and its script.
struct PageFrame {
    private let script: String
    private let style: String
    private let policy: String

    /// The frame of a report, which is one file and asks nobody for anything.
    static let report = Self(script: PageScript.text, style: PageStyle.text, asksServer: false)

    /// The frame of a page that follows a run while it goes.
    static let live = Self(script: PageScript.live, style: PageStyle.live, asksServer: true)

    /// The title of a page whose run says nothing else.
    static let title = "Repartee report"

    /// What ends a page.
    static let end = "</body>\n</html>\n"

    /// Creates a frame.
    ///
    /// - Parameter asksServer: Whether the page may ask the server that it came from.
    init(script: String, style: String, asksServer: Bool) {
        self.script = script
        self.style = style
        self.policy = ContentPolicy(script: script, style: style, asksServer: asksServer).text
    }

    /// What a page begins with; the index follows.
    ///
    /// - Parameter title: The title, escaped.
    func head(title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="\(self.policy)">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <style>\(self.style)</style>
        </head>
        <body>

        """
    }

    /// The elements and the script; where there is an index they need it, and conversations may follow.
    ///
    /// - Parameter elements: Those that are there from the start, or the end of them.
    func body(_ elements: String = PageMarkup.text) -> String {
        """
        \(elements)
        <script>\(self.script)</script>

        """
    }
}
