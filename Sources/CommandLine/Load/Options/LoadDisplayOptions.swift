import ArgumentParser

/// Who is shown a load run, beside those who read its reports.
struct LoadDisplayOptions: ParsableArguments {
    @Flag(help: "Prints annotations for GitHub Actions, too, and writes the summary of the job.")
    var github = false

    @Flag(
        help: """
            Serves the report on this machine while users play, and prints its address: there one sees the charts and the \
            causes of failures as they come, and stops the run. It stays open until it is interrupted.
            """)
    var ui = false

    @Flag(name: .shortAndLong, help: "Shows the summary only.")
    var quiet = false
}
