/// One line of what a person would see of a client, from the top down; for reports.
///
/// It is the same for all systems, so that reports need to know none of them.
public struct ScreenLine: Hashable, Sendable {
    /// What a line is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The name of the view.
        case title
        /// What stands above a group of lines.
        case heading
        /// Text of the product's own.
        case text
        /// What the other side said.
        case said
        /// What this side said.
        case own
        /// Something to fill in, with what stands in it.
        case field
        /// Something to press.
        case button
        /// What the product says about now: a place in the queue, somebody who types.
        case notice
        /// What is wrong.
        case fault
    }

    /// What the line is.
    public let kind: Kind

    /// What it says; of a field what stands in it.
    public let text: String

    /// What a field is called, or who said something.
    public let label: String?

    /// Creates a line.
    public init(_ kind: Kind, _ text: String, label: String? = nil) {
        self.kind = kind
        self.text = text
        self.label = label
    }
}
