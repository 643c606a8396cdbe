import JSON
import Machines
import RunRecord
import Secrets

extension Mismatch {
    /// Returns what was expected and found in the place, with what differs marked; secrets are taken out before that.
    ///
    /// - Parameter length: The most characters of a value that is shown as a whole.
    func difference(upTo length: Int = 80, without secrets: SecretMasker) -> ValueDifference {
        let path = self.path.joined(separator: ".")
        let masked = self.found.map { secrets.masked($0, at: self.path) }
        if let found = masked?.string, let wanted = self.wantedText,
            let expected = secrets.masked(.string(wanted), at: self.path).string
        {
            let difference = TextDifference(wanted: expected, found: found)
            return ValueDifference(path: path, expected: difference.wanted, found: difference.found)
        }
        let found = self.found { value in
            let limit = TextLimit(bytes: TextLimit.longestSecret + 4 * length)
            let cut = limit.cut(value) { limit.beginning(of: $0) }
            return secrets.masked(cut, at: self.path).description.shortened(to: length)
        }
        let remark = self.remark(on: masked).map { " (\($0))" } ?? ""
        return ValueDifference(path: path, expected: MarkedText(self.expected), found: MarkedText(found + remark))
    }
}
