/// Where `os.time`, `os.date` and `os.clock` of a script get the time from.
///
/// The runtime itself reads no clock, so that virtual time reaches scripts as well.
public struct LuaClock {
    /// Returns seconds since 1970 in UTC.
    public let wallSeconds: () -> Double

    /// Returns seconds since some fixed instant, for differences.
    public let monotonicSeconds: () -> Double

    /// A clock that stands still at zero.
    public static var stopped: LuaClock { LuaClock(wallSeconds: { 0 }, monotonicSeconds: { 0 }) }

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - wallSeconds: Returns seconds since 1970 in UTC.
    ///   - monotonicSeconds: Returns seconds since some fixed instant.
    public init(wallSeconds: @escaping () -> Double, monotonicSeconds: @escaping () -> Double) {
        self.wallSeconds = wallSeconds
        self.monotonicSeconds = monotonicSeconds
    }
}
