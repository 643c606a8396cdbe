import Metrics

/// The iterations of a run for which no row was left: they are told, and do not fail it.
struct RowlessIterations {
    /// The rows of data that there are; 0 if there are none to have.
    let rows: Int

    private var count = 0

    /// Creates the account of a run in which there was a row for everybody so far.
    init(rows: Int) {
        self.rows = rows
    }

    /// Notes that a user plays without a row, because each is used once and all have been.
    mutating func add() { self.count += 1 }

    /// What is to be said of them; nil if there were none.
    var warning: String? {
        guard self.count > 0 else { return nil }
        return
            "\(NumberText.counted(self.count, "iteration")) had no row, because "
            + (self.rows == 1 ? "the only row was" : "the \(NumberText.counted(self.rows, "row")) were")
            + " used up; add rows, or "
            + "choose row_order = \"circular\""
    }
}
