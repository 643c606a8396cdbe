import Metrics

/// What is to be said of the texts of a run, and does not fail it: that they were for nobody, and that servers have not
/// acknowledged them although their system has an event for that.
struct TextRemarks: Sendable {
    /// How many users the run has.
    private let userCount: Int

    /// How many texts went to a server that others may talk to as well, and were due at nobody.
    private var forNobody = 0

    /// Whether a text has come to anybody, or an answer.
    private var hasHeard = false

    /// How many texts went out whose acknowledgement is usual and not declared.
    private var usual = 0

    /// How many of them have not been acknowledged for sure.
    private var missing = 0

    /// Whether any text has been acknowledged by `message_sent`.
    private var isAcknowledged = false

    /// Creates the account of a run in which nobody has said anything.
    init(userCount: Int) {
        self.userCount = userCount
    }

    /// Notes that a text was due at nobody although others may have heard it.
    mutating func sentToNobody() { self.forNobody += 1 }

    /// Notes that something came: a text, of whomever, or an answer.
    mutating func heard() { self.hasHeard = true }

    /// Notes texts whose acknowledgement is usual; fewer than zero for those that could not be sent.
    mutating func sentUsual(_ count: Int = 1) { self.usual += count }

    /// Notes that `message_sent` came.
    mutating func acknowledged() { self.isAcknowledged = true }

    /// Notes texts that are known to lack their acknowledgement.
    mutating func missed(_ count: Int) { self.missing += count }

    /// Adds what another core has noted.
    static func += (remarks: inout TextRemarks, other: TextRemarks) {
        remarks.forNobody += other.forNobody
        remarks.hasHeard = remarks.hasHeard || other.hasHeard
        remarks.usual += other.usual
        remarks.missing += other.missing
        remarks.isAcknowledged = remarks.isAcknowledged || other.isAcknowledged
    }

    /// What people should know.
    var warnings: [String] {
        var warnings: [String] = []
        if self.forNobody > 0, !self.hasHeard, self.userCount > 1 {
            warnings.append(
                "\(NumberText.counted(self.forNobody, "text was", "texts were")) sent, none of them was to reach anybody, "
                    + "and none came: where users talk "
                    + "to each other, declare who does in the workload, rooms = { size = 10 }, so that losses are seen"
            )
        }
        // Where none came at all, the last ones of a user are missing as well.
        let missing = self.isAcknowledged ? self.missing : self.usual
        if missing > 0 {
            warnings.append(
                "\(missing) of \(NumberText.counted(self.usual, "text was", "texts were")) not acknowledged by "
                    + "message_sent; acknowledged_by = "
                    + "\"message_sent\" beside sends makes that a failure")
        }
        return warnings
    }
}
