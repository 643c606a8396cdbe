public import RunRecord

/// Which part of a run this process plays, as found in its environment.
public struct ShardDetection: Hashable, Sendable, CustomStringConvertible {
    /// The part of the run.
    public let shard: Shard

    /// Where it was found, such as `a Kubernetes Indexed Job`.
    public let engine: String

    /// The variables that say so, as `NAME=value`.
    public let evidence: [String]

    /// Whether the engine starts all parts at the same time; if not, they have to wait for each other.
    public let startsTogether: Bool

    /// How often this part was tried before; nil if the engine does not tell.
    public let attempt: Int?

    /// What the engine calls the run, the same in all parts; nil if it does not tell.
    public let run: String?

    /// The line that is printed, so that nobody has to guess which part ran.
    public var description: String {
        "shard \(self.shard) from \(self.engine) (\(self.evidence.joined(separator: ", ")))"
            + (self.attempt.map { $0 > 0 ? ", attempt \($0 + 1)" : "" } ?? "")
    }

    /// Finds the shard in an environment.
    ///
    /// Nothing is guessed: a variable without its counterpart, a number beyond the total and engines that contradict
    /// each other are refused, because a part that takes itself for the whole run makes every figure wrong.
    ///
    /// - Parameter environment: The variables of this process.
    /// - Throws: ``ShardError`` that says what was found and what to do.
    public static func detect(_ environment: [String: String]) throws(ShardError) -> ShardDetection {
        let environment = environment.filter { !$0.value.isEmpty }
        if environment[ShardEngine.own.index] != nil, let own = try Self.find(ShardEngine.own, environment) {
            return own
        }
        var found: [ShardDetection] = []
        for engine in ShardEngine.known {
            if let detection = try Self.find(engine, environment) { found.append(detection) }
        }
        if !found.contains(where: { ShardEngine.insideSlurm.contains($0.engine) }),
            let slurm = try SlurmShard.find(environment)
        {
            found.append(slurm)
        }
        // A job of one part that starts several, as a pipeline does, has nothing to say about them.
        let several = found.filter { $0.shard.count > 1 }
        let candidates = several.isEmpty ? found : several
        guard let first = candidates.first else {
            if let total = environment[ShardEngine.ownTotal] {
                throw ShardError(
                    message: "--shard auto: \(ShardEngine.ownTotal)=\(total) is set, but no number of this shard; set "
                        + "\(ShardEngine.own.index) from 0, or write --shard 1/\(total)")
            }
            throw ShardError(
                message:
                    "--shard auto: the environment names no engine that shares out work; write --shard 2/4 for the "
                    + "second of four, or set \(ShardEngine.own.index) from 0 and \(ShardEngine.ownTotal)")
        }
        if let other = candidates.first(where: { $0.shard != first.shard }) {
            throw ShardError(
                message: "--shard auto: \(first), but \(other); write --shard to say which one counts")
        }
        return first
    }

    private static func find(
        _ engine: ShardEngine, _ environment: [String: String]
    ) throws(ShardError) -> ShardDetection? {
        let total = engine.totals.first { environment[$0] != nil }
        // The total of our own stands for several engines; alone it tells of none of them.
        let tells = environment[engine.index] != nil || (total != nil && total != ShardEngine.ownTotal)
        guard tells else { return nil }
        guard environment[engine.index] != nil else {
            let count = try total.map { name throws(ShardError) in try Self.number(name, environment, engine.name) }
            if engine.isAloneWithoutIndex, count == 1 { return nil }
            throw ShardError(
                message:
                    "--shard auto: \(engine.name) sets \(total ?? "") but not \(engine.index), so every shard would "
                    + "take itself for the whole run; set both, or write --shard 2/4")
        }
        guard let total else {
            let advice = engine.advice ?? "set \(engine.totals.joined(separator: " or ")), or write --shard 2/4"
            throw ShardError(
                message: "--shard auto: \(engine.name) sets \(engine.index)=\(environment[engine.index] ?? "") but no "
                    + "number of shards; \(advice)")
        }
        let index = try Self.number(engine.index, environment, engine.name)
        let count = try Self.number(total, environment, engine.name)
        let names = [engine.index, total]
        let place = index - engine.base
        guard count >= 1, count <= Shard.most, place >= 0, place < count else {
            throw ShardError(
                message: "--shard auto: \(engine.name) says \(Self.evidence(names, environment)), and numbers go from "
                    + "\(engine.base) to \(max(count, 1) - 1 + engine.base); correct the variables, or write --shard 2/4"
            )
        }
        let attempt = engine.attempt.flatMap { environment[$0] }.flatMap { Int($0) }
        return ShardDetection(
            shard: Shard(index: place + 1, count: count), engine: engine.name,
            evidence: names.map { "\($0)=\(environment[$0] ?? "")" }, startsTogether: engine.startsTogether,
            attempt: attempt.map { max(0, $0 - engine.attemptBase) }, run: engine.run.flatMap { environment[$0] })
    }

    static func evidence(_ names: [String], _ environment: [String: String]) -> String {
        names.map { "\($0)=\(environment[$0] ?? "")" }.joined(separator: ", ")
    }

    /// Reads a number of up to nine digits.
    static func number(
        _ name: String, _ environment: [String: String], _ engine: String
    ) throws(ShardError) -> Int {
        let text = environment[name] ?? ""
        guard let number = Int(text), text.utf8.count <= 9, text.allSatisfy(\.isNumber) else {
            throw ShardError(
                message: "--shard auto: \(engine) says \(name)=\(text.prefix(40)), which is no number; correct the "
                    + "variable, or write --shard 2/4")
        }
        return number
    }
}
