import RunRecord

extension RunEnd {
    /// That nothing was tested, as all was skipped; nil if something was.
    var emptiness: String? {
        let skipped = self.counts.skipped
        guard skipped == self.counts.total else { return nil }
        let all = skipped == 1 ? "the only scenario was" : "all \(skipped) scenarios were"
        return "\(all) skipped, so nothing was tested"
    }
}
