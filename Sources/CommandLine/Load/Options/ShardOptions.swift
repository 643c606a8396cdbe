import ArgumentParser
import Load

/// The options of `repartee load` by which several processes play one run.
struct ShardOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which shard of the run this process plays, such as 2/4, or auto to read it from the engine that runs it.",
            valueName: "shard"), transform: ShardArgument.read)
    var shard: ShardArgument?

    @Option(help: "The name of the run, the same in all its shards; needed with --shard.")
    var run: String?

    @Option(
        help: ArgumentHelp(
            "Begins at this time, such as 2026-11-21T12:00:00Z, or after a while, such as +30s.", valueName: "time"))
    var startAt: String?

    @Option(
        help: ArgumentHelp(
            "Where all shards of the run meet to begin together: tcp://TOKEN@HOST:PORT of shard 1, or a folder that all "
                + "see.",
            valueName: "place"))
    var rendezvous: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The shard that the others connect to with --rendezvous tcp://…, the same in all shards; 1 unless given.",
            valueName: "number"))
    var rendezvousLeader: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long to wait for the other shards; 5m unless given.", valueName: "duration"),
        transform: DurationArgument.read)
    var rendezvousTimeout: DurationArgument?

    /// Whether all shards of the run count its time from one instant.
    var agreesOnStart: Bool {
        if self.rendezvous != nil { return true }
        if case .at? = self.startAt.flatMap({ try? StartTime(text: $0) }) { return true }
        return false
    }

    func validate() throws {
        if let text = self.startAt {
            do throws(StartError) { _ = try StartTime(text: text) } catch { throw ValidationError(error.message) }
        }
        if let place = self.rendezvous {
            do throws(StartError) { _ = try RendezvousPlace(text: place) } catch {
                throw ValidationError(error.message)
            }
        }
        if self.rendezvous != nil, self.shard == nil {
            throw ValidationError("--rendezvous goes with --shard; the whole of a run waits for no other shard")
        }
        if self.rendezvousLeader != nil, self.rendezvous?.hasPrefix("tcp://") != true {
            throw ValidationError("--rendezvous-leader goes with --rendezvous tcp://HOST:PORT")
        }
        if self.rendezvousTimeout != nil, self.rendezvous == nil {
            throw ValidationError("--rendezvous-timeout goes with --rendezvous; nobody is waited for without")
        }
    }
}
