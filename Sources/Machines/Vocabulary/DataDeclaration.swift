/// Something that scripts or projects write or read as a table and that is no option, argument or event by itself: a
/// payload of a message, the keys of a table of texts, the settings of a target.
///
/// It stands in the reference; what checks such a table is said where it is taken.
public struct DataDeclaration: Hashable, Sendable {
    /// What it is, as the heading of its part of the reference.
    public let title: String

    /// What it is for; one or two sentences.
    public let summary: String

    /// Its members.
    public let members: [ParameterDeclaration]

    /// Creates a declaration.
    public init(_ title: String, _ summary: String, _ members: [ParameterDeclaration]) {
        self.title = title
        self.summary = summary
        self.members = members
    }

    /// The setting of every target that says where its clients may go besides.
    public static let hosts = ParameterDeclaration(
        "hosts", .list(.string), optional: true,
        "Further hosts that clients may reach, such as `\"*.chat.example.com\"`.")
}
