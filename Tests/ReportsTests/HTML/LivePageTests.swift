import Foundation
import JSON
import RunRecord
import Testing

@testable import Reports

@Suite(
    "The page of a run that goes, in a browser", .enabled(if: Browser.problem == nil, "\(Browser.problem ?? "")"),
    .serialized)
struct LivePageTests {
    /// What a page is told first, and then; its conversations.
    private static func told() -> (first: [UInt8], then: [UInt8], conversation: [UInt8]) {
        var recorder = LiveRecorder()
        recorder.begin(HTMLOptions(), isWhole: true)
        recorder.state.isPlaying = true
        let start = RunStart(toolVersion: "0.1.0", seed: 1, clock: .real, target: "embedded", plannedScenarios: 2)
        func begins(_ index: Int, _ title: String) -> RunEntry {
            .scenarioStarted(
                ScenarioStart(index: index, file: "s.lua", line: 1, titlePath: [title], seed: 1, atNanoseconds: 0))
        }
        func says(_ text: String) -> RunEntry {
            .happened(scenario: 1, atNanoseconds: 1, .logged(level: .info, text: text))
        }
        let ended = RunEntry.scenarioEnded(ScenarioEnd(index: 0, atNanoseconds: 5, outcome: .passed))
        for entry in [RunEntry.runStarted(start), begins(0, "greets"), ended, begins(1, "asks"), says("<b>hello</b>")] {
            recorder.record(entry)
        }
        let first = recorder.changes(after: 0)
        let known = recorder.version
        recorder.record(says("goodbye"))
        let problem = Problem(category: .failure, typeName: "mismatch", message: "it broke")
        recorder.record(
            .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 9, outcome: .failed, problems: [problem])))
        recorder.record(
            .runEnded(RunEnd(counts: OutcomeCounts(passed: 1, failed: 1), durationNanoseconds: 9)))
        recorder.state.isPlaying = false
        return (first, recorder.changes(after: known), recorder.conversation(of: 1) ?? [])
    }

    @Test("shows scenarios as they come and end, lets one play them again, and says when the tool has ended")
    func follows() throws {
        let (first, then, conversation) = Self.told()
        func literal(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
        let result = try Browser.visit(
            LiveRecorder.document,
            #"""
            import base64
            first, then, talk = [base64.b64decode(part).decode() for part in
                ("\#(literal(first))", "\#(literal(then))", "\#(literal(conversation))")]
            place = "http://127.0.0.1:9/T/"
            state = {"goes_on": False, "has_ended": False, "posts": []}

            def answer(route):
                request = route.request
                path = request.url.removeprefix(place)
                if path == "": return route.fulfill(body=open(sys.argv[2]).read(), content_type="text/html")
                if request.method == "POST":
                    state["posts"].append([path, request.post_data])
                    return route.fulfill(body="{}", content_type="application/json")
                if path.startswith("conversations/"): return route.fulfill(body=talk, content_type="application/json")
                if path.startswith("sources/"): return route.fulfill(body="null", content_type="application/json")
                if state["has_ended"]: return route.abort()
                if path == "changes?after=0": return route.fulfill(body=first, content_type="application/json")
                if state["goes_on"]:
                    state["goes_on"] = False
                    return route.fulfill(body=then, content_type="application/json")
                # Nothing is new: the question waits, as at the real port.
                state["waiting"] = route

            page.route(place + "**", answer)
            page.goto(place)
            page.wait_for_selector(".case")
            settle()
            result["headline"] = page.inner_text("#detail h1")
            result["rows"] = page.locator(".case .name").all_inner_texts()
            result["can"] = [page.is_enabled(f"text={name}") for name in ("play all", "play what broke", "stop")]
            page.click("text=stop")
            state["goes_on"] = True
            state["waiting"].fulfill(body=first, content_type="application/json")
            page.wait_for_selector("#detail h1:has-text('did not pass')")
            result["then"] = [page.is_enabled(f"text={name}") for name in ("play all", "play what broke", "stop")]
            result["order"] = page.locator(".case .name").all_inner_texts()
            page.click(".case >> nth=0")
            page.wait_for_selector(".talk")
            settle()
            result["talk"] = page.inner_text(".talk")
            result["bold"] = page.locator(".talk b", has_text="hello").count()
            page.click("text=play again")
            page.click("text=play what broke")
            page.check("#watching")
            settle()
            result["posts"] = state["posts"]
            state["has_ended"] = True
            state["waiting"].abort()
            page.wait_for_selector("#live:has-text('has ended')")
            result["end"] = page.is_enabled("text=play all")
            """#)
        #expect(result["errors"] == [])
        #expect(result["headline"] == "Playing: 1 of 2 have ended")
        #expect(result["rows"] == ["asks", "greets"])
        #expect(result["can"] == [false, false, true])
        #expect(result["then"] == [true, true, false])
        #expect(result["order"] == ["asks", "greets"])
        #expect(result["talk"]?.string?.contains("<b>hello</b>") == true)
        #expect(result["talk"]?.string?.contains("goodbye") == true)
        #expect(result["bold"] == 0)
        #expect(
            result["posts"] == [
                ["stop", "{}"], ["play", #"{"attempts":[1]}"#], ["play", #"{"attempts":[1]}"#],
                ["watch", #"{"on":true}"#],
            ])
        #expect(result["end"] == false)
    }
}
