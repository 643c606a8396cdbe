import Machines

/// When the outcome of a command is there.
enum CommandReply {
    /// It is here.
    case now(CommandOutcome)

    /// It comes later. Calling the function with a completion sends the command off; the completion is called once.
    case later((@escaping (CommandOutcome) -> Void) -> Void)
}
