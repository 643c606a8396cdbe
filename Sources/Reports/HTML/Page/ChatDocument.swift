internal import EmbeddedFiles

/// The page on which people play conversations by hand; it has no data and asks for all of it.
public enum ChatDocument {
    /// The page.
    public static let bytes: [UInt8] = {
        let script = "\n\"use strict\";\n(() => {\n\(String(cString: embedded_chat_script()))})();\n"
        let style = String(cString: embedded_chat_style())
        let policy = ContentPolicy(script: script, style: style, asksServer: true).text
        return Array(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>Chat by hand – repartee</title>
            <style>\(style)</style>
            </head>
            <body>
            <header id="top">
              <a id="home" href="">repartee</a>
              <p id="facts"></p>
              <button id="theme" type="button" title="Light or dark">Theme</button>
            </header>
            <main id="chat"></main>
            <noscript>This page plays conversations with a script of its own; please let it run.</noscript>
            <script>\(script)</script>
            </body>
            </html>

            """.utf8)
    }()
}
