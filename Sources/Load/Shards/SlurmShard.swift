import RunRecord

/// Reads Slurm's variables: array tasks, tasks of `srun`, or tasks of `srun` within array tasks.
///
/// Array tasks count from any number and in any step. A batch script has the variables of a task too, though it is not
/// one of several; only `srun` sets `SLURM_STEP_ID` (sbatch and srun manual pages, output environment variables).
enum SlurmShard {
    private struct Part {
        let place: Int
        let count: Int
        let names: [String]
    }

    static func find(_ environment: [String: String]) throws(ShardError) -> ShardDetection? {
        let array = try Self.array(environment)
        let step = try Self.step(environment)
        guard let first = array ?? step else { return nil }
        var place = first.place
        var count = first.count
        var names = first.names
        if array != nil, let step {
            place = place * step.count + step.place
            count *= step.count
            names += step.names
        }
        guard count <= Shard.most else {
            throw ShardError(message: "--shard auto: Slurm runs \(count) shards; there may be at most \(Shard.most)")
        }
        let engine = array == nil ? "Slurm srun" : step == nil ? "a Slurm array" : "Slurm srun in an array"
        return ShardDetection(
            shard: Shard(index: place + 1, count: count), engine: engine,
            evidence: names.map { "\($0)=\(environment[$0] ?? "")" }, startsTogether: array == nil,
            attempt: environment["SLURM_RESTART_COUNT"].flatMap { Int($0) }.map { max($0, 0) },
            run: environment["SLURM_ARRAY_JOB_ID"] ?? environment["SLURM_JOB_ID"])
    }

    private static func array(_ environment: [String: String]) throws(ShardError) -> Part? {
        let names = ["SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"]
        let set = names.filter { environment[$0] != nil }
        guard !set.isEmpty else { return nil }
        guard set.count == names.count else {
            let missing = names.filter { environment[$0] == nil }
            throw ShardError(
                message: "--shard auto: a Slurm array sets \(set.joined(separator: ", ")) but not "
                    + "\(missing.joined(separator: ", ")); set all, or write --shard 2/4")
        }
        let engine = "a Slurm array"
        let task = try ShardDetection.number(names[0], environment, engine)
        let count = try ShardDetection.number(names[1], environment, engine)
        let first = try ShardDetection.number(names[2], environment, engine)
        var step = 1
        if environment["SLURM_ARRAY_TASK_STEP"] != nil {
            step = try ShardDetection.number("SLURM_ARRAY_TASK_STEP", environment, engine)
        }
        var isRange = step >= 1 && task >= first && (task - first) % max(step, 1) == 0
        if isRange, environment["SLURM_ARRAY_TASK_MAX"] != nil {
            let last = try ShardDetection.number("SLURM_ARRAY_TASK_MAX", environment, engine)
            isRange = last >= first && (last - first) / step + 1 == count
        }
        let place = isRange ? (task - first) / step : -1
        guard place >= 0, place < count else {
            throw ShardError(
                message:
                    "--shard auto: a Slurm array says \(ShardDetection.evidence(names, environment)), which is not "
                    + "one of a range of tasks; submit with --array=0-\(max(count, 1) - 1), or write --shard 2/4")
        }
        return Part(place: place, count: count, names: Array(names.prefix(2)))
    }

    private static func step(_ environment: [String: String]) throws(ShardError) -> Part? {
        let engine = "Slurm srun"
        let totals = ["SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"]
        guard environment["SLURM_STEP_ID"] != nil || environment["SLURM_STEPID"] != nil else {
            guard environment["SLURM_NTASKS"] != nil, environment["SLURM_PROCID"] != nil,
                try ShardDetection.number("SLURM_NTASKS", environment, "Slurm") > 1
            else { return nil }
            throw ShardError(
                message:
                    "--shard auto: this is a Slurm batch script of \(environment["SLURM_NTASKS"] ?? "") tasks, which "
                    + "runs once; write srun before repartee so that each task runs, or write --shard 1/1")
        }
        guard environment["SLURM_PROCID"] != nil, let total = totals.first(where: { environment[$0] != nil }) else {
            throw ShardError(
                message: "--shard auto: Slurm srun must set SLURM_PROCID and SLURM_NTASKS, and one of them is missing; "
                    + "set both, or write --shard 2/4")
        }
        let place = try ShardDetection.number("SLURM_PROCID", environment, engine)
        let count = try ShardDetection.number(total, environment, engine)
        let names = ["SLURM_PROCID", total]
        guard place < count else {
            throw ShardError(
                message: "--shard auto: Slurm srun says \(ShardDetection.evidence(names, environment)), and numbers go "
                    + "from 0 to \(max(count, 1) - 1); correct the variables, or write --shard 2/4")
        }
        return Part(place: place, count: count, names: names)
    }
}
