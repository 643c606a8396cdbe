import Load
import Machines
import Metrics

extension LiveView.Run {
    /// What a run asks for.
    init(_ setup: LoadSetup) {
        let shape = setup.settings.plan.shape
        self.init(
            lengthMicroseconds: shape.length.clampedNanoseconds / 1000,
            isCounted: shape.workloads.allSatisfy { workload in
                switch workload.executor {
                case .perUserIterations, .sharedIterations: true
                case .constantUsers, .rampingUsers, .arrivals, .recordedArrivals: false
                }
            },
            phases: setup.identity.phases, thresholds: setup.settings.thresholds, baseline: setup.settings.baseline)
    }
}
