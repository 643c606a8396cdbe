import RunRecord

extension ScenarioDefinition {
    /// Notes how each scenario of a file is chosen that its title does not choose alone.
    static func noteChoices(in definitions: inout [ScenarioDefinition]) {
        let titles = definitions.map { Array($0.title.utf8) }
        let contained = ContainedTexts.places(in: titles)
        let byLine = Dictionary(grouping: definitions.indices) { definitions[$0].line }
        for place in definitions.indices where contained.contains(place) || !Self.canBeTyped(definitions[place].title) {
            let definition = definitions[place]
            let neighbors = byLine[definition.line] ?? []
            definitions[place].choice = definition.choice(amongst: neighbors.map { definitions[$0] }) {
                neighbors.firstIndex(of: place).map { $0 + 1 }
            }
        }
    }

    /// How it is chosen among those that are declared at its line.
    private func choice(amongst neighbors: [ScenarioDefinition], number: () -> Int?) -> ScenarioChoice {
        guard neighbors.count > 1 else { return ScenarioChoice(line: self.line) }
        if let row = self.row.map({ "[\($0.name)]" }), Self.canBeTyped(row), neighbors.count <= Self.mostCompared,
            neighbors.count(where: { $0.title.hasBytes(row) }) == 1
        {
            return ScenarioChoice(line: self.line, filter: row)
        }
        return ScenarioChoice(line: self.line, number: number())
    }

    /// Among so many rows one is looked for by its name; of more the number says which it is.
    private static let mostCompared = 500

    /// Whether a text can be typed, or copied from where it is printed: nothing in it is a control or invisible.
    private static func canBeTyped(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
                // Joiners are parts of words and of emoji, which are copied with them.
                case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
                default: true
                }
            }
    }
}

extension String {
    /// Whether a text is part of this one, byte by byte: names are the same only then.
    public func hasBytes(_ part: String) -> Bool {
        let (bytes, part) = (Array(self.utf8), Array(part.utf8))
        guard let first = part.first else { return true }
        guard part.count <= bytes.count else { return false }
        return (0...(bytes.count - part.count)).contains { start in
            bytes[start] == first && bytes[start..<(start + part.count)].elementsEqual(part)
        }
    }
}
