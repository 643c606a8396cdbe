import Testing

@testable import Scenario

@Suite("Answers that are pages of HTML, as reports show them")
struct PageWordsTests {
    private static let style =
        "<style>\n" + String(repeating: "  body * { padding: 10px 20px; }\n", count: 12) + "</style>"

    private static func shown(_ text: String) -> String { PageWords.shown(text, masked: { $0 }) }

    @Test("a page is told by what a person reads of it")
    func words() {
        let page = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>403 Forbidden</title>\(Self.style)
            <script>if (1 > 0) { say("no") }</SCRIPT ></head>
            <body><!-- <p>made by hand</p> --><h1>Forbidden <span>(403)</span></h1>
              <p>CSRF verification failed.
                 Request&nbsp;<b>abor</b>ted: 1 &lt; 2, &amp;lt; as it came.</p></body></html>
            """
        #expect(
            Self.shown(page)
                == "a page of HTML: 403 Forbidden\nForbidden (403)\n"
                + "CSRF verification failed. Request aborted: 1 < 2, &lt; as it came.")
    }

    @Test("a heading that repeats the title is shown once, and a page that ends in its middle as far as it came")
    func cut() {
        let page = "\u{FEFF} <HTML><title>502 Bad Gateway</title>\(Self.style)<h1>502 Bad Gateway</h1><hr>nginx <a hr"
        #expect(Self.shown(page) == "a page of HTML: 502 Bad Gateway\nnginx")
        #expect(Self.shown("<html><h1>down</h1><!-- \(Self.style)") == "a page of HTML: down")
    }

    @Test("a short page, one without words and what is no page stay as they came")
    func others() {
        let others = [
            "<html>busy</html>", "<html>\(Self.style)</html>", "{\"page\": \"<html>\(Self.style)busy\"}", "",
            String(repeating: "busy <b>now</b> ", count: 40),
        ]
        for text in others { #expect(Self.shown(text) == text) }
    }

    @Test("what must not be seen is masked as the page has it and as it reads")
    func secrets() {
        let page = "<html>\(Self.style)<p>token p&lt;q and s  t and u<b>v</b></p>"
        func masked(_ text: String) -> String {
            ["p<q", "s  t", "uv"].reduce(text) { $0.replacing($1, with: "***") }
        }
        #expect(PageWords.shown(page, masked: masked) == "a page of HTML: token *** and *** and ***")
    }
}
