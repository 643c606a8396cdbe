import Metrics
import RunRecord

extension Problem {
    /// Where in the scripts it is, as `file:line`; nil if nowhere.
    var place: String? { self.file.map { file in self.line.map { "\(file):\($0)" } ?? file } }

    /// Whether the script uses the tool or the language wrongly (``FailureCause/isMistake``).
    var isMistake: Bool { FailureCause(self, user: nil, atMicroseconds: 0).isMistake }

    /// What it has in common with those that are counted with it.
    var causeKey: FailureCause.Key {
        FailureCause.Key(kind: self.typeName, place: self.place, limit: self.limit, message: self.message)
    }
}
