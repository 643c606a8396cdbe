/// A line of a stored conversation beside the one that was found.
public struct ConversationDifference: Hashable, Sendable {
    /// What became of a line.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// It was found as it is stored.
        case same
        /// It was found with other fields.
        case changed
        /// It is stored and was not found.
        case missing
        /// It was found and is not stored.
        case unexpected
        /// The stored conversation lets anything stand there.
        case gap
        /// Lines that are as they are stored, and need not be shown.
        case hidden
    }

    /// A field of the line.
    public struct Field: Hashable, Sendable {
        /// The name of the field.
        public var name: String

        /// What is stored, as JSON text, masks included; nil if nothing is.
        public var stored: String?

        /// What was found, as JSON text; nil if nothing was.
        public var found: String?

        /// Whether what was found is what is stored.
        public var fits: Bool

        /// Creates a field.
        public init(name: String, stored: String?, found: String?, fits: Bool) {
            self.name = name
            self.stored = stored
            self.found = found
            self.fits = fits
        }
    }

    /// What became of the line.
    public var kind: Kind

    /// How many entries a gap stands for, or how many lines are hidden; one for every other kind.
    public var count: Int

    /// The actor, empty for gaps and hidden lines.
    public var actor: String

    /// Whether the actor did it; otherwise it observed it.
    public var isDone: Bool

    /// The name of the command or the event.
    public var name: String

    /// The fields that the line is about.
    public var fields: [Field]

    /// Creates a line.
    public init(
        _ kind: Kind, count: Int = 1, actor: String = "", isDone: Bool = false, name: String = "", fields: [Field] = []
    ) {
        self.kind = kind
        self.count = count
        self.actor = actor
        self.isDone = isDone
        self.name = name
        self.fields = fields
    }
}
