import ArgumentParser
import Transport

/// The options of `repartee test` that break connections on purpose.
struct FaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Plays each scenario that passes once more for every fault at every point of what goes over its connections, "
                + "in virtual time, and writes the matrix to faults.html and faults.json beside the reports: all, or some of "
                + "\(FaultKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "kinds"))
    var faults: FaultKindsArgument?

    @Option(
        help: ArgumentHelp(
            "Plays them with one fault at one point, such as cut@12, as --faults names them.", valueName: "kind@point"),
        transform: InjectedFaultArgument.read)
    var fault: InjectedFaultArgument?

    /// The working directory of the process for which this one plays scenarios with faults, if it does.
    @Option(help: .hidden)
    var faultWorker: String?

    /// Whether connections are broken, at all points or at one.
    var isAny: Bool { self.faults != nil || self.fault != nil }

    func validate() throws {
        if self.faultWorker != nil, self.faults == nil { throw ValidationError("--fault-worker needs --faults") }
        if self.faults != nil, self.fault != nil {
            throw ValidationError("--faults plays all points and --fault one of them; leave out one of them")
        }
    }
}
