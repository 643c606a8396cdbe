/// One play with one fault.
public struct FaultCell: Hashable, Sendable {
    /// The fault and its point.
    public var fault: FaultName

    /// What the play came to beside the one without a fault.
    public var outcome: FaultOutcome

    /// What the client told, what went wrong, or why that is to be expected; empty where there is nothing to say.
    public var detail: String

    /// Creates a cell.
    public init(_ fault: FaultName, outcome: FaultOutcome, detail: String) {
        self.fault = fault
        self.outcome = outcome
        self.detail = detail
    }
}
