import ArgumentParser

/// The options of `repartee test` for people who go on with it open beside their editor.
struct FollowingOptions: ParsableArguments {
    @Flag(help: "Plays again what is made from a file as soon as the file changes, until it is interrupted.")
    var watch = false

    @Flag(
        help: """
            Serves the report on this machine while the scenarios play, and prints its address: there one follows \
            conversations, chooses what to play again, watches files and stops, until it is interrupted.
            """)
    var ui = false

    @Flag(
        help: """
            With --ui and in virtual time: holds before whatever a script does next; a button of the page lets it go on \
            by one.
            """)
    var step = false
}
