import Load
import Machines
import Metrics

extension LiveView.Run {
    /// What a run asks for; of a saved result, which was set up elsewhere, nothing is watched.
    init(_ setup: LoadSetup?) {
        let shape = setup?.settings.plan.shape
        self.init(
            lengthMicroseconds: (shape?.length ?? .zero).clampedNanoseconds / 1000,
            isCounted: shape?.workloads.allSatisfy { workload in
                switch workload.executor {
                case .perUserIterations, .sharedIterations: true
                case .constantUsers, .rampingUsers, .arrivals, .recordedArrivals: false
                }
            } ?? false,
            phases: setup?.identity.phases ?? Phases(), thresholds: setup?.settings.thresholds ?? [],
            baseline: setup?.settings.baseline)
    }
}
