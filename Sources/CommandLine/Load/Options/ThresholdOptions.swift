import ArgumentParser

/// The options of `repartee load` that say what is accounted for, and what must hold.
struct ThresholdOptions: ParsableArguments {
    @Option(help: "What must hold, such as \"p99(delivery) < 200ms\"; may be repeated, beside those of the file.")
    var threshold: [String] = []

    @Option(help: ArgumentHelp("The result of an earlier run that thresholds compare with.", valueName: "file"))
    var baseline: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Marks each text that a system declares, so that it can be accounted for; on unless told otherwise.")
    var ledger: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Measures for half a second what this machine can do, before the run; on with a target.")
    var calibrate: Bool?
}
