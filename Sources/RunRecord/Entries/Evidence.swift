/// What speaks for a problem, part by part: every report shows parts of this one value.
public struct Evidence: Hashable, Sendable {
    /// A line of a script that was in progress.
    public struct Frame: Hashable, Sendable {
        /// The file as it is named on the command line.
        public var file: String

        /// Counted from one.
        public var line: Int

        /// The name by which the function was called, if Lua knows one.
        public var function: String?

        /// The line with its neighbors, as text with the number of each line and a mark.
        public var excerpt: [String]

        /// Creates a frame.
        public init(file: String, line: Int, function: String? = nil, excerpt: [String] = []) {
            self.file = file
            self.line = line
            self.function = function
            self.excerpt = excerpt
        }
    }

    /// A heading and its lines.
    public struct Section: Hashable, Sendable {
        /// One or two words: `expected`, `timeline`, `pending`, ….
        public var heading: String

        /// The text below the heading.
        public var lines: [String]

        /// The number of the event that the section is about, if it is about one.
        public var event: Int?

        /// Creates a section.
        public init(heading: String, lines: [String], event: Int? = nil) {
            self.heading = heading
            self.lines = lines
            self.event = event
        }
    }

    /// The actor that waited or observed, if the problem is about one.
    public var actor: String?

    /// The line of the scenario, and beneath it what that line called in other files.
    public var frames: [Frame]

    /// The event that came closest to what was expected.
    public var nearest: NearestEvent?

    /// What is not as expected in that event, or in the value that was compared.
    public var differences: [ValueDifference]

    /// All sections in the order of the text; what stands in ``nearest`` and ``differences`` is among them as text.
    public var sections: [Section]

    /// Creates evidence.
    public init(
        actor: String? = nil, frames: [Frame] = [], nearest: NearestEvent? = nil,
        differences: [ValueDifference] = [], sections: [Section] = []
    ) {
        self.actor = actor
        self.frames = frames
        self.nearest = nearest
        self.differences = differences
        self.sections = sections
    }
}

extension Evidence {
    /// The least width of the margin in which the headings stand.
    private static let margin = 10

    /// Returns the whole text for the author of a scenario: message, lines of the script, sections.
    ///
    /// - Parameter message: What happened, in one line.
    public func text(after message: String) -> String {
        var lines = [message]
        for frame in self.frames {
            lines.append("at \(frame.file):\(frame.line)" + (frame.function.map { " in \($0)" } ?? ""))
            if !frame.excerpt.isEmpty { lines += [""] + frame.excerpt.map { "  " + $0 } + [""] }
        }
        let margin = self.sections.reduce(Self.margin) { max($0, $1.heading.count + 1) }
        for section in self.sections where !section.lines.isEmpty {
            for (index, line) in section.lines.enumerated() {
                let heading = index == 0 ? section.heading : ""
                let padding = String(repeating: " ", count: margin - heading.count)
                lines.append(line.isEmpty ? "" : heading + padding + line)
            }
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
