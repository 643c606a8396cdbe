/// How one engine that runs several copies of a program tells each of them which one it is.
struct ShardEngine: Sendable {
    /// The name by which people know the engine.
    let name: String
    /// The variable with the number of the copy.
    let index: String
    /// From which number the engine counts.
    var base = 0
    /// The variables with the number of copies; the first one that is set counts.
    let totals: [String]
    /// What to do when the number of copies is missing.
    var advice: String?
    /// Whether all copies start at the same time, or wait for free machines one by one.
    let startsTogether: Bool
    /// The variable that says how often this copy was tried before.
    var attempt: String?
    /// From which number the engine counts attempts.
    var attemptBase = 0
    /// The variable that names the run for all copies.
    var run: String?
    /// Whether a total without an index means that the work is not shared out.
    var isAloneWithoutIndex = false

    /// The variable with the number of shards, for engines that do not tell it.
    static let ownTotal = "REPARTEE_SHARD_TOTAL"

    /// What a script of one's own sets; it goes before all others.
    static let own = ShardEngine(
        name: "the environment", index: "REPARTEE_SHARD_INDEX", totals: [Self.ownTotal], startsTogether: false,
        run: "REPARTEE_RUN")

    /// The engines beside Slurm, each from its documentation of the environment of a job.
    static let known: [ShardEngine] = [
        ShardEngine(
            name: "a Kubernetes Indexed Job", index: "JOB_COMPLETION_INDEX", totals: [Self.ownTotal],
            advice: "Kubernetes does not tell the number: give the container an env \(Self.ownTotal) with the value of "
                + "spec.completions",
            startsTogether: false, run: "REPARTEE_RUN"),
        ShardEngine(
            name: "an AWS Batch array", index: "AWS_BATCH_JOB_ARRAY_INDEX", totals: ["AWS_BATCH_JOB_ARRAY_SIZE"],
            startsTogether: false, attempt: "AWS_BATCH_JOB_ATTEMPT", attemptBase: 1),
        ShardEngine(
            name: "an AWS Batch multi-node job", index: "AWS_BATCH_JOB_NODE_INDEX", totals: ["AWS_BATCH_JOB_NUM_NODES"],
            startsTogether: true, attempt: "AWS_BATCH_JOB_ATTEMPT", attemptBase: 1),
        ShardEngine(
            name: "a Cloud Run job", index: "CLOUD_RUN_TASK_INDEX", totals: ["CLOUD_RUN_TASK_COUNT"],
            startsTogether: false, attempt: "CLOUD_RUN_TASK_ATTEMPT", run: "CLOUD_RUN_EXECUTION"),
        ShardEngine(
            name: "GitLab parallel", index: "CI_NODE_INDEX", base: 1, totals: ["CI_NODE_TOTAL"], startsTogether: false,
            run: "CI_PIPELINE_ID", isAloneWithoutIndex: true),
        ShardEngine(
            name: "CircleCI parallelism", index: "CIRCLE_NODE_INDEX", totals: ["CIRCLE_NODE_TOTAL"],
            startsTogether: false, run: "CIRCLE_WORKFLOW_ID"),
        ShardEngine(
            name: "Buildkite parallelism", index: "BUILDKITE_PARALLEL_JOB", totals: ["BUILDKITE_PARALLEL_JOB_COUNT"],
            startsTogether: false, attempt: "BUILDKITE_RETRY_COUNT", run: "BUILDKITE_BUILD_ID"),
        ShardEngine(
            name: "a Bitbucket parallel step", index: "BITBUCKET_PARALLEL_STEP",
            totals: ["BITBUCKET_PARALLEL_STEP_COUNT"], startsTogether: false, run: "BITBUCKET_PIPELINE_UUID"),
        ShardEngine(
            name: "a Nomad job", index: "NOMAD_ALLOC_INDEX", totals: [Self.ownTotal],
            advice: "Nomad does not tell the number: give the task an env \(Self.ownTotal) with the count of its group",
            startsTogether: false),
        ShardEngine(
            name: "Open MPI", index: "OMPI_COMM_WORLD_RANK", totals: ["OMPI_COMM_WORLD_SIZE"], startsTogether: true),
        ShardEngine(name: "MPI (PMI)", index: "PMI_RANK", totals: ["PMI_SIZE"], startsTogether: true),
        ShardEngine(name: "torchrun", index: "RANK", totals: ["WORLD_SIZE"], startsTogether: true),
    ]

    /// The engines that start programs within a Slurm job; their numbers are nearer to the process than Slurm's.
    static let insideSlurm: Set<String> = ["Open MPI", "MPI (PMI)", "torchrun"]
}
