import Foundation
import Reports
import RunRecord
import Synchronization
import Testing

@Suite("Writing reports while a run goes")
struct ReportWriterTests {
    /// Runs a body with a fresh folder.
    private func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reports-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path)
    }

    private func content(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    /// Whether a thread waits for something, or is gone; not whether it only gets no processor.
    ///
    /// - Parameter thread: What `/proc/thread-self` is for it.
    private func isAsleep(_ thread: String) -> Bool {
        guard let text = self.content("/proc/\(thread)/stat") else { return true }
        // Behind the name, which is in parentheses (proc_pid_stat(5)).
        return text.lastIndex(of: UInt8(ascii: ")")).map { text.dropFirst($0 + 2).first == UInt8(ascii: "S") } ?? false
    }

    /// Hands over all entries in batches and returns what could not be written.
    private func write(
        _ entries: [RunEntry], batch: Int = 1, to outputs: [ReportOutput], interval: Duration = .zero,
        told: @escaping @Sendable (ReportFileError) -> Void = { _ in }
    ) async -> [ReportFileError] {
        let writer = ReportWriter(outputs: outputs, interval: interval, onProblem: told)
        async let problems = writer.run()
        for start in stride(from: 0, to: entries.count, by: batch) {
            writer.record(Array(entries[start..<min(start + batch, entries.count)]))
        }
        writer.finish()
        return await problems
    }

    @Test("A record that reaches its limit is cut, says so once, and tells how the rest ends")
    func cut() async throws {
        try await self.withFolder { folder in
            let told = Mutex<[String]>([])
            let writer = ReportWriter(
                outputs: [.runRecord(path: "\(folder)/run.jsonl"), .junit(path: "\(folder)/j.xml", JUnitOptions())],
                recordLimit: 100_000, onProblem: { error in told.withLock { $0.append(error.message) } })
            async let problems = writer.run()
            writer.record([
                .runStarted(RunStart(toolVersion: "1", seed: 1, clock: .virtual, target: "t", plannedScenarios: 100))
            ])
            for index in 0..<100 {
                writer.record([
                    .scenarioStarted(
                        ScenarioStart(
                            index: index, file: "s.lua", line: 1, titlePath: ["n \(index)"], seed: 1, atNanoseconds: 0))
                ])
                for _ in 0..<20 {
                    let text = String(repeating: "x", count: 1000)
                    writer.record([.happened(scenario: index, atNanoseconds: 1, .logged(level: .info, text: text))])
                }
                writer.record([.scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 2, outcome: .passed))])
            }
            writer.finish()
            #expect(await problems.isEmpty)
            #expect(told.withLock { $0.count } == 1)
            let bytes = try #require(self.content("\(folder)/run.jsonl"))
            #expect(bytes.count < 150_000)
            let entries = try RecordReader.read(Data(bytes))
            let ends = entries.filter { if case .scenarioEnded = $0 { true } else { false } }
            #expect(ends.count == 100)
            let marks = entries.filter {
                if case .happened(_, _, .logged(.warning, let text)) = $0 {
                    text.contains("has reached")
                } else {
                    false
                }
            }
            #expect(marks.count == 1)
        }
    }

    @Test("Whoever is faster than the reports waits for them, and nothing is lost", .timeLimit(.minutes(10)))
    func pressure() async throws {
        // A reader of TAP that takes nothing until it is let go, as a full disk or a pipe that nobody empties.
        let gate = DispatchSemaphore(value: 0)
        let wasHeld = Mutex(false)
        let lines = Mutex(0)
        let writer = ReportWriter(
            outputs: [
                .tap { text in
                    let isFirst = wasHeld.withLock { held in
                        defer { held = true }
                        return !held
                    }
                    if isFirst { gate.wait() }
                    lines.withLock { $0 += text.split(separator: "\n").count { $0.hasPrefix("ok ") } }
                }
            ], onProblem: { _ in })
        async let problems = writer.run()
        let handedOver = Mutex(0)
        let text = String(repeating: "x", count: 1 << 20)
        let isDone = DispatchSemaphore(value: 0)
        let producer = Mutex<String?>(nil)
        Thread.detachNewThread {
            let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            producer.withLock { $0 = thread }
            writer.record([
                .runStarted(RunStart(toolVersion: "1", seed: 1, clock: .virtual, target: "t", plannedScenarios: 200))
            ])
            for index in 0..<200 {
                writer.record([
                    .scenarioStarted(
                        ScenarioStart(
                            index: index, file: "s.lua", line: 1, titlePath: ["n \(index)"], seed: 1, atNanoseconds: 0)),
                    .happened(scenario: index, atNanoseconds: 1, .logged(level: .info, text: text)),
                    .scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 2, outcome: .passed)),
                ])
                handedOver.withLock { $0 += 1 }
            }
            writer.finish()
            isDone.signal()
        }
        // It is held once its thread sleeps, however long that takes here; several looks, since it may also sleep for a
        // moment on its way.
        var (looks, held) = (0, 0)
        while looks < 10 {
            try await Task.sleep(for: .milliseconds(20))
            let (before, isAsleep) = (held, producer.withLock { $0 }.map(self.isAsleep) ?? false)
            held = handedOver.withLock { $0 }
            looks = isAsleep && held == before ? looks + 1 : 0
        }
        // About 64 MB wait, and the one batch that may always pass.
        #expect((60...70).contains(held), "\(held) MB are held")
        gate.signal()
        #expect(await problems.isEmpty)
        #expect(lines.withLock { $0 } == 200)
        isDone.wait()
    }

    private var document: [UInt8] {
        var recorder = JUnitRecorder()
        for entry in SampleRun.entries { recorder.record(entry) }
        return recorder.document()
    }

    @Test("At the end all files are complete, and folders are made", arguments: [1, 5, 1_000])
    func complete(batch: Int) async throws {
        try await self.withFolder { folder in
            let record = "\(folder)/a/b/run.jsonl"
            let junit = "\(folder)/c/junit.xml"
            let problems = await self.write(
                SampleRun.entries, batch: batch, to: [.runRecord(path: record), .junit(path: junit, JUnitOptions())])
            #expect(problems.isEmpty)
            #expect(self.content(record) == SampleRun.entries.flatMap(\.line))
            #expect(self.content(junit) == self.document)
            let files = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/c")
            #expect(files == ["junit.xml"])
        }
    }

    @Test(
        "The HTML and the CTRF report are written while the run goes, each time as a whole", arguments: [1, 7, 1_000])
    func documents(batch: Int) async throws {
        try await self.withFolder { folder in
            let recorders: [(String, any DocumentRecorder)] = [("r.html", HTMLRecorder()), ("r.json", CTRFRecorder())]
            let problems = await self.write(
                SampleRun.entries, batch: batch,
                to: [
                    .html(path: "\(folder)/r.html", HTMLOptions()), .ctrf(path: "\(folder)/r.json", CTRFOptions()),
                ])
            #expect(problems.isEmpty)
            for (name, var recorder) in recorders {
                for entry in SampleRun.entries { recorder.record(entry) }
                #expect(self.content("\(folder)/\(name)") == recorder.document())
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(files == ["r.html", "r.json"])
        }
    }

    @Test("Files of an earlier run are replaced, and a link to one still is a link")
    func earlierFiles() async throws {
        try await self.withFolder { folder in
            for name in ["run.jsonl", "real.xml"] {
                try Data(repeating: 0x78, count: 100_000).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/junit.xml", withDestinationPath: "\(folder)/real.xml")
            _ = await self.write(
                SampleRun.entries,
                to: [.runRecord(path: "\(folder)/run.jsonl"), .junit(path: "\(folder)/junit.xml", JUnitOptions())])
            #expect(self.content("\(folder)/run.jsonl") == SampleRun.entries.flatMap(\.line))
            #expect(self.content("\(folder)/real.xml") == self.document)
            #expect(throws: Never.self) {
                try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/junit.xml")
            }
        }
    }

    @Test("It gets on where all threads that tasks share wait for it", .timeLimit(.minutes(1)))
    func allThreads() async throws {
        let lines = Mutex(0)
        let writer = ReportWriter(
            outputs: [.live { entries in lines.withLock { $0 += entries.count } }], onProblem: { _ in })
        let problems = Task { await writer.run() }
        // Twice what may wait, from more tasks than there are threads.
        let text = String(repeating: "a", count: 1 << 20)
        await withTaskGroup { group in
            for _ in 0..<(2 * ProcessInfo.processInfo.activeProcessorCount) {
                group.addTask {
                    for index in 0..<64 {
                        writer.record([
                            .happened(scenario: index, atNanoseconds: 1, .logged(level: .info, text: text))
                        ])
                    }
                }
            }
        }
        writer.finish()
        #expect(await problems.value.isEmpty)
        #expect(lines.withLock { $0 } == 128 * ProcessInfo.processInfo.activeProcessorCount)
    }

    @Test("Whenever the file is looked at while the run goes, it is whole", .timeLimit(.minutes(10)))
    func wholeAtAnyTime() async throws {
        try await self.withFolder { folder in
            let path = "\(folder)/junit.xml"
            let writer = ReportWriter(
                outputs: [.junit(path: path, JUnitOptions())], interval: .zero, onProblem: { _ in })
            let run = Task { await writer.run() }
            writer.record([SampleRun.entries[0]])
            // From the first time on it is there, for it is replaced as a whole.
            while self.content(path) == nil { try await Task.sleep(for: .milliseconds(1)) }
            for entry in SampleRun.entries.dropFirst() {
                writer.record([entry])
                for _ in 0..<20 {
                    let content = try #require(self.content(path))
                    #expect(content.starts(with: "<?xml".utf8))
                    #expect(content.suffix(14) == Array("</testsuites>\n".utf8)[...])
                    await Task.yield()
                }
            }
            writer.finish()
            #expect(await run.value.isEmpty)
            #expect(self.content(path) == self.document)
        }
    }

    @Test("A file is replaced while the run goes, also when no entry follows", .timeLimit(.minutes(10)))
    func replacedWhileIdle() async throws {
        try await self.withFolder { folder in
            let path = "\(folder)/junit.xml"
            let writer = ReportWriter(
                outputs: [.junit(path: path, JUnitOptions())], interval: .milliseconds(1), onProblem: { _ in })
            let run = Task { await writer.run() }
            writer.record([SampleRun.entries[0]])
            writer.record(Array(SampleRun.entries[1...7]))
            var recorder = JUnitRecorder()
            for entry in SampleRun.entries.prefix(8) { recorder.record(entry) }
            let expected = recorder.document()
            while self.content(path) != expected { try await Task.sleep(for: .milliseconds(1)) }
            writer.finish()
            #expect(await run.value.isEmpty)
        }
    }

    @Test("A run whose task is canceled still leaves whole files", .timeLimit(.minutes(10)))
    func canceled() async throws {
        try await self.withFolder { folder in
            let path = "\(folder)/run.jsonl"
            let writer = ReportWriter(outputs: [.runRecord(path: path)], onProblem: { _ in })
            let run = Task { await writer.run() }
            writer.record(Array(SampleRun.entries.prefix(1)))
            while self.content(path)?.isEmpty != false { try await Task.sleep(for: .milliseconds(1)) }
            run.cancel()
            writer.record(Array(SampleRun.entries.dropFirst()))
            writer.finish()
            #expect(await run.value.isEmpty)
            #expect(self.content(path) == SampleRun.entries.flatMap(\.line))
        }
    }

    @Test("Console, TAP and GitHub are told in order, as their recorders tell it")
    func texts() async throws {
        let (console, tap, github, summary) = (Told(), Told(), Told(), Told())
        let problems = await self.write(
            SampleRun.entries,
            to: [
                .console(ConsoleOptions(), elapsed: { .zero }, write: { console.append($0) }),
                .tap(write: { tap.append($0) }),
                .github(folder: "e2e", write: { github.append($0) }, writeSummary: { summary.append($0) }),
            ])
        #expect(problems.isEmpty)
        var expected = (console: "", tap: "", github: "")
        var consoleRecorder = ConsoleRecorder(elapsed: { .zero }, write: { expected.console += $0 })
        var tapRecorder = TAPStream { expected.tap += $0 }
        var gitHubRecorder = GitHubRecorder(folder: "e2e") { expected.github += $0 }
        for entry in SampleRun.entries {
            consoleRecorder.record(entry)
            tapRecorder.record(entry)
            gitHubRecorder.record(entry)
        }
        #expect(console.texts.joined() == expected.console)
        #expect(tap.texts.joined() == expected.tap)
        #expect(github.texts.joined() == expected.github)
        #expect(summary.texts == [gitHubRecorder.summary])
    }

    @Test("A file below a file cannot be written, which is told once, and the other files are written")
    func noFolder() async throws {
        try await self.withFolder { folder in
            try Data().write(to: URL(filePath: "\(folder)/file"))
            let told = Told()
            let junit = "\(folder)/junit.xml"
            let problems = await self.write(
                SampleRun.entries,
                to: [
                    .runRecord(path: "\(folder)/file/run.jsonl"),
                    .junit(path: "\(folder)/file/x/junit.xml", JUnitOptions()),
                    .junit(path: junit, JUnitOptions()),
                ], told: { told.append("\($0)") })
            #expect(problems.count == 2)
            #expect(told.texts == problems.map { "\($0)" })
            #expect(
                told.texts.first
                    == "\(folder)/file/run.jsonl cannot be created: Not a directory; "
                    + "a part of the path is a file and not a folder; choose another path")
            #expect(self.content(junit) == self.document)
        }
    }

    @Test("A folder in the place of the file is told")
    func folderInPlace() async throws {
        try await self.withFolder { folder in
            let problems = await self.write(
                SampleRun.entries, to: [.runRecord(path: folder), .junit(path: folder, JUnitOptions())])
            #expect(
                problems.map(\.message)
                    == Array(
                        repeating:
                            "\(folder) cannot be created: Is a directory; name a file in the folder instead of the folder",
                        count: 2))
        }
    }

    @Test(
        "A full disk is told, and the run goes on",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full to write to"))
    func fullDisk() async {
        let problems = await self.write(
            SampleRun.entries, to: [.runRecord(path: "/dev/full"), .junit(path: "/dev/full", JUnitOptions())])
        #expect(
            problems.map(\.message)
                == Array(
                    repeating: "/dev/full cannot be written: No space left on device; "
                        + "free some space on the disk, or write to another one", count: 2))
    }

    @Test("Entries come in the order in which they were handed over")
    func order() async throws {
        try await self.withFolder { folder in
            let entries = (0..<5_000).map {
                RunEntry.happened(scenario: $0, atNanoseconds: 0, .stepEnded(name: "x"))
            }
            let path = "\(folder)/run.jsonl"
            _ = await self.write(entries, batch: 7, to: [.runRecord(path: path)])
            let written = try RecordReader.read(self.content(path) ?? [])
            #expect(written == entries)
        }
    }
}

/// Texts told from the queue of a writer.
///
/// Unchecked: the texts are appended on the one queue of the writer and read only after its `run()` returned.
private final class Told: @unchecked Sendable {
    private(set) var texts: [String] = []

    func append(_ text: String) { self.texts.append(text) }
}
