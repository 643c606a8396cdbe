import ArgumentParser

/// The options of `repartee test` that list scenarios.
struct ListOptions: ParsableArguments {
    @Flag(help: "Lists the scenarios instead of playing them; `--list json` for other tools.")
    var list = false

    @Option(help: .hidden)
    var listFormat = ListFormat.text
}
