import Machines

extension Instant {
    /// Whole microseconds since the time line began.
    var microseconds: Int64 { self.nanoseconds / 1000 }
}
