import Foundation
import RunRecord
import Testing

@testable import Load

@Suite("The rendezvous in a folder")
struct FileRendezvousTests {
    /// What came of the meeting of some shards, each on a thread of its own.
    private func meet(
        _ shards: [(shard: Shard, plan: UInt64)], in folder: String, wait: Duration, margin: Duration = .seconds(60)
    ) async -> [Result<EpochTime, StartError>] {
        await withTaskGroup(of: (Int, Result<EpochTime, StartError>).self) { group in
            for (place, (shard, plan)) in shards.enumerated() {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            let rendezvous = FileRendezvous(
                                folder: folder, run: "nightly/../17", plan: plan, shard: shard, wait: wait,
                                margin: margin)
                            let world = FileRendezvous.World(
                                now: { EpochTime(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9)) },
                                pause: { _ in usleep(2000) }, isCancelled: { false })
                            continuation.resume(
                                returning: (
                                    place, Result { () throws(StartError) in try rendezvous.meet(world: world) }
                                ))
                        }
                    }
                }
            }
            var results = [Result<EpochTime, StartError>?](repeating: nil, count: shards.count)
            for await (place, result) in group { results[place] = result }
            return results.compactMap { $0 }
        }
    }

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "repartee-rendezvous-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func all(_ count: Int) -> [(shard: Shard, plan: UInt64)] {
        (1...count).map { (Shard(index: $0, count: count), 7) }
    }

    @Test("agrees on one instant for all shards")
    func agrees() async throws {
        try await self.withFolder { folder in
            let results = await self.meet(self.all(4), in: folder, wait: .seconds(60))
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
            let shards = self.all(3).filter { $0.shard.index != 2 }
            for result in await self.meet(shards, in: folder, wait: .milliseconds(500)) {
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
            // The second shard of an earlier run says that it is ready, and says nothing more.
            let first = await self.meet([(Shard(index: 2, count: 2), 7)], in: folder, wait: .zero.advanced(by: -29.9))
            #expect(first.count == 1)
            let results = await self.meet([(Shard(index: 1, count: 2), 7)], in: folder, wait: .milliseconds(300))
            guard case .failure(let error)? = results.first else {
                Issue.record("\(results)")
                return
            }
            #expect(error.message.contains("2/2"))
        }
    }

    @Test("refuses a shard with another plan, which learns why")
    func otherPlan() async throws {
        try await self.withFolder { folder in
            let shards = [(Shard(index: 1, count: 2), UInt64(7)), (Shard(index: 2, count: 2), UInt64(8))]
            let results = await self.meet(shards.map { ($0.0, $0.1) }, in: folder, wait: .milliseconds(500))
            guard case .failure(let error)? = results.last else {
                Issue.record("\(results)")
                return
            }
            #expect(error.message.contains("another load shape or seed"))
        }
    }
}

extension Duration {
    /// Some seconds more, or less.
    fileprivate func advanced(by seconds: Double) -> Duration { self + .seconds(seconds) }
}
