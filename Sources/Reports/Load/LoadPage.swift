/// A page about load runs: one HTML file that needs nothing else and runs nothing but its own switch of colors.
///
/// Everything is drawn before it is opened, so it shows the same without any script, in print and in a mail. Texts that
/// scripts or servers gave stand in it as text; a content security policy allows only what is in the file by digest.
enum LoadPage {
    /// Returns the file.
    ///
    /// - Parameters:
    ///   - title: The name of the window.
    ///   - facts: What stands beside the name of the tool at the top.
    static func document(title: String, facts: String, _ body: Markup) -> [UInt8] {
        var markup = Markup()
        markup.raw(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">

            """)
        markup.element("title", title)
        markup.raw(
            "\n<style>\(LoadPageStyle.text)</style>\n</head>\n<body>\n<header id=\"top\"><a id=\"home\" href=\"#\">repartee</a>"
        )
        markup.raw("<p id=\"facts\">")
        markup.text(facts)
        markup.raw(
            "</p><button id=\"theme\" type=\"button\" title=\"Light or dark\">Theme</button></header>\n<main><div class=\"overview\">\n"
        )
        markup.append(body)
        markup.raw("</div></main>\n<script>\(LoadPageStyle.script)</script>\n</body>\n</html>\n")
        return markup.bytes
    }

    private static let policy = ContentPolicy(script: LoadPageStyle.script, style: LoadPageStyle.text).text
}
