import RunRecord
import Testing

@testable import Load

@Suite("A shard")
struct ShardDetectionTests {
    @Test(
        "is found in the environment of each engine",
        arguments: [
            ("JOB_COMPLETION_INDEX=3 REPARTEE_SHARD_TOTAL=8", "4/8", "a Kubernetes Indexed Job"),
            ("AWS_BATCH_JOB_ARRAY_INDEX=0 AWS_BATCH_JOB_ARRAY_SIZE=2", "1/2", "an AWS Batch array"),
            ("AWS_BATCH_JOB_NODE_INDEX=1 AWS_BATCH_JOB_NUM_NODES=2", "2/2", "an AWS Batch multi-node job"),
            ("CLOUD_RUN_TASK_INDEX=4 CLOUD_RUN_TASK_COUNT=5", "5/5", "a Cloud Run job"),
            ("CI_NODE_INDEX=1 CI_NODE_TOTAL=3", "1/3", "GitLab parallel"),
            ("CI_NODE_INDEX=3 CI_NODE_TOTAL=3", "3/3", "GitLab parallel"),
            ("CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=3", "1/3", "CircleCI parallelism"),
            ("BUILDKITE_PARALLEL_JOB=2 BUILDKITE_PARALLEL_JOB_COUNT=3", "3/3", "Buildkite parallelism"),
            ("BITBUCKET_PARALLEL_STEP=0 BITBUCKET_PARALLEL_STEP_COUNT=3", "1/3", "a Bitbucket parallel step"),
            ("NOMAD_ALLOC_INDEX=1 REPARTEE_SHARD_TOTAL=3", "2/3", "a Nomad job"),
            ("OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3", "2/3", "Open MPI"),
            ("PMI_RANK=1 PMI_SIZE=3", "2/3", "MPI (PMI)"),
            ("RANK=1 WORLD_SIZE=3", "2/3", "torchrun"),
            ("REPARTEE_SHARD_INDEX=1 REPARTEE_SHARD_TOTAL=3 CI_NODE_INDEX=9 CI_NODE_TOTAL=9", "2/3", "the environment"),
            (
                "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=5 SLURM_PROCID=0",
                "4/5", "a Slurm array"
            ),
            ("SLURM_STEP_ID=0 SLURM_PROCID=2 SLURM_NTASKS=4", "3/4", "Slurm srun"),
            ("SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 SLURM_NTASKS=4", "2/2", "Slurm srun"),
            (
                "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=3 SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_NTASKS=2",
                "4/6", "Slurm srun in an array"
            ),
            // Ranks within a Slurm job count instead of its own numbers; a pipeline of one job has no say.
            ("SLURM_PROCID=0 SLURM_NTASKS=4 OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4", "3/4", "Open MPI"),
            ("CI_NODE_TOTAL=1 CI_NODE_INDEX= SLURM_STEP_ID=0 SLURM_PROCID=2 SLURM_NTASKS=4", "3/4", "Slurm srun"),
            ("CI_NODE_INDEX=1 CI_NODE_TOTAL=1 RANK=1 WORLD_SIZE=3", "2/3", "torchrun"),
            ("PMI_RANK=1 PMI_SIZE=3 RANK=1 WORLD_SIZE=3", "2/3", "MPI (PMI)"),
        ])
    func found(environment: String, shard: String, engine: String) throws {
        let detection = try ShardDetection.detect(Self.variables(environment))
        #expect(detection.shard.description == shard)
        #expect(detection.engine == engine)
        #expect(!detection.evidence.isEmpty && detection.evidence.allSatisfy { environment.contains($0) })
        #expect(detection.description.hasPrefix("shard \(shard) from \(engine) ("))
    }

