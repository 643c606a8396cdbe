import JSON
import Testing

@testable import Reports

/// The rules of axe-core (WCAG 2 A and AA, and good practice) for contrast, labels, roles and what keys reach.
@Suite(
    "The page for people who read it with other eyes or without a mouse",
    .enabled(if: Browser.problem == nil, "\(Browser.problem ?? "")"), .serialized)
struct AccessibilityTests {
    private static var failures: [UInt8] {
        var recorder = HTMLRecorder(
            options: HTMLOptions(source: { _ in (1...40).map { "line \($0)\n" }.joined() }))
        for entry in CauseRun.entries { recorder.record(entry) }
        return recorder.document()
    }

    /// What each page has, and what of it is looked at.
    private static let pages: [(name: String, document: @Sendable () throws -> [UInt8], address: String)] = [
        ("overview", { Self.failures }, ""), ("failure", { Self.failures }, "#0"),
        ("load", { try LoadReport(LoadSample().totals()).document() }, ""), ("live", { LiveRecorder.document }, ""),
        ("live load", { LoadReport.liveDocument }, ""),
    ]

    @Test("axe-core finds nothing, light and dark, on a desk and on a phone", arguments: 0..<5, ["light", "dark"])
    func axe(page: Int, scheme: String) throws {
        let (name, document, address) = Self.pages[page]
        let result = try Browser.visit(
            try document(), scheme: scheme,
            #"""
            import pathlib, axe_playwright_python
            axe = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
            result["violations"], result["passes"] = [], []
            for width, height in [(1440, 900), (390, 844)]:
                page.set_viewport_size({"width": width, "height": height})
                page.goto(url + "\#(address)")
                settle()
                page.evaluate(axe)
                found = page.evaluate("axe.run()")
                result["passes"].append(len(found["passes"]))
                for rule in found["violations"]:
                    result["violations"].append(rule["id"] + ": " + rule["nodes"][0]["html"])
            """#)
        #expect(result["violations"] == [], "\(name)")
        #expect(result["passes"]?.array?.allSatisfy { ($0.integer ?? 0) > 10 } == true, "\(name) was not looked at")
    }
}
