/// A place in a file by which a run chooses scenarios.
public struct ScenarioPlace: Hashable, Sendable {
    /// The file, as reports name it.
    public let file: String

    /// A line, counted from one: of the scenarios that are declared at it or above, the last is meant.
    public let line: Int

    /// Which of several that are declared in one line, counted from one; nil for all of them.
    public let number: Int?

    /// Creates a place.
    public init(file: String, line: Int, number: Int? = nil) {
        self.file = file
        self.line = line
        self.number = number
    }
}

extension ScenarioSuite {
    /// Returns the suite without the scenarios of files of which a run chooses others by their places.
    ///
    /// Files that could not be loaded have none to choose from.
    ///
    /// - Throws: ``ScriptProblem`` if no scenario stands at one of the places, or its file ends above it.
    public func keeping(_ places: [ScenarioPlace]) throws(ScriptProblem) -> ScenarioSuite {
        let unloadable = self.unloadableFiles
        var chosen: [String: Set<Int>] = [:]
        for place in places where !unloadable.contains(place.file) {
            chosen[place.file, default: []].formUnion(try self.members(at: place))
        }
        return self.keeping { member in chosen[member.definition.file]?.contains(member.index) ?? true }
    }

    /// The numbers of the members at a place.
    private func members(at place: ScenarioPlace) throws(ScriptProblem) -> [Int] {
        let members = self.members.filter { $0.definition.file == place.file }
        guard let line = members.map(\.definition.line).filter({ $0 <= place.line }).max() else {
            let first = members.map(\.definition.line).min().map { "the first one stands at line \($0)" }
            throw ScriptProblem(
                "\(place.file):\(place.line): no scenario is declared at that line or above it; "
                    + (first ?? "the file declares none"), isUsage: true)
        }
        try Self.refuse(place, below: members)
        let found = members.filter { $0.definition.line == line }.map(\.index)
        guard let number = place.number else { return found }
        guard found.indices.contains(number - 1) else {
            throw ScriptProblem(
                "\(place.file):\(place.line)#\(number): \(found.count == 1 ? "one scenario is" : "\(found.count) scenarios are") "
                    + "declared there, at line \(line)", isUsage: true)
        }
        return [found[number - 1]]
    }

    /// Refuses a line that the file does not have: the scenario that it was meant for is gone, or stands in another
    /// one.
    private static func refuse(_ place: ScenarioPlace, below members: [Member]) throws(ScriptProblem) {
        guard let last = members.map(\.definition.line).max(), place.line > last, let file = members.first?.file,
            place.line > file.lineCount
        else { return }
        throw ScriptProblem(
            "\(place.file):\(place.line): the file ends at line \(file.lineCount); the last scenario stands at line "
                + "\(last), and --list shows where the others do", isUsage: true)
    }
}

extension ScriptFile {
    /// How many lines its text has as Lua and editors count them: the one behind the last line break is one, too.
    fileprivate var lineCount: Int {
        1 + self.source.count { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
    }
}