    @Test(
        "is not guessed from half of the variables, or from ones that cannot be",
        arguments: [
            ("", "names no engine"),
            ("CI_NODE_TOTAL=1", "names no engine"),
            ("REPARTEE_SHARD_TOTAL=3", "no number of this shard"),
            ("JOB_COMPLETION_INDEX=3", "with the value of spec.completions"),
            ("NOMAD_ALLOC_INDEX=3", "with the count of its group"),
            ("CI_NODE_TOTAL=3", "sets CI_NODE_TOTAL but not CI_NODE_INDEX"),
            ("CI_NODE_INDEX=3", "no number of shards; set CI_NODE_TOTAL"),
            ("CI_NODE_INDEX=0 CI_NODE_TOTAL=3", "numbers go from 1 to 3"),
            ("CI_NODE_INDEX=4 CI_NODE_TOTAL=3", "numbers go from 1 to 3"),
            ("CIRCLE_NODE_INDEX=3 CIRCLE_NODE_TOTAL=3", "numbers go from 0 to 2"),
            ("CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=0", "numbers go from 0 to 0"),
            ("CIRCLE_NODE_INDEX=x CIRCLE_NODE_TOTAL=3", "which is no number"),
            ("CIRCLE_NODE_INDEX=-1 CIRCLE_NODE_TOTAL=3", "which is no number"),
            ("CIRCLE_NODE_INDEX=1 CIRCLE_NODE_TOTAL=99999999999999999999", "which is no number"),
            ("CIRCLE_NODE_INDEX=1 CIRCLE_NODE_TOTAL=20000", "numbers go"),
            ("WORLD_SIZE=3", "sets WORLD_SIZE but not RANK"),
            ("RANK=0", "no number of shards"),
            ("AWS_BATCH_JOB_ARRAY_SIZE=3", "not AWS_BATCH_JOB_ARRAY_INDEX"),
            ("SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2", "but not SLURM_ARRAY_TASK_MIN"),
            ("SLURM_ARRAY_TASK_COUNT=2", "but not SLURM_ARRAY_TASK_ID"),
            // --array=0,2,3: task 2 would take itself for the third of three, and nobody would be the second.
            (
                "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=3",
                "submit with --array=0-2"
            ),
            ("SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=3", "submit with --array=0-2"),
            (
                "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_STEP=0",
                "submit with"
            ),
            ("SLURM_PROCID=0 SLURM_NTASKS=4", "write srun before repartee"),
            ("SLURM_STEP_ID=0 SLURM_PROCID=0", "one of them is missing"),
            ("SLURM_STEP_ID=0 SLURM_PROCID=4 SLURM_NTASKS=4", "numbers go from 0 to 3"),
            ("RANK=1 WORLD_SIZE=3 CI_NODE_INDEX=1 CI_NODE_TOTAL=3", "write --shard to say which one counts"),
        ])
    func refused(environment: String, part: String) throws {
        let error = #expect(throws: ShardError.self) { try ShardDetection.detect(Self.variables(environment)) }
        let message = try #require(error).message
        #expect(message.contains(part), "\(message)")
        #expect(message.contains("--shard") || message.contains("submit"))
    }

    @Test("is told with its attempt and the name of the run")
    func attempt() throws {
        let detection = try ShardDetection.detect(
            Self.variables(
                "CLOUD_RUN_TASK_INDEX=4 CLOUD_RUN_TASK_COUNT=5 CLOUD_RUN_TASK_ATTEMPT=2 CLOUD_RUN_EXECUTION=x"))
        #expect(
            detection.description
                == "shard 5/5 from a Cloud Run job (CLOUD_RUN_TASK_INDEX=4, CLOUD_RUN_TASK_COUNT=5), attempt 3")
        #expect(detection.run == "x")
        #expect(!detection.startsTogether)
    }

    @Test("is found from what Slurm 22.05 sets in its four kinds of job, as recorded")
    func slurm() throws {
        let array =
            "SLURM_ARRAY_JOB_ID=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MAX=6 "
            + "SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_STEP=2 SLURM_JOB_ID=4 "
        let step = "SLURM_STEPID=0 SLURM_STEP_ID=0 SLURM_STEP_NODELIST=vm SLURM_STEP_NUM_NODES=1 "
        for (environment, expected, run) in [
            ("SLURM_JOB_ID=1 SLURM_NTASKS=3 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=3 " + step, "2/3", "1"),
            (array + "SLURM_NTASKS=1 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 " + step, "2/3", "2"),
            (array + "SLURM_NTASKS=2 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=2 " + step, "4/6", "2"),
            (array + "SLURM_PROCID=0", "2/3", "2"),
        ] {
            let detection = try ShardDetection.detect(Self.variables(environment))
            #expect(detection.shard.description == expected)
            #expect(detection.run == run)
        }
        #expect(throws: ShardError.self) {
            try ShardDetection.detect(Self.variables("SLURM_JOB_ID=7 SLURM_NTASKS=3 SLURM_PROCID=0"))
        }
    }

    @Test(
        "is read from the command line",
        arguments: [
            ("1/1", true), ("2/4", true), ("10000/10000", true), ("0/4", false), ("5/4", false), ("4", false),
            ("a/b", false),
            ("1/0", false), ("1/10001", false), ("-1/4", false), ("1/2/3", false), ("", false),
            ("99999999999999999999/4", false),
        ])
    func text(text: String, isRight: Bool) {
        #expect((try? Shard(text: text))?.description == (isRight ? text : nil))
    }

    static func variables(_ text: String) -> [String: String] {
        var variables: [String: String] = [:]
        for part in text.split(separator: " ") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            variables[String(pair[0])] = String(pair[1])
        }
        return variables
    }
}
