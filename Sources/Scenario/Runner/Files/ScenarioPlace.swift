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
    /// - Throws: ``ScriptProblem`` if no scenario stands at one of the places.
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
        let found = members.filter { $0.definition.line == line }.map(\.index)
        guard let number = place.number else { return found }
        guard found.indices.contains(number - 1) else {
            throw ScriptProblem(
                "\(place.file):\(place.line)#\(number): \(found.count == 1 ? "one scenario is" : "\(found.count) scenarios are") "
                    + "declared there, at line \(line)", isUsage: true)
        }
        return [found[number - 1]]
    }
}
