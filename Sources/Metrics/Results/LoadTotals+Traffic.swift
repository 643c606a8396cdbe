/// What went over the connections of a run.
extension LoadTotals {
    /// How many bytes went in each direction, without the warm-up; nil if none did, or nobody counted.
    public var traffic: (sent: Int64, received: Int64)? {
        let sent = self.measurements.histogram(of: "data_sent").sum
        let received = self.measurements.histogram(of: "data_received").sum
        return sent > 0 || received > 0 ? (sent, received) : nil
    }

    /// How many bytes those are, in all and a second, as people read them: `2.1MB (35kB/s)`.
    ///
    /// - Parameter bytes: Of one direction.
    public func trafficText(_ bytes: Int64) -> String {
        let total = NumberText.value(Double(bytes), unit: .bytes)
        guard self.countedSeconds > 0 else { return total }
        return "\(total) (\(NumberText.value(Double(bytes) / self.countedSeconds, unit: .bytes))/s)"
    }
}
