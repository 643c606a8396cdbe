import Foundation
import JSON
import Testing

@testable import Reports

/// The page in a browser, with canned answers in place of a server.
@Suite(
    "The page for conversations by hand, in a browser",
    .enabled(if: Browser.problem == nil, "\(Browser.problem ?? "")"), .serialized)
struct ChatDocumentTests {
    /// A shop's chat: a visitor who was sent a form, an agent who has spoken, and their server.
    private static let server = #"""
        import pathlib, axe_playwright_python
        axe = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
        place = "http://127.0.0.1:9/T/"
        posts, told = [], {"begun": False}

        def declared(name, type="text", optional=False, **more):
            return {"name": name, "type": type, "optional": optional, "secret": False, "summary": "What `it` is.", **more}

        def command(name, *fields, **more):
            return {"name": name, "summary": "Does it.", "fields": list(fields), **more}

        say = command("say", declared("text"), sends="text")
        forms = {"clientName": "visitor", "client": {
                "options": [declared("user", optional=True), declared("language", "choice", True, words=["en", "de"])],
                "commands": [say, command("answer_form", declared("values", "json")),
                    command("set", declared("place", "record", fields=[declared("city")]))]},
            "parties": {"agent": {"commands": [command("accept", declared("visitor", "actor")), say]}},
            "server": {"commands": [command("close", declared("now", "boolean", True))]}}
        form = {"kind": "pre_chat", "submit": "answer_form", "fields": [
            {"key": "name", "label": "Your name", "required": True}, {"key": "why", "label": "Why", "multi_line": True},
            {"key": "topic", "label": "Topic", "options": [{"name": "An order", "value": "order"}]}]}
        news = {"version": 9, "all": True, "system": "Shop", "origin": "http://127.0.0.1:1", "actors": [
                {"name": "ada", "role": "client", "kind": "visitor", "state": {"state": "talking"}},
                {"name": "Sam", "role": "party", "kind": "agent", "state": {}}, {"name": "server", "role": "server", "state": {}}],
            "steps": [
                {"number": 0, "at": 0, "what": "joined", "actor": "ada"},
                {"number": 1, "at": 1, "what": "commanded", "actor": "ada", "name": "set", "fields": {"city": "Ulm"}},
                {"number": 2, "at": 2, "what": "refused", "actor": "ada", "step": 1, "message": "there is no city Ulm"},
                {"number": 3, "at": 3, "what": "observed", "actor": "ada", "name": "asked", "fields": {"form": form}, "noise": False},
                {"number": 4, "at": 4, "what": "commanded", "actor": "Sam", "name": "say", "fields": {"text": "Hi"}, "text": "Hi"},
                {"number": 5, "at": 5, "what": "observed", "actor": "ada", "name": "message",
                    "fields": {"from": "Sam", "text": "Hi <b>there</b>"}, "noise": False},
                *[{"number": 6 + n, "at": 6 + n, "what": "observed", "actor": "ada", "name": "queue",
                    "fields": {"position": n}, "noise": False} for n in range(12)]]}

        def answer(route):
            request = route.request
            path = request.url.removeprefix(place)
            reply = lambda value: route.fulfill(body=json.dumps(value), content_type="application/json")
            if path == "": return route.fulfill(body=open(sys.argv[2]).read(), content_type="text/html")
            if request.method == "POST":
                posts.append([path, json.loads(request.post_data)])
                told["begun"] = True
                if "waiting" in told: told.pop("waiting").fulfill(body=json.dumps(news), content_type="application/json")
                return reply({})
            if path == "systems": return reply({"systems": ["shop", "other"], "first": "shop"})
            if path == "forms": return reply(forms)
            if path == "changes?after=0" and told["begun"]: return reply(news)
            told["waiting"] = route

        page.route(place + "**", answer)

