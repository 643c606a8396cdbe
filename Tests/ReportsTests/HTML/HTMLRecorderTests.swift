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

    @Test("Of a scenario that is repeated the page keeps the first conversations that passed and all others")
    func repetitions() throws {
        func size(_ count: Int, outcome: Outcome) -> Int {
            var recorder = HTMLRecorder()
            for index in 0..<count {
                recorder.record(
                    .scenarioStarted(
                        ScenarioStart(
                            index: index, file: "s.lua", line: 1, titlePath: ["t"], repetition: index + 1, seed: 1,
                            atNanoseconds: 0)))
                for line in 0..<100 {
                    let text = "line \(line) of the conversation"
                    recorder.record(.happened(scenario: index, atNanoseconds: 1, .logged(level: .info, text: text)))
                }
                recorder.record(.scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 2, outcome: outcome)))
            }
            return recorder.document().count
        }
        let perPassed = (size(120, outcome: .passed) - size(20, outcome: .passed)) / 100
        let perFailed = (size(120, outcome: .failed) - size(20, outcome: .failed)) / 100
        #expect(perPassed < 1000, "\(perPassed)")
        #expect(perFailed > 4000, "\(perFailed)")
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
        var expected: [Int: [(Int64, Happening)]] = [:]
        var places: [Int: Int] = [:]
        for entry in entries {
            switch entry {
            case .scenarioStarted(let start): places[start.index] = places.count
            case .happened(let scenario, let time, let happening):
                expected[try #require(places[scenario]), default: []].append((time, happening))
            case .scenarioEnded(let end):
                let block = try page.block("a\(try #require(places[end.index]))")
                #expect(block?["end"] == entry.json)
            case .runStarted: #expect(try page.block("index")?["run"] == entry.json)
            case .runEnded: #expect(try page.block("index")?["end"] == entry.json)
            }
        }
        for place in 0..<places.count {
            let read = try page.happenings(place)
            #expect(read.map(\.happening) == (expected[place] ?? []).map(\.1))
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
