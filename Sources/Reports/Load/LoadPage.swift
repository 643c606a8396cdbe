/// A page about load runs, or about faults at every point: one HTML file that needs nothing else and runs nothing but
/// its own switch of colors; the one that follows a run has a script that asks for the rest.
///
/// Everything is drawn before it is opened, so it shows the same without any script, in print and in a mail. Texts that
/// scripts or servers gave stand in it as text; a content security policy allows only what is in the file by digest.
enum LoadPage {
    /// Returns the file.
    ///
    /// - Parameters:
    ///   - title: The name of the window.
    ///   - facts: What stands beside the name of the tool at the top.
    ///   - isLive: Whether the page follows a run while it goes.
    static func document(title: String, facts: String, _ body: Markup, isLive: Bool = false) -> [UInt8] {
        let script = isLive ? LoadPageStyle.liveScript : LoadPageStyle.script
        let style = isLive ? LoadPageStyle.liveText : LoadPageStyle.text
        let policy = ContentPolicy(script: script, style: style, asksServer: isLive).text
        var markup = Markup()
        markup.raw(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">

            """)
        markup.element("title", title)
        markup.raw(
            "\n<style>\(style)</style>\n</head>\n<body>\n<header id=\"top\"><a id=\"home\" href=\"#\">repartee</a>"
        )
        markup.raw("<p id=\"facts\">")
        markup.text(facts)
        markup.raw(
            "</p><button id=\"theme\" type=\"button\" title=\"Light or dark\">Theme</button></header>\n<main><div class=\"overview\">\n"
        )
        markup.append(body)
        markup.raw("</div></main>\n<script>\(script)</script>\n</body>\n</html>\n")
        return markup.bytes
    }
}
