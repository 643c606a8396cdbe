import ArgumentParser
import Transport

/// What `--faults` takes: `all`, or kinds with commas between them.
struct FaultKindsArgument: ExpressibleByArgument {
    let kinds: [FaultKind]

    init?(argument: String) {
        guard argument != "all" else {
            self.kinds = FaultKind.allCases
            return
        }
        let names = argument.split(separator: ",").map(String.init)
        let kinds = names.compactMap(FaultKind.init)
        guard kinds.count == names.count, !kinds.isEmpty else { return nil }
        self.kinds = kinds
    }

    static var allValueStrings: [String] { ["all"] + FaultKind.allCases.map(\.rawValue) }
}
