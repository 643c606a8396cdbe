import NIOCore

/// The shared parts that play on another event loop, as the scenarios of one loop see them.
///
/// A loop does what it is asked in the order in which it is asked. So whoever tells the home of the parts that no
/// scenario of a file is left does so after all who have asked for one, if each loop asks before it says that its
/// scenario has ended.
final class RemoteParts: SharedParts {
    private let home: NIOLoopBound<RealTimeParts>
    private let loop: any EventLoop

    /// What waits for values, by numbers: nothing of a scenario leaves its loop.
    private var waiting: [Int: (SharedValue) -> Void] = [:]
    private var lastNumber = 0

    /// - Parameters:
    ///   - home: What plays the parts.
    ///   - loop: The loop of the scenarios; to be called on it.
    init(_ home: NIOLoopBound<RealTimeParts>, askedOn loop: any EventLoop) {
        self.home = home
        self.loop = loop
    }

    func value(
        of part: SharedPart, for asker: ScenarioDefinition, chain: [SharedPart.Key],
        progress: @escaping () -> Void, completion: @escaping (SharedValue) -> Void
    ) {
        self.lastNumber += 1
        let number = self.lastNumber
        self.waiting[number] = completion
        let (home, loop, own) = (self.home, self.loop, NIOLoopBound(self, eventLoop: self.loop))
        home.eventLoop.execute {
            // The loop that asks goes on meanwhile, so nobody needs to hear that the part gets on.
            home.value.value(of: part, for: asker, chain: chain, progress: {}) { value in
                loop.execute { own.value.answer(number, value) }
            }
        }
    }

    private func answer(_ number: Int, _ value: SharedValue) {
        self.waiting.removeValue(forKey: number)?(value)
    }
}
