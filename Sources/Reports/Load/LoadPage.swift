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
        let frame = isLive ? Self.live : Self.report
        var markup = Markup()
        markup.raw(frame.head(title: VisibleText.html(title)))
        markup.raw("<header id=\"top\"><a id=\"home\" href=\"#\">repartee</a><p id=\"facts\">")
        markup.text(facts)
        markup.raw(
            "</p><button id=\"theme\" type=\"button\" title=\"Light or dark\">Theme</button></header>\n<main><div class=\"overview\">\n"
        )
        markup.append(body)
        markup.raw(frame.body("</div></main>") + PageFrame.end)
        return markup.bytes
    }

    private static let report = PageFrame(
        script: LoadPageStyle.script, style: LoadPageStyle.text, asksServer: false)

    private static let live = PageFrame(
        script: LoadPageStyle.liveScript, style: LoadPageStyle.liveText, asksServer: true)
}
