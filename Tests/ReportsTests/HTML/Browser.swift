import Foundation
import JSON

/// Chromium without a window, driven by playwright.
enum Browser {
    /// Why there is no browser, or nil.
    static let problem: String? = {
        if let problem = PythonPackages.problem { return problem }
        return Self.path == nil ? "there is no Chromium; Debian has it as chromium-headless-shell" : nil
    }()

    private static let path: String? = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        let names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
        return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// Opens a page and runs a script against it.
    ///
    /// The script is Python. It finds `page`, `context`, the address `url` and the object `result`, whose members it
    /// sets. What the page asks of the network, prints on its console or breaks at is in the result besides.
    static func visit(_ document: [UInt8], scheme: String = "light", _ script: String) throws -> JSONValue {
        try PythonPackages.withFile(document, suffix: "html") { path in
            let program = Self.frame + script + "\nfinish()\n"
            let output = try PythonPackages.run(script: program, [Self.path ?? "", path, scheme])
            return try JSONReader.read(output.split(separator: "\n").last.map(String.init) ?? "", depth: 100)
        }
    }

    private static let frame = #"""
        import json, sys, time
        from playwright.sync_api import sync_playwright

        url = "file://" + sys.argv[2]
        driver = sync_playwright().start()
        browser = driver.chromium.launch(executable_path=sys.argv[1], args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1400, "height": 900}, color_scheme=sys.argv[3])
        page = context.new_page()
        result = {"console": [], "errors": [], "requests": [], "dialogs": 0, "version": browser.version}
        page.on("console", lambda message: result["console"].append(message.text))
        page.on("pageerror", lambda error: result["errors"].append(str(error)))
        page.on("request", lambda request: result["requests"].append(request.url.split("#")[0].replace(url, "itself")))

        def on_dialog(dialog):
            result["dialogs"] += 1
            dialog.dismiss()

        page.on("dialog", on_dialog)

        def finish():
            browser.close()
            driver.stop()
            print(json.dumps(result))

        def settle():
            page.wait_for_timeout(120)

        """#
}