        """#

    @Test("axe-core finds nothing and nothing is wider than the window", arguments: ["light", "dark"])
    func axe(scheme: String) throws {
        let result = try Browser.visit(
            ChatDocument.bytes, scheme: scheme,
            Self.server
                + #"""
                result["found"], result["passes"], result["wide"] = [], [], []
                for begun in (False, True):
                    for width, height in [(1440, 900), (390, 844)]:
                        told.clear()
                        told["begun"] = begun
                        page.set_viewport_size({"width": width, "height": height})
                        page.goto(place)
                        if begun: page.wait_for_selector(".answer")
                        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
                        settle()
                        result["wide"].append(page.evaluate("document.documentElement.scrollWidth > innerWidth"))
                        page.evaluate(axe)
                        found = page.evaluate("axe.run()")
                        result["passes"].append(len(found["passes"]))
                        for rule in found["violations"]:
                            result["found"].append(rule["id"] + ": " + rule["nodes"][0]["html"])
                """#)
        #expect(result["found"] == [] && result["errors"] == [] && result["console"] == [])
        #expect(result["wide"] == [false, false, false, false])
        #expect(result["passes"]?.array?.allSatisfy { ($0.integer ?? 0) > 10 } == true)
    }

    @Test("Keys alone begin a conversation, answer a form that was sent, and say something")
    func keys() throws {
        let result = try Browser.visit(
            ChatDocument.bytes,
            Self.server
                + #"""
                page.goto(place)
                page.wait_for_function("document.querySelectorAll('option').length > 1")

                def tab_to(text):
                    for count in range(60):
                        page.keyboard.press("Tab")
                        if page.evaluate("document.activeElement.textContent") == text: return count
                    raise Exception("no way to " + text)

                tab_to("Begin")
                page.keyboard.press("Enter")
                page.wait_for_selector(".answer")
                settle()
                talk = page.locator(".talk").nth(0)
                result["at_end"] = talk.evaluate("e => e.scrollHeight - e.scrollTop - e.clientHeight < 2 && e.scrollTop > 0")
                # The form below grows, and what was said last stays in view.
                page.locator("article").nth(0).locator("select").first.select_option("set")
                settle()
                result["still_at_end"] = talk.evaluate("e => e.scrollHeight - e.scrollTop - e.clientHeight < 2")
                result["text"] = talk.locator(".bubble").last.inner_text()
                result["problem"] = talk.locator(".problem").inner_text()
                tab_to("Fill it in")
                page.keyboard.press("Enter")
                result["label"] = page.evaluate("document.activeElement.labels[0].textContent")
                page.keyboard.type("Ada")
                tab_to("Do")
                page.keyboard.press("Enter")
                settle()
                page.locator("article").nth(1).locator("select").first.focus()
                page.keyboard.type("say")
                page.keyboard.press("Tab")
                page.keyboard.type("Good morning")
                page.keyboard.press("Enter")
                settle()
                result["posts"] = posts
                """#)
        #expect(result["errors"] == [] && result["console"] == [])
        #expect(result["at_end"] == true && result["still_at_end"] == true)
        #expect(result["text"] == "Hi <b>there</b>" && result["problem"] == "there is no city Ulm")
        #expect(result["label"] == "Your name needed")
        #expect(
            result["posts"] == [
                ["begin", ["system": "shop"]],
                [
                    "perform",
                    [
                        "actor": "ada", "command": "answer_form",
                        "arguments": ["values": ["name": "Ada"]],
                    ],
                ],
                ["perform", ["actor": "Sam", "command": "say", "arguments": ["text": "Good morning"]]],
            ], "\(result["posts"] ?? .null)")
    }

    @Test("A field of a form is asked for as what it holds: choices, numbers, truths and lists are sent as such")
    func kinds() throws {
        let result = try Browser.visit(
            ChatDocument.bytes,
            Self.server
                + #"""
                form["fields"] = [
                    {"key": "stars", "type": "radio", "options": [{"name": "One", "value": 1}, {"name": "Two", "value": 2}]},
                    {"key": "people", "type": "number"}, {"key": "terms", "type": "boolean"},
                    {"key": "days", "type": "multi_select", "options": ["mon", "tue"]}, {"key": "pin", "type": "password"}]
                told["begun"] = True
                page.goto(place)
                page.wait_for_selector(".answer")
                page.get_by_text("Fill it in", exact=True).first.click()
                page.get_by_label("stars", exact=True).select_option("2")
                page.get_by_label("people", exact=True).fill("7")
                page.get_by_label("terms", exact=True).select_option("true")
                page.get_by_label("days", exact=True).fill('["tue"]')
                result["secret"] = page.get_by_label("pin", exact=True).get_attribute("type")
                page.locator("article").nth(0).get_by_role("button", name="Do", exact=True).click()
                settle()
                result["posts"] = posts
                """#)
        #expect(result["errors"] == [] && result["console"] == [] && result["secret"] == "password")
        let values: JSONValue = ["stars": 2, "people": 7, "terms": true, "days": ["tue"]]
        #expect(
            result["posts"] == [
                ["perform", ["actor": "ada", "command": "answer_form", "arguments": ["values": values]]]
            ], "\(result["posts"] ?? .null)")
    }
}
