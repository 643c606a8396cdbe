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

    /// How many tries came to it.
    public var tries: Int

    /// In how many of them it held.
    public var passed: Int

    /// The lower end of the interval in which the true rate lies, from 0 to 1, at ``PassRate/confidence``.
    public var low: Double

    /// The upper end of it.
    public var high: Double

    /// Creates a rate.
    public init(file: String? = nil, line: Int, text: String, tries: Int, passed: Int, low: Double, high: Double) {
        self.file = file
        self.line = line
        self.text = text
        self.tries = tries
        self.passed = passed
        self.low = low
        self.high = high
    }

    /// The part of the tries in which it held, from 0 to 1.
    public var rate: Double { self.tries == 0 ? 0 : Double(self.passed) / Double(self.tries) }

    /// Where it stands: `7`, or `lib/greeting.lua:7` of another file.
    public var place: String { self.file.map { "\($0):\(self.line)" } ?? "\(self.line)" }

    /// Where it stands, for people: `line 7`, or `lib/greeting.lua:7`.
    public var heading: String { self.file == nil ? "line \(self.place)" : self.place }

    /// What people read: `57 of 60 tries, 95 %, 95 % interval 86.3 to 98.3 %`.
    ///
    /// - Parameter confidence: That of the ``PassRate`` it belongs to.
    public func figures(confidence: Double) -> String {
        PassRate.figures(passed: self.passed, tries: self.tries, low: self.low, high: self.high, confidence: confidence)
    }
}
