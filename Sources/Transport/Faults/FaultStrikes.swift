/// What a ``FaultPlan`` has done so far of what it does for certain once there is something to do it to.
public struct FaultStrikes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Somebody was kept from connecting.
    public static let refusal = FaultStrikes(rawValue: 1)

    /// A connection was dropped because it came to the limit in bytes.
    public static let cut = FaultStrikes(rawValue: 2)

    /// Bytes, or the end of the other side, stood still.
    public static let stall = FaultStrikes(rawValue: 4)
}
