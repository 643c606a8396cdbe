import Machines
import Secrets

extension String {
    /// What is asked for is shown up to so many characters: more than anybody writes out in a script.
    private static let longestShown = 1_000

    /// Returns the description of what was asked for, as a failure shows it; secrets are taken out before anything is
    /// cut.
    func shown(without secrets: SecretMasker) -> String {
        guard self.utf8.count > Self.longestShown else { return self }
        return secrets.masked(self).shortened(to: Self.longestShown)
    }
}
