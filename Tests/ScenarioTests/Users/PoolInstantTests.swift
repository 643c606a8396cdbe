import Machines
import NIOCore
import NIOPosix
import Testing

@testable import Scenario

@Suite("Instants of pools")
struct PoolInstantTests {
    @Test("Pools of several loops that began at different times tell time alike from one instant on")
    func oneOrigin() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let settings = MiniRun.settings()
        var pools: [NIOLoopBound<VirtualUserPool>] = []
        let loops = [group.next(), group.next()]
        for loop in loops {
            pools.append(
                try await loop.submit {
                    NIOLoopBound(VirtualUserPool(settings: settings, loop: loop, medium: .memory), eventLoop: loop)
                }.get())
            try await Task.sleep(for: .milliseconds(5))
        }
        let origin = NIODeadline.now()
        var times: [Int64] = []
        for place in [0, 1, 0, 1] {
            let pool = pools[place]
            times.append(
                try await loops[place].submit {
                    let start = try #require(pool.value.instant(of: origin))
                    return pool.value.now.onTimeLine(startingAt: start).nanoseconds
                }.get())
        }
        #expect(times == times.sorted() && times[0] >= 0, "\(times)")
        #expect(VirtualUserPool(settings: settings).instant(of: origin) == nil)
        try await group.shutdownGracefully()
    }
}
