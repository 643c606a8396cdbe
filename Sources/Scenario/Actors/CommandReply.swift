import Machines

/// When the outcome of a command is there.
enum CommandReply {
    /// It is here.
    case now(CommandOutcome)

    /// It comes to whom is passed, once; the command is sent off by passing it.
    case later((@escaping (CommandOutcome) -> Void) -> Void)
}
