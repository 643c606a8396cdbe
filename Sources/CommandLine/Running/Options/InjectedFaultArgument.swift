import ArgumentParser
import RunRecord
import Scenario
import Transport

/// What `--fault` takes: a fault and its point.
struct InjectedFaultArgument {
    let fault: InjectedFault

    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what to write.
    @Sendable static func read(_ text: String) throws -> InjectedFaultArgument {
        guard let fault = FaultName(text).flatMap({ InjectedFault($0) }) else {
            throw ValidationError(
                "write a fault and its point, such as cut@12, as faults.html names them; points count from 1, and "
                    + "--faults tells which faults there are")
        }
        return InjectedFaultArgument(fault: fault)
    }
}
