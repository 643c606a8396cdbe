import FoundationEssentials
import Reports

extension CommandEnvironment {
    /// Writes a file whole or not at all, and its folder where that is missing.
    ///
    /// - Returns: Whether it is written; why not has been said.
    func write(_ bytes: [UInt8], to path: String) -> Bool {
        do throws(ReportFileError) {
            try FileSystem.replace(self.path(path), with: bytes)
            return true
        } catch {
            self.writeError("error: \(error.message)\n")
            return false
        }
    }
}
