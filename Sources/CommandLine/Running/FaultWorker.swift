import Machines
import RunRecord
import Scenario
import Transport

/// The process in which `--faults` plays: it takes requests on standard input and tells what happens on standard
/// output.
struct FaultWorker {
    private let plan: TestPlan
    private let environment: CommandEnvironment

    init(_ plan: TestPlan, _ environment: CommandEnvironment) {
        self.plan = plan
        self.environment = environment
    }

    /// Plays what it is asked to until nobody asks any more.
    func run(_ kinds: [FaultKind]) -> ExitStatus {
        let hang = self.environment.onHang { [environment] reason in
            environment.writeOutput(FaultMessage.hangs(reason).line + "\n")
            return .harness
        }
        defer { hang?.stop() }
        let interruption = Interruption()
        let sweep = FaultSweep(
            self.plan.suite, settings: self.plan.settings, kinds: kinds, interruption: interruption)
        while let line = readLine() {
            guard let request = FaultRequest(line: line), let index = self.place(of: request) else {
                self.environment.writeError("error: the scripts have changed since the run began\n")
                return .harness
            }
            sweep.play(index, skipping: request.skipping) { news in
                self.environment.writeOutput(news.line + "\n")
                // Whoever asked has gone.
                if self.environment.outputFailure() != nil { interruption.request() }
            }
        }
        return .success
    }

    private func place(of request: FaultRequest) -> Int? {
        let members = self.plan.suite.members
        guard members.indices.contains(request.index), members[request.index].definition.id == request.id else {
            return members.firstIndex { $0.definition.id == request.id }
        }
        return request.index
    }
}
