/// A host function as one state knows it.
public struct HostSlot: Hashable, Sendable {
    /// The position in the state's table of functions.
    let index: Int32

    /// Where the registry keeps the one function value that all environments share.
    let anchor: Int32
}
