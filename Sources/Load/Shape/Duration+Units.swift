import Machines

extension Duration {
    /// The duration in seconds, as near as a double comes.
    var seconds: Double {
        let (seconds, attoseconds) = self.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// Whole microseconds, in which all that is measured is kept.
    var microseconds: Int64 { self.clampedNanoseconds / 1000 }
}
