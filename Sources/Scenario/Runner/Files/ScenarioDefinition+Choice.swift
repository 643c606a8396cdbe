import RunRecord

extension ScenarioDefinition {
    /// Notes how each scenario of a file is chosen that its title does not choose alone.
    static func noteChoices(in definitions: inout [ScenarioDefinition]) {
        let titles = definitions.map { Array($0.title.utf8) }
        let contained = ContainedTexts.places(in: titles)
        let byLine = Dictionary(grouping: definitions.indices) { definitions[$0].line }
        var numbers = definitions.map { _ in 1 }
        for places in byLine.values { for (place, number) in zip(places, 1...) { numbers[place] = number } }
        for place in definitions.indices where contained.contains(place) || !Self.canBeTyped(definitions[place].title) {
            let definition = definitions[place]
            let neighbors = byLine[definition.line] ?? []
            definitions[place].choice = definition.choice(numbered: numbers[place], of: neighbors.count) { row in
                neighbors.count { definitions[$0].title.hasBytes(row) }
            }
        }
    }

    /// How it is chosen among those that are declared at its line.
    ///
    /// - Parameters:
    ///   - number: Which of them it is, counted from one.
    ///   - count: How many they are.
    ///   - titled: Tells how many of their titles have a text in them, which takes a look at each.
    private func choice(numbered number: Int, of count: Int, titled: (String) -> Int) -> ScenarioChoice {
        guard count > 1 else { return ScenarioChoice(line: self.line) }
        if count <= Self.mostCompared, let row = self.row.map({ "[\($0.name)]" }), Self.canBeTyped(row),
            titled(row) == 1
        {
            return ScenarioChoice(line: self.line, filter: row)
        }
        return ScenarioChoice(line: self.line, number: number)
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
