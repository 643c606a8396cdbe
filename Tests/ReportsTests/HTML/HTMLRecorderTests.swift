import Digests
import Foundation
import JSON
import Machines
import RunRecord
import Testing

@testable import Reports

@Suite("The HTML report")
struct HTMLRecorderTests {
    private func page(_ entries: [RunEntry], options: HTMLOptions = HTMLOptions()) -> PageReader {
        var recorder = HTMLRecorder(options: options)
        for entry in entries { recorder.record(entry) }
        return PageReader(recorder.document())
    }

    @Test("A page does not grow with repetitions that pass, counts them, and keeps all others with what they said")
    func repetitions() throws {
        let some = self.page(RepeatedRun.entries(100, outcome: .passed))
        let many = self.page(RepeatedRun.entries(10_000, outcome: .passed))
        // What grows is the width of numbers.
        #expect(many.text.utf8.count - some.text.utf8.count < 20)
        let index = try #require(try many.block("index"))
        #expect(index["attempts"]?.array?.count == 20)
        #expect(index["unlisted"] == [["file": 0, "passed": 9_980, "time": 49_900]])
        for place in 0..<20 {
            let happenings = try many.happenings(place)
            #expect(happenings.count == RepeatedRun.entriesEach)
            #expect(happenings.allSatisfy { $0.runEvent == .logged(level: .info, text: "repetition \(place + 1)") })
        }
        #expect(try many.block("a20") == nil)
        for (outcome, attempt) in [(Outcome.failed, 1), (.passed, 2), (.skipped(reason: "later"), 1)] {
            let kept = self.page(RepeatedRun.entries(100, outcome: outcome, attempt: attempt))
            #expect(try kept.block("index")?["attempts"]?.array?.count == 100)
            #expect(try kept.block("index")?["unlisted"] == [])
            #expect(try kept.happenings(99).last?.runEvent == .logged(level: .info, text: "repetition 100"))
        }
    }

