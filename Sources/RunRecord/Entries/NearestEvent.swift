/// The event that came closest to an expectation.
public struct NearestEvent: Hashable, Sendable {
    /// The number of the event in the timeline of its actor.
    public var number: Int

    /// The kind of event.
    public var kind: String

    /// When it came, as text.
    public var at: String

    /// What kept an event that matches from being taken, line by line.
    public var remarks: [String]

    /// Creates an event.
    public init(number: Int, kind: String, at: String, remarks: [String] = []) {
        self.number = number
        self.kind = kind
        self.at = at
        self.remarks = remarks
    }
}

extension NearestEvent {
    /// Returns the same as a section of a text.
    ///
    /// - Parameter differences: What in the event is not as expected.
    public func section(_ differences: [ValueDifference]) -> Evidence.Section {
        Evidence.Section(
            heading: "nearest",
            lines: ["#\(self.number) \(self.kind) at \(self.at)"] + self.remarks
                + DifferenceText(differences).lines.map { "  " + $0 },
            event: self.number)
    }
}
