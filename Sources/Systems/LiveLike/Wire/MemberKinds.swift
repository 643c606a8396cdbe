import JSON
import Machines

/// What members of the service's objects can be besides what all systems know.
extension MemberRule.Kind {
    /// A text that is not empty and short enough for a name.
    static let id = Self("an id") { value in value.string.map { !$0.isEmpty && $0.utf8.count <= 256 } ?? false }
    static let time = Self("a time") { $0.string.flatMap(ServiceTime.ticks) != nil }
    static let textOrList = Self("a list or a text") { $0.string != nil || $0.array != nil }
    static let timeToken = Self("a time token") { SubscribeReply.token($0) != nil }
}
