public import Machines

/// A chat system that the scripts of a run use, as far as their text tells before they are played.
public struct UsedSystem: Sendable {
    /// The system; one that a script declares has what it declares, and cannot be played by itself.
    public let system: ChatSystem

    /// Whether it is written in Lua, by the script or by a module of it.
    public let isOwn: Bool

    /// Whether it tells by an event that the server has a text.
    public let acknowledgesTexts: Bool

    /// Whether a command declares what acknowledges its texts, so that one that is not acknowledged is known.
    public let declaresAcknowledgements: Bool
}
