internal import EmbeddedFiles

/// The page on which people play conversations by hand; it has no data and asks for all of it.
public enum ChatDocument {
    /// The page.
    public static let bytes: [UInt8] = {
        let frame = PageFrame(
            script: PageScript.function(String(cString: embedded_chat_script())),
            style: String(cString: embedded_chat_style()), asksServer: true)
        let elements = """
            <header id="top">
              <a id="home" href="">repartee</a>
              <p id="facts"></p>
              <button id="theme" type="button" title="Light or dark">Theme</button>
            </header>
            <main id="chat"></main>
            <noscript>This page plays conversations with a script of its own; please let it run.</noscript>
            """
        return Array((frame.head(title: "Chat by hand – repartee") + frame.body(elements) + PageFrame.end).utf8)
    }()
}