    @Test(
        "Nothing of the record is lost: the page gives back every entry as it was",
        arguments: ["sample", "retries", "chat", "hostile", "transcript", "random"])
    func complete(name: String) throws {
        var random = RandomSource(seed: 5)
        let entries =
            switch name {
            case "sample": SampleRun.entries
            case "retries": SampleRun.retries
            case "chat": ChatRun.entries(scenarios: 30)
            case "hostile": HostileRun.entries
            case "transcript": TranscriptRun.entries
            default: RandomRun.entries(scenarios: 60, using: &random)
            }
        let page = self.page(entries)
        var expected: [Int: [(Int64, RunEvent)]] = [:]
        var places: [Int: Int] = [:]
        for entry in entries {
            switch entry {
            case .scenarioStarted(let start): places[start.index] = places.count
            case .happened(let scenario, let time, let runEvent):
                expected[try #require(places[scenario]), default: []].append((time, runEvent))
            case .scenarioEnded(let end):
                let block = try page.block("a\(try #require(places[end.index]))")
                #expect(try block?["end"] == JSONReader.read(entry.line))
            case .runStarted(let start): #expect(try page.block("index")?["run"] == start.json)
            case .runEnded(let end): #expect(try page.block("index")?["end"] == end.json)
            }
        }
        for place in 0..<places.count {
            let read = try page.happenings(place)
            #expect(read.map(\.runEvent) == (expected[place] ?? []).map(\.1))
            #expect(read.map(\.atNanoseconds) == (expected[place] ?? []).map(\.0))
        }
        let index = try #require(try page.block("index")?["attempts"]?.array)
        // A run without an end is itself the last case.
        let isUnfinished = RunCompleteness(entries).problem != nil
        #expect(index.count == places.count + (isUnfinished ? 1 : 0))
        let counts = index.prefix(places.count).map { $0["entries"]?.integer }
        #expect(counts == (0..<places.count).map { Int64(expected[$0]?.count ?? 0) })
        #expect(try (page.block("a\(places.count)") == nil) == !isUnfinished)
        #expect(try page.block("a\(index.count)") == nil)
    }

    @Test("After every entry the page is whole, and what is running has no outcome")
    func everyEntry() throws {
        var recorder = HTMLRecorder()
        var running = 0
        for entry in SampleRun.retries {
            recorder.record(entry)
            if case .scenarioStarted = entry { running += 1 }
            if case .scenarioEnded = entry { running -= 1 }
            let page = PageReader(recorder.document())
            #expect(page.text.hasSuffix("</html>\n"))
            let attempts = try #require(try page.block("index")?["attempts"]?.array)
            #expect(attempts.count { $0["outcome"] == nil } == running)
            for place in attempts.indices { #expect(try page.block("a\(place)") != nil) }
        }
    }

    @Test("However hostile the texts are, the page has only its own tags")
    func tags() {
        let count = { (text: String) in text.ranges(of: "<").count }
        // The page of a run of as many scenarios without any text that could act.
        let harmless = HostileRun.entries.map { entry -> RunEntry in
            guard case .scenarioStarted(var start) = entry else { return entry }
            start.file = "\(start.index)"
            return .scenarioStarted(start)
        }.filter { if case .happened = $0 { false } else { true } }
        let hostile = self.page(HostileRun.entries)
        #expect(count(hostile.text) == count(self.page(harmless).text))
        #expect(hostile.text.ranges(of: "</script>").count == 3 + HostileRun.texts.count)
    }

    @Test("The policy names the digests of the one script and the one style, and allows nothing else")
    func policy() throws {
        let text = self.page([]).text
        func content(_ tag: String) throws -> Substring {
            let start = try #require(text.firstRange(of: "<\(tag)>")).upperBound
            return text[start..<(try #require(text[start...].firstRange(of: "</\(tag)>")).lowerBound)]
        }
        for (tag, directive) in [("script", "script-src"), ("style", "style-src")] {
            let digest = Data(Digest.sha256(Array(try content(tag).utf8))).base64EncodedString()
            #expect(text.contains("\(directive) 'sha256-\(digest)';"))
        }
        #expect(text.contains("content=\"default-src 'none'; "))
        #expect(!text.contains("unsafe"))
        #expect(!text.contains("http:") && !text.contains("https:"))
        #expect(!PageScript.text.contains("innerHTML") && !PageScript.text.contains("eval("))
    }

    @Test("A page has the rates of soft checks, once, with the last try")
    func checks() throws {
        let attempts = try #require(try self.page(SampleRun.tries).block("index")?["attempts"]?.array)
        #expect(attempts.map { $0["passes"]?["checks"]?.array?.count } == [nil, nil, 2])
        #expect(
            attempts.last?["passes"]?["checks"]?[0] == [
                "place": "line 4", "text": "check(polite)",
                "figures": "2 of 3 tries, 66.7 %, 90 % interval 20 to 90 %",
            ])
        #expect(
            attempts.last?["passes"]?["baseline"]
                == "7 of 8 tries, 87.5 %, 90 % interval 50 to 95 %; difference -62.5 to +40 points")
        #expect(attempts.last?["passes"]?["checks"]?[1]?["place"] == "lib/short.lua:2")
    }

    @Test("Scripts are shown when they can be had and are not too long")
    func sources() throws {
        let options = HTMLOptions {
            $0 == "Scenarios/queue.lua" ? "</script>\n" : String(repeating: "x", count: 2 << 20)
        }
        let sources = try self.page(SampleRun.entries, options: options).block("sources")
        #expect(sources == ["</script>\n", .null])
    }

    @Test("The same bytes at both ends of a connection and in an event stand in the page once")
    func shared() {
        let body = "{\"text\":\"once and only once\"}"
        let frame = WireFrame(connection: "a/1", direction: .sent, summary: "frame", payload: .text(body))
        let page = self.page([
            SampleRun.entries[0], SampleRun.entries[1], .happened(scenario: 1, atNanoseconds: 0, .wire(frame)),
            .happened(scenario: 1, atNanoseconds: 0, .wire(frame)),
            .happened(
                scenario: 1, atNanoseconds: 0,
                .observed(
                    actor: "a", number: 1, kind: "message", fields: [:], raw: ["text": "once and only once"])),
        ])
        #expect(page.text.ranges(of: "once and only once").count == 1)
    }
}
