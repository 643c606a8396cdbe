import RunRecord
import Scenario

extension ExitStatus {
    /// What a run of scenarios comes to; the first cause decides.
    ///
    /// - Parameters:
    ///   - end: How the run ended.
    ///   - suite: What it was to play.
    ///   - acceptsFlaky: Whether what passes late passes.
    ///   - hasHarnessErrors: Whether a target could not be reached or the harness failed.
    ///   - reportsFailed: Whether something that the run was to write is lost.
    init(of end: RunEnd, playing suite: ScenarioSuite, acceptsFlaky: Bool, hasHarnessErrors: Bool, reportsFailed: Bool)
    {
        self =
            if end.isInterrupted, end.timeLimit == nil {
                .interrupted
            } else if hasHarnessErrors {
                .harness
            } else if end.counts.errors > 0 || !suite.errors.isEmpty {
                .script
            } else if end.counts.failed > 0 || end.isInterrupted {
                // A run that its time limit ended has not shown that all is well, even if nothing was playing just
                // then.
                .failed
            } else if end.counts.flaky > 0, !acceptsFlaky {
                .flaky
            } else if reportsFailed {
                .harness
            } else if end.emptiness != nil, suite.shard == nil {
                // A shard may have got nothing else; of what it is a part of, `report` tells.
                .nothingToRun
            } else {
                .success
            }
    }
}
