import ArgumentParser
import Machines
import Scenario

/// A duration on the command line: as scripts write it, or a number of seconds.
struct DurationArgument {
    let duration: Duration

    /// - Returns: Nil if the text is no duration, or one of no time.
    init?(argument: String) {
        let seconds = Double(argument).flatMap { Duration(scriptSeconds: $0) }
        guard let duration = Duration(scriptText: argument) ?? seconds, duration > .zero else { return nil }
        self.duration = duration
    }

    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what to write.
    @Sendable static func read(_ text: String) throws -> DurationArgument {
        if let argument = DurationArgument(argument: text) { return argument }
        throw ValidationError(ProjectConfiguration.limitRule)
    }
}
