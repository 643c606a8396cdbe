internal import ChatCore
private import FoundationEssentials
public import RunRecord

/// The rendezvous of shards that have a folder in common: one file for each, and one that says when all start.
///
/// Each shard writes its line and a number that grows, again and again. Only a file whose number changes counts, so what an
/// earlier run left is not taken for a shard, and a shard that died is missing. Files are renamed into their place, so that
/// nobody reads half of one.
public struct FileRendezvous: Sendable {
    /// What the rendezvous needs of the outside.
    public struct World: Sendable {
        /// Reads the wall clock.
        public var now: @Sendable () -> EpochTime
        /// Lets time pass.
        public var pause: @Sendable (Duration) -> Void
        /// Whether the user wants no more of it.
        public var isCancelled: @Sendable () -> Bool

        /// Creates a world.
        ///
        /// - Parameters:
        ///   - now: Reads the wall clock.
        ///   - pause: Lets time pass.
        ///   - isCancelled: Whether the user wants no more of it.
        public init(
            now: @escaping @Sendable () -> EpochTime, pause: @escaping @Sendable (Duration) -> Void,
            isCancelled: @escaping @Sendable () -> Bool
        ) {
            self.now = now
            self.pause = pause
            self.isCancelled = isCancelled
        }
    }

    /// How often a shard looks, and writes its file anew.
    static let interval = Duration.milliseconds(200)

    /// How long a file may stay as it is before its shard counts as gone; caches of network file systems keep old
    /// contents for seconds.
    static let patience = Duration.seconds(15)

    private let folder: String
    private let run: String
    private let plan: UInt64
    private let shard: Shard
    private let wait: Duration
    private let margin: Duration

    /// Creates a rendezvous.
    ///
    /// - Parameters:
    ///   - folder: The folder that all shards see; it is made if it is not there.
    ///   - run: The name of the run.
    ///   - plan: The digest of the plan.
    ///   - shard: The shard of this process.
    ///   - wait: How long to wait for the others.
    ///   - margin: How long after the last shard is ready the run starts; longer than a file takes to be seen by all.
    public init(folder: String, run: String, plan: UInt64, shard: Shard, wait: Duration, margin: Duration) {
        self.folder = folder
        self.run = run
        self.plan = plan
        self.shard = shard
        self.wait = wait
        self.margin = margin
    }

    /// The folder of this run in the common one; its name holds nothing that a path could make of a run's name.
    private var runFolder: String {
        "\(self.folder)/run-\(String(RandomSource.seed(0, for: self.run), radix: 16))"
    }

    /// Meets the other shards; blocks until the instant is known.
    ///
    /// - Parameters:
    ///   - earliest: The time before which the run does not start, if one was given.
    ///   - world: The clock.
    /// - Returns: When all start.
    /// - Throws: ``StartError``; the run is invalid then.
    public func meet(earliest: EpochTime? = nil, world: World) throws(StartError) -> EpochTime {
        do {
            try FileManager.default.createDirectory(atPath: self.runFolder, withIntermediateDirectories: true)
        } catch {
            throw StartError(message: "cannot make the folder \(self.runFolder) to meet in: \(error); see --rendezvous")
        }
        return self.shard.index == 1
            ? try self.host(earliest: earliest, world: world) : try self.beGuest(world: world)
    }

    private func host(earliest: EpochTime?, world: World) throws(StartError) -> EpochTime {
        if self.read("start") != nil {
            throw StartError(
                message:
                    "\(self.runFolder) holds the start of an earlier run; remove it, or give this run a name of its own"
            )
        }
        var host = RendezvousHost(
            run: self.run, plan: self.plan, shard: self.shard, deadline: world.now() + self.wait, margin: self.margin,
            earliest: earliest)
        var seen: [Int: (content: String, at: EpochTime, isHere: Bool)] = [:]
        var actions = host.begin(at: world.now())
        while true {
            for action in actions {
                switch action {
                case .announce(let line): try self.write("start", line.text)
                case .refuse(let peer, let line): try self.write("refused-\(peer)", line.text)
                case .agree(let time): return time
                case .fail(let error): throw error
                }
            }
            guard !world.isCancelled() else {
                try self.write("start", RendezvousLine.failed("shard 1 was interrupted").text)
                throw StartError(message: "the rendezvous was interrupted")
            }
            let now = world.now()
            actions = []
            for index in 2...max(self.shard.count, 2) where index <= self.shard.count {
                guard let content = self.read("ready-\(index)") else { continue }
                let known = seen[index]
                if known?.content == content {
                    if let known, known.isHere, now - known.at > Self.patience {
                        host.closed(peer: index)
                        seen[index]?.isHere = false
                    }
                    continue
                }
                // The first sight may be of an old file; a change is made by somebody who is alive.
                seen[index] = (content, now, known != nil)
                guard known != nil else { continue }
                let line = content.prefix { !$0.isNewline }
                if known?.isHere != true { actions += host.received(String(line), from: index, at: now) }
            }
            actions += host.wait(until: now)
            if actions.isEmpty { world.pause(Self.interval) }
        }
    }

    private func beGuest(world: World) throws(StartError) -> EpochTime {
        // Shard 1 gives up first, so that the others learn its reason.
        let guest = RendezvousGuest(
            run: self.run, plan: self.plan, shard: self.shard, deadline: world.now() + self.wait + .seconds(30))
        // What an earlier run left. Shard 1 says nothing before this one is ready, so a word that is there is not for it.
        try? FileManager.default.removeItem(atPath: "\(self.runFolder)/refused-\(self.shard.index)")
        if let word = self.read("start") {
            var reason = "an earlier run has started there"
            if case .failed(let text)? = RendezvousLine(text: word) { reason = text }
            throw StartError(
                message: "\(self.runFolder) holds the word of an earlier run, or shard \(self.shard) comes too late "
                    + "(\(reason)): remove the folder, or give this run a name of its own")
        }
        var beat = 0
        while true {
            try self.write("ready-\(self.shard.index)", "\(guest.greeting.text)\n\(world.now().nanoseconds) \(beat)\n")
            beat += 1
            world.pause(Self.interval)
            let now = world.now()
            let word = self.read("refused-\(self.shard.index)") ?? self.read("start")
            switch word.map({ guest.received($0, at: now) }) ?? guest.wait(until: now) {
            case .waiting: break
            case .agreed(let time): return time
            case .failed(let error): throw error
            }
            guard !world.isCancelled() else { throw StartError(message: "the rendezvous was interrupted") }
        }
    }

    /// Reads a file of at most some lines; nil if it is not there.
    private func read(_ name: String) -> String? {
        guard let content = FileManager.default.contents(atPath: "\(self.runFolder)/\(name)") else { return nil }
        let text = String(decoding: content.prefix(RendezvousLine.limit * 2), as: UTF8.self)
        return name.hasPrefix("ready") ? text : String(text.prefix { !$0.isNewline })
    }

    private func write(_ name: String, _ text: String) throws(StartError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: "\(self.runFolder)/\(name)"), options: .atomic)
        } catch {
            throw StartError(message: "cannot write \(self.runFolder)/\(name): \(error); see whether there is room")
        }
    }
}
