/// In how many tries of a scenario a soft check held, where the rate of tries that pass decides.
///
/// A try counts for a check that it came to, and the check held in it if it held as often as the try came to it. So the
/// rates of the checks of a scenario may be over different numbers of tries.
public struct CheckRate: Hashable, Sendable {
    /// The file of the check, if it is not that of the scenario.
    public var file: String?

    /// The line of the check, counted from one.
    public var line: Int

    /// What stands in that line, for people.
    public var text: String

    /// How many tries came to it, and in how many of them it held.
    public var rate: TryRate

    /// Creates a rate.
    public init(file: String? = nil, line: Int, text: String, rate: TryRate) {
        self.file = file
        self.line = line
        self.text = text
        self.rate = rate
    }

    /// Where it stands: `7`, or `lib/greeting.lua:7` of another file.
    public var place: String { self.file.map { "\($0):\(self.line)" } ?? "\(self.line)" }

    /// Where it stands, for people: `line 7`, or `lib/greeting.lua:7`.
    public var heading: String { self.file == nil ? "line \(self.place)" : self.place }
}
