import Load

/// What came of one level of a search for the capacity.
struct CapacityTrial {
    let level: Int
    let finding: CapacitySearch.Finding
    /// What did not hold, or what was strained.
    let reason: String?
    /// How what was asked for was judged, where it held: with its figures.
    var judgements: [String] = []
    /// What most of the users failed at who did not pass, and how many.
    var cause: String?
    /// Whether what was asked for did not hold, or users failed, where the generator was strained.
    var brokeStrained = false

    /// Why the load did not hold, in one line; nil if it held.
    var line: String? {
        let lines = [self.reason, self.cause].compactMap { $0?.prefix { $0 != "\n" } }
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }
}
