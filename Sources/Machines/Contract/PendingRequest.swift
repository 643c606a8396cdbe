/// An exchange of a machine that may have several for the same purpose under way: the key by which it knows each.
public struct PendingRequest<Purpose: Hashable & Sendable>: Hashable, Sendable {
    /// Which one it is, counted from 1. It stands first, so that comparing two seldom looks at their purposes.
    public let number: UInt64

    /// What the machine does with the answer.
    public let purpose: Purpose
}
