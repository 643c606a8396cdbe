import JSON
import RunRecord
import Testing

@testable import Reports

@Suite("The HTML report in a browser", .enabled(if: Browser.problem == nil, "\(Browser.problem ?? "")"), .serialized)
struct BrowserTests {
    private func document(_ entries: [RunEntry]) -> [UInt8] {
        var recorder = HTMLRecorder(options: HTMLOptions { _ in (1...40).map { "line \($0)\n" }.joined() })
        for entry in entries { recorder.record(entry) }
        return recorder.document()
    }

    /// The page asked for itself and nothing else, and nothing broke.
    private func expectQuiet(_ result: JSONValue) {
        #expect(result["errors"] == [])
        #expect(result["console"] == [])
        #expect(result["dialogs"] == 0)
        #expect(Set(result["requests"]?.array ?? []) == ["itself"])
    }

    @Test("It opens with the list and what broke, and a search and a click on an outcome narrow the list")
    func listAndFilters() throws {
        let result = try Browser.visit(
            self.document(ChatRun.entries(scenarios: 200)),
            #"""
            page.goto(url)
            shown = lambda: page.inner_text("#shown")
            result["heading"] = page.inner_text("h1")
            result["all"] = shown()
            result["first"] = page.inner_text(".case >> nth=0")
            page.fill("#search", "VISITOR 17")
            result["searched"] = shown()
            page.fill("#search", "")
            page.click("#outcomes button >> nth=0")
            result["failed"] = shown()
            page.click("#outcomes button >> nth=0")
            page.select_option("#tags", "#smoke")
            result["tagged"] = shown()
            page.select_option("#tags", "")
            page.fill("#search", "no such scenario")
            result["none"] = shown()
            result["rows"] = page.locator(".case").count()
            page.fill("#search", "")
            page.select_option("#order", "run")
            result["ran_first"] = page.inner_text(".case .name >> nth=0")
            """#)
        self.expectQuiet(result)
        #expect(result["heading"] == "4 of 200 scenarios did not pass")
        #expect(result["all"] == "200 scenarios")
        #expect(result["first"]?.string?.contains("no message with \"yesterday\"") == true)
        #expect(result["searched"] == "12 of 200")
        #expect(result["failed"] == "4 of 200")
        #expect(result["tagged"] == "67 of 200")
        #expect(result["none"] == "0 of 200")
        #expect(result["rows"] == 0)
        #expect(result["ran_first"] == "the desk › visitor 0 is answered")
    }

    @Test("Repetitions that are not listed count, and it is said where they are")
    func repetitions() throws {
        let result = try Browser.visit(
            self.document(RepeatedRun.entries(5_000, outcome: .passed)),
            #"""
            page.goto(url)
            result["heading"] = page.inner_text("h1")
            result["all"] = page.inner_text("#shown")
            result["note"] = page.inner_text(".note >> nth=0")
            result["chip"] = page.inner_text("#outcomes button >> nth=0")
            result["file"] = page.inner_text("tbody tr >> nth=0")
            """#)
        self.expectQuiet(result)
        #expect(result["heading"] == "All 5,000 scenarios passed")
        #expect(result["all"] == "20 scenarios")
        #expect(
            result["note"] == "4,980 repetitions that passed as those before are not listed; run.jsonl has them.")
        #expect(result["chip"]?.string?.contains("5,000 passed") == true)
        #expect(result["file"]?.string?.contains("5000") == true)
    }

    @Test("Keys alone lead from the list through a conversation, to the wire and back")
    func keyboard() throws {
        let result = try Browser.visit(
            self.document(ChatRun.entries(scenarios: 3)),
            #"""
            page.goto(url)
            press = lambda key: (page.keyboard.press(key), settle())
            moment = lambda: page.inner_text("#moment").split(" at ")[0]
            press("n")
            result["opened"] = page.inner_text(".head h1")
            result["at"] = moment()
            result["fault"] = page.locator(".cause").inner_text()
            press("ArrowLeft")
            result["back"] = moment()
            result["faded"] = page.locator(".row.later").count()
            press("ArrowRight")
            result["on"] = moment()
            result["line"] = page.inner_text(".code .at")
            press("w")
            result["wire"] = page.locator(".frame").count()
            result["with_wire"] = moment()
            press("j")
            result["next"] = page.inner_text(".head h1")
            press("/")
            page.keyboard.type("visitor 2")
            result["found"] = page.inner_text("#shown")
            press("Escape")
            press("Escape")
            result["overview"] = page.locator(".overview").count()
            page.focus("#list")
            press("ArrowDown")
            result["arrow"] = page.inner_text(".head h1")
            result["active"] = page.get_attribute("#list", "aria-activedescendant")
            press("?")
            result["help"] = page.locator("#help[open] tr").count()
            """#)
        self.expectQuiet(result)
        #expect(result["opened"]?.string?.hasSuffix("the desk › visitor 0 is answered") == true)
        #expect(result["at"] == "18 of 18")
        #expect(result["fault"]?.string?.contains("nearest   #2 queue at 1.2s") == true)
        #expect(result["back"] == "17 of 18")
        #expect(result["faded"] == 1)
        #expect(result["on"] == "18 of 18")
        #expect(result["line"] == "  21  line 21")
        #expect(result["wire"] == 2)
        #expect(result["with_wire"] == "20 of 20")
        #expect(result["next"]?.string?.hasSuffix("visitor 1 is answered") == true)
        #expect(result["found"] == "1 of 3")
        #expect(result["overview"] == 1)
        #expect(result["arrow"]?.string?.hasSuffix("visitor 2 is answered") == true)
        #expect(result["active"] == "case2")
        #expect((result["help"]?.integer ?? 0) >= 10)
    }

    @Test(
        "One attempt at a scenario is shown, or all beside each other, with actors in lanes and forms, cards, tables and the queue"
    )
    func attempts() throws {
        let result = try Browser.visit(
            self.document(ChatRun.retried),
            #"""
            page.goto(url + "#1")
            page.wait_for_selector(".attempt.current .talk")
            settle()
            result["badge"] = page.inner_text(".badge >> nth=0")
            panes = page.locator(".attempt")
            result["tabs"] = [[tab.inner_text().split()[1], tab.get_attribute("aria-pressed")]
                for tab in page.locator(".tabs .tab").all()]
            result["first"] = [pane.is_visible() for pane in panes.all()]
            page.locator(".tabs .tab >> nth=0").focus()
            page.keyboard.press("Enter")
            result["chosen"] = [pane.is_visible() for pane in panes.all()]
            result["print"] = page.emulate_media(media="print") or [pane.is_visible() for pane in panes.all()]
            page.emulate_media(media="screen")
            page.check("#all")
            result["attempts"] = [head.inner_text() for head in page.locator(".attempt > h2").all()]
            result["wide"] = page.locator(".work").bounding_box()["width"] / 2 <= panes.nth(0).bounding_box()["width"] + 1
            boxes = [pane.bounding_box() for pane in page.locator(".attempt").all()]
            result["beside"] = boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
            result["lanes"] = [lane.inner_text() for lane in page.locator(".attempt >> nth=1 >> .lanes b").all()]
            last = page.locator(".attempt >> nth=1")
            result["said"] = [b.inner_text() for b in last.locator(".bubble").all()]
            result["fields"] = [f.inner_text() for f in last.locator(".field").all()]
            result["cards"] = last.locator(".deck .card").count()
            result["cells"] = [c.inner_text() for c in last.locator("td, th").all()]
            result["queue"] = last.locator(".waiting").inner_text()
            result["dots"] = last.locator(".dots").count()
            page.locator(".attempt:nth-child(2) .tab").click()
            page.uncheck("#all")
            result["last"] = [pane.is_visible() for pane in panes.all()]
            result["screens"] = page.inner_text(".screens")
            """#)
        self.expectQuiet(result)
        #expect(result["badge"]?.string?.contains("flaky") == true)
        #expect(result["tabs"] == [["attempt", "false"], ["attempt", "true"]])
        #expect(
            result["first"] == [false, true] && result["chosen"] == [true, false] && result["last"] == [false, true])
        #expect(result["print"] == [true, true])
        #expect(result["attempts"]?.array?.count == 2 && result["wide"] == true)
        #expect(result["beside"] == true)
        #expect(result["lanes"] == ["visitor client · boldchat", "Sam agent · boldchat"])
        let said = result["said"]?.array ?? []
        #expect(said.contains("Or perhaps these?") && said.contains("Thanks!"))
        #expect(said.count { $0.string?.hasPrefix("The order 1 left") == true } == 2)
        #expect(result["fields"] == ["Your name *", "name\nVisitor 1"])
        #expect(result["cards"] == 2)
        #expect(result["cells"] == ["Item", "Price", "Trousers", "129", "Belt", "25"])
        #expect(result["queue"]?.string?.contains("2") == true)
        #expect(result["dots"] == 2)
        #expect(result["screens"]?.string?.contains("→ say Thanks!") == true)
    }

    @Test("Nothing that a server or a script said acts, and all of it is shown", arguments: ["light", "dark"])
    func hostile(scheme: String) throws {
        let result = try Browser.visit(
            self.document(HostileRun.entries), scheme: scheme,
            #"""
            page.goto(url)
            settle()
            page.click("#help-button")
            page.keyboard.press("Escape")
            attempts = page.evaluate("JSON.parse(document.getElementById('index').textContent).attempts.length")
            result["rows"] = []
            for place in range(attempts):
                page.goto(url + "#%d" % place)
                page.wait_for_selector(".talk")
                settle()
                if place == 0:
                    page.keyboard.press("w")
                    settle()
                result["rows"].append(page.locator(".row:not(:has(.fault))").count())
                for step in range(12):
                    page.keyboard.press("ArrowLeft")
                for details in page.locator("#beside details").all():
                    details.click()
            result["hacked"] = page.evaluate("typeof hacked")
            result["elements"] = page.evaluate(
                "document.querySelectorAll('img, svg, iframe, base, object, embed, link, a:not(#home), [src], [onload],"
                + " [onerror], [href]:not(#home)').length")
            page.goto(url + "#0")
            page.wait_for_selector(".talk")
            result["heading"] = page.inner_text(".head h1")
            result["scripts"] = page.evaluate("document.querySelectorAll('script:not([type])').length")
            """#)
        self.expectQuiet(result)
        let entries = HostileRun.entries.count { entry in
            switch entry {
            // Screens stand at the side.
            case .happened(_, _, .showed): false
            case .happened: true
            default: false
            }
        }
        #expect(
            result["rows"]?.array?.map(\.integer)
                == Array(repeating: Int64(entries / HostileRun.texts.count), count: HostileRun.texts.count))
        #expect(result["hacked"] == "undefined")
        #expect(result["elements"] == 0)
        #expect(result["scripts"] == 1)
        #expect(result["heading"]?.string?.contains(HostileRun.texts[0]) == true)
    }

    @Test("A conversation stands message by message beside the stored one, with its masks, and screens as they were")
    func besideEachOther() throws {
        let result = try Browser.visit(
            self.document(TranscriptRun.entries),
            #"""
            page.goto(url + "#0")
            page.wait_for_selector(".versus")
            settle()
            texts = lambda what: page.locator(what).all_inner_texts()
            result["stored"] = texts(".side.stored")
            result["found"] = texts(".side.found")
            result["between"] = texts(".between")
            result["masks"] = texts(".mask")
            result["marks"] = texts(".versus mark")
            result["text_is_hidden"] = not page.locator(".whole-text pre").is_visible()
            screen = lambda: page.inner_text(".screen.real").split()
            result["screen"] = screen()
            result["new"] = texts(".screen .new")
            page.keyboard.press("ArrowLeft")
            settle()
            result["new_then"] = texts(".screen .new")
            page.keyboard.press("ArrowLeft")
            settle()
            result["screen_before"] = screen()
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowLeft")
            settle()
            result["screens_at_first"] = page.locator(".screen.real").count()
            """#)
        self.expectQuiet(result)
        func texts(_ name: String) -> [String] { (result[name]?.array ?? []).compactMap(\.string) }
        #expect(
            texts("stored") == [
                "visitor → create_chat", "visitor ← message\nid \"<integer>\"\ntext \"Good morning Ada\"",
                "visitor ← queue\nposition 1", "not stored",
            ])
        #expect(
            texts("found") == [
                "visitor → create_chat", "visitor ← message\nid 7\ntext \"Good evening Ada\"", "did not come",
                "visitor ← message\ntext \"<script>\"",
            ])
        #expect(texts("between") == ["3 lines as stored", "… stands for 2 entries"])
        #expect(texts("masks") == ["<integer>"])
        #expect(texts("marks") == ["morning", "evening"])
        #expect(result["text_is_hidden"] == true)
        #expect(texts("screen") == ["visitor", "Chat", "chat", "Sam", "Hello", "Your", "message", "Send", "End"])
        #expect(texts("screen_before") == ["visitor", "Chat", "chat", "Your", "message", "Send", "End"])
        #expect(texts("new") == [])
        #expect(texts("new_then") == ["Sam\nHello"])
        #expect(result["screens_at_first"] == 0)
    }

    @Test("It is light or dark as the reader's system is, until the reader chooses")
    func darkness() throws {
        let colors = #"""
            page.goto(url)
            color = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")
            result["before"] = color()
            page.keyboard.press("t")
            result["after"] = color()
            page.reload()
            result["kept"] = color()
            """#
        let light = try Browser.visit(self.document(SampleRun.entries), scheme: "light", colors)
        let dark = try Browser.visit(self.document(SampleRun.entries), scheme: "dark", colors)
        self.expectQuiet(light)
        #expect(light["before"] != dark["before"])
        #expect(light["before"] == dark["after"])
        #expect(light["after"] == dark["before"])
        #expect(light["kept"] == light["after"])
    }

    @Test("A conversation of many thousand entries is shown in pieces, and stepping goes on through them")
    func long() throws {
        let start = SampleRun.entries[1]
        let talk = (1...5_000).map { number in
            RunEntry.happened(
                scenario: 1, atNanoseconds: Int64(number) * 1_000_000,
                .observed(actor: "v", number: number, kind: "message", fields: ["text": .string("say \(number)")]))
        }
        let huge = RunEntry.happened(
            scenario: 1, atNanoseconds: 0,
            .observed(
                actor: "v", number: 0, kind: "message",
                fields: ["text": .string(String(repeating: "Ä", count: 3_000_000))]))
        let result = try Browser.visit(
            self.document([SampleRun.entries[0], start, huge] + talk),
            #"""
            page.goto(url + "#0")
            page.wait_for_selector(".talk")
            settle()
            result["rows"] = page.locator(".row").count()
            page.click(".row >> nth=0")
            settle()
            result["text"] = len(page.inner_text("#beside"))
            page.click("#beside button")
            result["more"] = len(page.inner_text("#beside"))
            page.evaluate("const r = document.getElementById('range'); r.value = 4000; r.dispatchEvent(new Event('input'))")
            settle()
            result["moment"] = page.inner_text("#moment").split(" at ")[0]
            result["now"] = page.inner_text(".row.now")
            result["outcome"] = page.inner_text(".badge >> nth=0")
            """#)
        self.expectQuiet(result)
        #expect((result["rows"]?.integer ?? .max) <= 300)
        #expect((result["text"]?.integer ?? .max) < 100_000)
        #expect((result["more"]?.integer ?? 0) > 115_000)
        #expect(result["moment"] == "4001 of 5001")
        #expect(result["now"]?.string?.contains("say 4000") == true)
        #expect(result["outcome"]?.string?.contains("unfinished") == true)
    }

    @Test("5,000 scenarios are in the list, of which few are elements; the times are printed, not judged")
    func many() throws {
        let document = self.document(ChatRun.entries(scenarios: 5_000))
        let result = try Browser.visit(
            document,
            #"""
            start = time.time()
            page.goto(url, wait_until="commit")
            page.wait_for_selector(".case")
            result["list"] = round((time.time() - start) * 1000)
            page.wait_for_load_state("load")
            result["load"] = round((time.time() - start) * 1000)
            result["shown"] = page.inner_text("#shown")
            result["rows"] = page.locator(".case").count()
            result["filter"] = page.evaluate("""async () => {
              const start = performance.now();
              document.getElementById("search").value = "visitor 4999";
              document.getElementById("search").dispatchEvent(new Event("input"));
              await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
              return Math.round(performance.now() - start);
            }""")
            result["found"] = page.inner_text(".case .name")
            page.click(".case")
            page.wait_for_selector(".talk")
            result["bubbles"] = page.locator(".bubble").count()
            """#)
        self.expectQuiet(result)
        #expect(result["shown"] == "5,000 scenarios")
        #expect((result["rows"]?.integer ?? .max) < 60)
        #expect(result["found"] == "the desk › visitor 4999 is answered")
        #expect((result["bubbles"]?.integer ?? 0) > 5)
        func figure(_ name: String) -> String { result[name]?.description ?? "?" }
        print(
            "5,000 scenarios, \(document.count) bytes, Chromium \(figure("version")): list after \(figure("list"))ms, "
                + "whole after \(figure("load"))ms, filtered in \(figure("filter"))ms")
    }
}
