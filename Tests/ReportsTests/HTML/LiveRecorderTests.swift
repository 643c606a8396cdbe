import JSON
import Reports
import RunRecord
import Testing

@Suite("What a page is told of a run that goes")
struct LiveRecorderTests {
    private static func start(_ index: Int, _ title: String, repetition: Int? = nil) -> RunEntry {
        .scenarioStarted(
            ScenarioStart(
                index: index, file: "s.lua", line: 1, titlePath: [title], repetition: repetition, seed: 1,
                atNanoseconds: 0))
    }

    private static func end(_ index: Int, _ outcome: Outcome = .passed) -> RunEntry {
        .scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 5, outcome: outcome))
    }

    private static func says(_ index: Int, _ text: String) -> RunEntry {
        .happened(scenario: index, atNanoseconds: 1, .logged(level: .info, text: text))
    }

    /// The attempts that are told after a version, as their numbers and outcomes.
    private static func told(_ recorder: LiveRecorder, after version: Int) throws -> [[JSONValue]] {
        let news = try JSONReader.read(recorder.changes(after: version))
        return try #require(news["attempts"]?.array).map { one in
            [one.array?[0] ?? .null, one.array?[2]["outcome"] ?? .null]
        }
    }

    @Test("everything at first, then only what has changed")
    func changes() throws {
        var recorder = LiveRecorder()
        recorder.begin(HTMLOptions(), isWhole: true)
        for entry in [Self.start(0, "one"), Self.end(0), Self.start(1, "two")] { recorder.record(entry) }
        #expect(try Self.told(recorder, after: 0) == [[0, "passed"], [1, .null]])
        let known = recorder.version
        #expect(try Self.told(recorder, after: known).isEmpty)
        recorder.record(Self.says(1, "hello"))
        #expect(try Self.told(recorder, after: known) == [[1, .null]])
        #expect(String(decoding: recorder.conversation(of: 1) ?? [], as: UTF8.self).contains("hello"))
        recorder.record(Self.end(1, .failed))
        #expect(try Self.told(recorder, after: known) == [[1, "failed"]])
    }

    @Test("a page that knows more than there is, as of an earlier process, is told everything")
    func stranger() throws {
        var recorder = LiveRecorder()
        recorder.begin(HTMLOptions(), isWhole: true)
        for entry in [Self.start(0, "one"), Self.end(0)] { recorder.record(entry) }
        #expect(try Self.told(recorder, after: 1_000_000) == [[0, "passed"]])
        #expect(try JSONReader.read(recorder.changes(after: 1_000_000))["all"] == true)
    }

    @Test("what a later run plays again replaces what was, once another run begins; the rest stays")
    func again() throws {
        var recorder = LiveRecorder()
        recorder.begin(HTMLOptions(), isWhole: true)
        for entry in [Self.start(0, "one"), Self.end(0, .failed), Self.start(1, "two"), Self.end(1)] {
            recorder.record(entry)
        }
        #expect(recorder.scenarios(of: [0, 7]) == ["s.lua::one"])
        recorder.begin(HTMLOptions(), isWhole: false)
        for entry in [Self.start(0, "one"), Self.end(0)] { recorder.record(entry) }
        #expect(try Self.told(recorder, after: 0) == [[0, "failed"], [1, "passed"], [2, "passed"]])
        recorder.begin(HTMLOptions(), isWhole: false)
        #expect(try Self.told(recorder, after: 0) == [[1, "passed"], [2, "passed"]])
        #expect(recorder.conversation(of: 0) == nil)
        recorder.begin(HTMLOptions(), isWhole: true)
        #expect(try Self.told(recorder, after: 0).isEmpty)
    }

    @Test("repetitions that pass beyond the listed ones are counted, and one that fails is told")
    func repetitions() throws {
        var recorder = LiveRecorder()
        recorder.begin(HTMLOptions(), isWhole: true)
        for index in 0..<30 {
            recorder.record(Self.start(index, "one", repetition: index + 1))
            recorder.record(Self.end(index, index == 27 ? .failed : .passed))
        }
        let told = try Self.told(recorder, after: 0)
        #expect(told.count == 21 && told.last == [27, "failed"])
        let news = try JSONReader.read(recorder.changes(after: 0))
        #expect(news["unlisted"]?.array?.first?["passed"] == 9)
    }

    @Test("the text of a script is that of the run that read it last, without secrets")
    func sources() throws {
        var recorder = LiveRecorder()
        for text in ["old", "new secret"] {
            let options = HTMLOptions(source: { _ in text }, masked: { $0.replacing("secret", with: "***") })
            recorder.begin(options, isWhole: false)
            for entry in [Self.start(0, "one"), Self.end(0)] { recorder.record(entry) }
        }
        #expect(recorder.source(ofFile: 0) == Array("\"new ***\"".utf8))
        #expect(recorder.source(ofFile: 1) == nil)
    }
}
