import Foundation
import RunRecord
import Testing

@testable import Load

@Suite("The rendezvous in a folder")
struct FileRendezvousTests {
    private static let origin = Date()

    private static let run = "nightly/../17"

    /// How long shards wait for one that comes: longer than other tests can keep its task from beginning.
    private static let patience = Duration.seconds(600)

    /// What came of the meeting for one shard, on a thread of its own.
    ///
    /// - Parameters:
    ///   - writer: What the process is called.
    ///   - speed: How many times faster than the clock on the wall time goes.
    private func join(
        _ shard: Shard, plan: UInt64 = 7, writer: String = "process 1 on a", in folder: String, wait: Duration,
        margin: Duration = .seconds(60), speed: Double = 1
    ) async -> Result<EpochTime, StartError> {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let rendezvous = FileRendezvous(
                    folder: folder, run: Self.run, plan: plan, shard: shard, wait: wait, margin: margin,
                    token: .random(in: 0 ... .max), writer: writer)
                let world = FileRendezvous.World(
                    now: { EpochTime(nanoseconds: Int64(Date().timeIntervalSince(Self.origin) * 1e9 * speed)) },
                    // A meeting whose folder a test has removed is over.
                    pause: { _ in usleep(2000) }, isCancelled: { !FileManager.default.fileExists(atPath: folder) })
                continuation.resume(returning: Result { () throws(StartError) in try rendezvous.meet(world: world) })
            }
        }
    }

    /// What came of the meeting of some shards, each on a thread of its own.
    private func meet(
        _ shards: [(shard: Shard, plan: UInt64)], in folder: String, wait: Duration
    ) async -> [Result<EpochTime, StartError>] {
        await withTaskGroup(of: (Int, Result<EpochTime, StartError>).self) { group in
            for (place, (shard, plan)) in shards.enumerated() {
                group.addTask { (place, await self.join(shard, plan: plan, in: folder, wait: wait)) }
            }
            var results = [Result<EpochTime, StartError>?](repeating: nil, count: shards.count)
            for await (place, result) in group { results[place] = result }
            return results.compactMap { $0 }
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "repartee-rendezvous-\(UUID())").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func all(_ count: Int) -> [(shard: Shard, plan: UInt64)] {
        (1...count).map { (Shard(index: $0, count: count), 7) }
    }

    @Test("agrees on one instant for all shards")
    func agrees() async throws {
        try await self.withFolder { folder in
            let results = await self.meet(self.all(4), in: folder, wait: Self.patience)
            let times = results.compactMap { try? $0.get() }
            #expect(times.count == 4)
            #expect(Set(times).count == 1)
            // The same folder and name again: nobody takes the old word for the new one.
            let again = await self.meet(self.all(2), in: folder, wait: .milliseconds(200))
            #expect(again.allSatisfy { (try? $0.get()) == nil })
        }
    }

    @Test("starts a run of one shard alone")
    func alone() async throws {
        try await self.withFolder { folder in
            let results = await self.meet(self.all(1), in: folder, wait: .seconds(5))
            #expect(results.count == 1)
            #expect((try? results[0].get()) != nil)
        }
    }

    @Test("fails in every shard, with the name of the missing one, when one does not come")
    func missing() async throws {
        try await self.withFolder { folder in
            // The third shard waits for the word of the first, which alone gives up soon.
            async let third = self.join(Shard(index: 3, count: 3), in: folder, wait: Self.patience)
            try await Self.grow(["ready-3-"], in: folder)
            let first = await self.join(Shard(index: 1, count: 3), in: folder, wait: .milliseconds(500))
            for result in [first, await third] {
                guard case .failure(let error) = result else {
                    Issue.record("\(result)")
                    continue
                }
                #expect(error.message.contains("2/3"))
            }
        }
    }

    @Test("does not take a file that an earlier run left for a shard")
    func stale() async throws {
        try await self.withFolder { folder in
            // A shard that gives up at once makes the folder, and takes its own file away.
            _ = await self.join(Shard(index: 2, count: 2), in: folder, wait: .seconds(-30))
            // The second shard of an earlier run has said that it is ready, and says nothing more.
            try Self.write(ReadyFile(index: 2, token: "abc"), beat: 5, of: 2, in: folder)
            let result = await self.join(Shard(index: 1, count: 2), in: folder, wait: .seconds(2))
            guard case .failure(let error) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error.message.contains("2/2"))
        }
    }

    @Test(
        "refuses one of two processes that are the same shard, which learns why, and starts with the other",
        arguments: [1, 2])
    func double(index: Int) async throws {
        try await self.withFolder { folder in
            let results = await withTaskGroup(of: Result<EpochTime, StartError>.self) { group in
                let twins = ["process 11 on a", "process 12 on b"]
                for twin in twins {
                    let shard = Shard(index: index, count: 3)
                    group.addTask { await self.join(shard, writer: twin, in: folder, wait: Self.patience) }
                }
                let other = Shard(index: 3 - index, count: 3)
                group.addTask { await self.join(other, in: folder, wait: Self.patience) }
                var results: [Result<EpochTime, StartError>] = []
                for await result in group {
                    // The last shard comes once one of the two has been refused.
                    if results.isEmpty {
                        group.addTask {
                            await self.join(Shard(index: 3, count: 3), in: folder, wait: Self.patience)
                        }
                    }
                    results.append(result)
                }
                return results
            }
            guard case .failure(let error)? = results.first else {
                Issue.record("\(results)")
                return
            }
            #expect(error.message.contains("shard \(index)/3 is there twice: process 1"), "\(error)")
            #expect(error.message.contains("process 11 on a"), "\(error)")
            #expect(error.message.contains("process 12 on b"), "\(error)")
            #expect(error.message.contains("start each shard once"), "\(error)")
            let times = results.compactMap { try? $0.get() }
            #expect(times.count == 3)
            #expect(Set(times).count == 1)
        }
    }

    @Test("does not start a process that comes so late that the word is for another one of its number")
    func late() async throws {
        try await self.withFolder { folder in
            async let late = self.join(
                Shard(index: 2, count: 2), writer: "process 5 on c", in: folder, wait: Self.patience)
            try await Self.grow(["ready-2-"], in: folder)
            let start = "\(RendezvousLine.start(EpochTime(nanoseconds: .max)).text)\nabc\n"
            try Data(start.utf8).write(
                to: URL(filePath: "\(try #require(Self.runFolder(in: folder)))/start"), options: .atomic)
            guard case .failure(let error) = await late else {
                Issue.record("it starts")
                return
            }
            #expect(error.message.contains("2/2 is there twice"), "\(error)")
        }
    }

    @Test("starts with a shard that comes again after it died")
    func again() async throws {
        try await self.withFolder { folder in
            // Time goes a hundred times faster, and nobody gives up before the test is over, however long that takes.
            @Sendable func join(_ index: Int) async -> Result<EpochTime, StartError> {
                await self.join(
                    Shard(index: index, count: 3), in: folder, wait: .seconds(360_000), margin: .seconds(3600),
                    speed: 100)
            }
            async let leader = join(1)
            try await Self.grow(["ready-1-"], in: folder)
            // What the first try wrote before it died; shard 1 has looked at it twice, and takes it for alive.
            let dead = ReadyFile(index: 2, token: "abc")
            for beat in 0..<2 {
                try Self.write(dead, beat: beat, of: 3, in: folder)
                try await Self.grow(["ready-1-"], in: folder)
            }
            async let member = join(2)
            // Shard 1 has looked at it twice, and it was alive, before the last one comes.
            for _ in 0..<2 { try await Self.grow(["ready-2-", "ready-1-"], in: folder) }
            async let last = join(3)
            let times = try [await leader.get(), await member.get(), await last.get()]
            #expect(Set(times).count == 1)
        }
    }

    /// Writes the file of a process that is not there, as it was when it was last alive.
    private static func write(_ file: ReadyFile, beat: Int, of count: Int, in folder: String) throws {
        let line = RendezvousLine.ready(Shard(index: file.index, count: count), plan: 7, run: Self.run).text
        let content = ReadyFile.Content(
            line: line, since: EpochTime(nanoseconds: 1), beat: beat, writer: "process 3 on a")
        let path = "\(try #require(Self.runFolder(in: folder)))/\(file.name)"
        try Data(content.text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    private static func runFolder(in folder: String) -> String? {
        try? FileManager.default.contentsOfDirectory(atPath: folder).first.map { "\(folder)/\($0)" }
    }

    /// Waits until files with these openings, one after the other, were written three times more by processes that
    /// live.
    private static func grow(_ openings: [String], in folder: String) async throws {
        func beats(_ opening: String) -> Int {
            guard let run = Self.runFolder(in: folder) else { return -1 }
            let files = (try? FileManager.default.contentsOfDirectory(atPath: run)) ?? []
            let beats = files.filter { $0.hasPrefix(opening) }.compactMap { name in
                FileManager.default.contents(atPath: "\(run)/\(name)")
                    .flatMap { ReadyFile.Content(text: String(decoding: $0, as: UTF8.self)) }?.beat
            }
            return beats.max() ?? -1
        }
        for opening in openings {
            let before = beats(opening)
            // Counted in looks, not in time: beside many other tests a minute may pass between two of them.
            var looks = 0
            while beats(opening) < before + 3 {
                looks += 1
                guard looks < 30_000 else {
                    // Ends the barriers and mailboxes, which the test would wait for.
                    try? FileManager.default.removeItem(atPath: folder)
                    throw NoSignOfLife(opening: opening)
                }
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    /// A shard that is to meet others writes nothing any more.
    private struct NoSignOfLife: Error {
        let opening: String
    }

    @Test("refuses a shard with another plan, which learns why")
    func otherPlan() async throws {
        try await self.withFolder { folder in
            async let leader = self.join(Shard(index: 1, count: 2), in: folder, wait: Self.patience)
            let result = await self.join(Shard(index: 2, count: 2), plan: 8, in: folder, wait: Self.patience)
            // The leader would wait for another second shard; it ends where the folder is gone, which cannot be removed
            // while it writes there.
            let away = "\(folder)-over"
            try FileManager.default.moveItem(atPath: folder, toPath: away)
            _ = await leader
            try FileManager.default.removeItem(atPath: away)
            guard case .failure(let error) = result else {
                Issue.record("\(result)")
                return
            }
            #expect(error.message.contains("another load shape, rows or seed"))
        }
    }
}
