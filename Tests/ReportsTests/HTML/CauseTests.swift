import JSON
import RunRecord
import Testing

@testable import Reports

@Suite(
    "The page of a failure in a browser", .enabled(if: Browser.problem == nil, "\(Browser.problem ?? "")"), .serialized)
struct CauseTests {
    private var document: [UInt8] {
        var recorder = HTMLRecorder(
            options: HTMLOptions(
                source: { _ in (1...40).map { "line \($0)\n" }.joined() }, elapsed: { .milliseconds(1_500) }))
        for entry in CauseRun.entries { recorder.record(entry) }
        return recorder.document()
    }

    @Test("The first screen has the headline once, the difference, the bubbles concerned and the lines of both files")
    func firstScreen() throws {
        let result = try Browser.visit(
            self.document,
            #"""
            page.goto(url + "#0")
            page.wait_for_selector(".cause")
            settle()
            texts = lambda what: page.locator(what).all_inner_texts()
            result["headline"] = page.inner_text(".cause h2")
            result["times_told"] = page.inner_text("#detail").count("A-1O01\", not")
            result["marks"] = texts(".cause mark")
            result["bubbles"] = texts(".cause .bubble")
            result["culprit"] = texts(".cause .culprit .bubble")
            result["files"] = texts(".source > .note")
            result["lines"] = texts(".cause .code .at")
            box = page.locator(".cause .code").last.bounding_box()
            result["in_view"] = box["y"] + box["height"] < 900
            result["head"] = page.inner_text(".head")
            result["facts"] = page.inner_text("#facts")
            result["title"] = page.title()
            result["culprit_row"] = texts(".row.culprit .bubble")
            """#)
        #expect(result["errors"] == [])
        #expect(result["headline"]?.string == CauseRun.message)
        #expect(result["times_told"] == 1)
        #expect(result["marks"] == ["0", "O"])
        #expect(result["bubbles"] == ["Where is my order?", "Your order A-1O01 left this morning."])
        #expect(result["culprit"] == ["Your order A-1O01 left this morning."])
        #expect(result["files"] == ["Scenarios/bot.lua:5", "Scenarios/client.lua:20 in hears"])
        #expect(result["lines"]?.array?.first?.string?.contains("ada:hears \"A-1001\"") == true)
        #expect(result["in_view"] == true)
        #expect(result["head"]?.string?.contains("12ms (1h 0m of virtual time)") == true)
        #expect(result["facts"]?.string?.hasPrefix("1.5s") == true)
        #expect(result["title"] == "✗ the order › is found – repartee")
        #expect(result["culprit_row"] == ["Your order A-1O01 left this morning."])
    }

    @Test("A streamed answer is one bubble that grows, with its pieces on demand")
    func stream() throws {
        let result = try Browser.visit(
            self.document,
            #"""
            page.goto(url + "#0")
            page.wait_for_selector(".cause")
            settle()
            stream = page.locator(".row:has(.pieces)")
            result["rows"] = stream.count()
            result["whole"] = stream.locator(".bubble").inner_text()
            page.evaluate("const r = document.getElementById('range'); r.value = 3; r.dispatchEvent(new Event('input'))")
            settle()
            result["said"] = stream.locator(".bubble span").first.inner_text()
            result["unsaid"] = stream.locator(".unsaid").inner_text()
            stream.locator("summary").click()
            settle()
            result["pieces"] = stream.locator(".piece").count()
            """#)
        #expect(result["errors"] == [])
        #expect(result["rows"] == 1)
        #expect(result["whole"] == "Your order A-1O01 left this morning.")
        #expect(result["said"] == "Your order A-1O01")
        #expect(result["unsaid"]?.string?.hasSuffix("left this morning.") == true)
        #expect(result["pieces"] == 4)
    }

    @Test("A link names the scenario and the moment, whatever its place in the report is")
    func links() throws {
        let result = try Browser.visit(
            self.document,
            #"""
            page.goto(url)
            page.click(".case >> nth=0")
            page.wait_for_selector(".cause")
            settle()
            result["address"] = page.evaluate("location.hash")
            page.keyboard.press("ArrowLeft")
            settle()
            moment = page.evaluate("location.href")
            result["moment"] = moment.split("#")[1]
            page.goto("about:blank")
            page.goto(moment)
            page.wait_for_selector(".cause")
            settle()
            result["arrived"] = page.inner_text("#moment").split(" at ")[0]
            """#)
        #expect(result["errors"] == [])
        #expect(result["address"] == "#Scenarios/bot.lua::the+order+%E2%80%BA+is+found")
        #expect(result["moment"]?.string?.contains("&entry=") == true)
        #expect(result["arrived"] == "7 of 8")
    }

    @Test("A phone begins with the overview, and there is a way back to it; print has the whole conversation")
    func phoneAndPrint() throws {
        let result = try Browser.visit(
            self.document,
            #"""
            page.set_viewport_size({"width": 390, "height": 844})
            page.goto(url)
            result["overview"] = page.locator(".overview h1").bounding_box()["y"] < 200
            result["list_below"] = page.locator("#list-pane").bounding_box()["y"] > 300
            page.click(".trouble .link")
            page.wait_for_selector(".cause")
            settle()
            result["headline_in_view"] = page.locator(".cause h2").bounding_box()["y"] < 400
            result["sideways"] = page.evaluate("document.documentElement.scrollWidth")
            page.click(".back")
            settle()
            result["back"] = page.locator(".overview").count()
            page.goto(url + "#0")
            page.wait_for_selector(".cause")
            page.emulate_media(media="print")
            settle()
            rows = page.locator(".row").all()
            result["printed"] = all(row.is_visible() for row in rows) and len(rows)
            result["clipped"] = page.evaluate(
                "(() => { const t = document.querySelector('.talk'); return t.scrollHeight > t.clientHeight + 1; })()")
            """#)
        #expect(result["errors"] == [])
        #expect(result["overview"] == true)
        #expect(result["list_below"] == true)
        #expect(result["headline_in_view"] == true)
        #expect(result["sideways"] == 390)
        #expect(result["back"] == 1)
        #expect((result["printed"]?.integer ?? 0) >= 5)
        #expect(result["clipped"] == false)
    }

    @Test("Every text stands out from its ground as AA asks", arguments: ["light", "dark"])
    func contrast(scheme: String) throws {
        let result = try Browser.visit(
            self.document, scheme: scheme,
            #"""
            poor = """() => {
              const parse = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
              const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
                .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
                .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
              const ground = (element) => {
                for (let at = element; at; at = at.parentElement) {
                  const color = parse(getComputedStyle(at).backgroundColor);
                  if (color.length === 3 || color[3] === 1) return color;
                }
                return [255, 255, 255];
              };
              const bad = new Set();
              for (const element of document.querySelectorAll("body *")) {
                const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim() !== "");
                if (!own || !element.checkVisibility() || element.closest(".later, .unsaid, script, style")) continue;
                const [ink, paper] = [parse(getComputedStyle(element).color), ground(element)];
                const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
                const ratio = (a + 0.05) / (b + 0.05);
                if (ratio < 4.5) bad.add(`${element.className || element.tagName} ${ratio.toFixed(2)}`);
              }
              return [...bad];
            }"""
            page.goto(url)
            settle()
            result["overview"] = page.evaluate(poor)
            page.goto(url + "#0")
            page.wait_for_selector(".cause")
            settle()
            result["failure"] = page.evaluate(poor)
            """#)
        #expect(result["errors"] == [])
        #expect(result["overview"] == [])
        #expect(result["failure"] == [])
    }
}
