import FoundationEssentials
import Machines
import Secrets

extension ExecutionSettings {
    /// Digests of files, by which it shows whether the shards of a run have read the same.
    ///
    /// What is not there has none, nor has what holds a secret: a short one could be found by its digest.
    ///
    /// - Parameter paths: The files: absolute paths, without links.
    /// - Returns: Hashes in hexadecimal digits, by the paths of the files from the project's root, so that machines may
    ///   have it in different places; a file elsewhere has its whole path.
    public func digests(of paths: Set<String>) -> [String: String] {
        let secrets = self.vault.current
        var digests: [String: String] = [:]
        for path in paths {
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            let text = String(decoding: data, as: UTF8.self)
            guard secrets.masked(text) == text else { continue }
            digests[self.relativeToProject(path) ?? path] = String(FNV1a.hash64(data), radix: 16)
        }
        return digests
    }
}
