import ArgumentParser
import Reports

/// A JUnit file with its profile, as the command line gives it: `FILE` or `FILE,profile=P`.
struct JUnitDestination: Sendable {
    let path: String
    let profile: JUnitProfile

    /// What there is for a profile, for people.
    private static let profiles = JUnitProfile.all.map(\.name).joined(separator: ", ")

    /// What the option for it says.
    static let help =
        "A JUnit file to write, with FILE,profile=P for one reader (\(Self.profiles)); may be repeated."

    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what there is.
    init(argument: String) throws {
        let parts = argument.split(separator: ",profile=", maxSplits: 1, omittingEmptySubsequences: false)
        self.path = String(parts[0])
        guard !self.path.isEmpty else { throw ValidationError("--junit needs a file: --junit junit.xml") }
        try StandardOutputName.refuse(self.path, for: "--junit")
        let last = self.path.split(separator: "/").last ?? ""
        guard !last.contains(/,[A-Za-z_]+=/), !last.hasSuffix(",profile") else {
            throw ValidationError("--junit takes FILE or FILE,profile=P, not \"\(argument)\"")
        }
        let name = parts.count > 1 ? String(parts[1]) : JUnitProfile.default.name
        guard let profile = JUnitProfile.named(name) else {
            throw ValidationError("there is no JUnit profile \"\(name)\"; there are \(Self.profiles)")
        }
        self.profile = profile
    }
}
