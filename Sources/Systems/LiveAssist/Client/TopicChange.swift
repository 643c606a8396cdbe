/// What a frame changed in the directory.
enum TopicChange: Hashable, Sendable {
    /// The lists of a topic have arrived.
    case listed(UInt16)
    case joined(topic: UInt16, Participant)
    case left(topic: UInt16, Participant)
    case opened(Topic)
    case closed(Topic)
    case permission(topic: UInt16, source: UInt16, target: UInt16, TopicPermission)
    case message(topic: UInt16, source: UInt16, [UInt8])
    /// Something that can have no meaning here; the complaint goes on after "the server passed on".
    case misplaced(WireComplaint)
}
