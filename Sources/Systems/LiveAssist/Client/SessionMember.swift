import JSON
import Machines

/// What consumers and agents do alike once they are in a session.
protocol SessionMember {
    /// The topic WebSocket.
    var link: TopicLink { get }

    /// Who and what is in the session.
    var directory: TopicDirectory { get }
}

extension SessionMember {
    /// Sends a message into a topic.
    func say(_ message: WindowMessage, on topic: UInt16, in step: inout ClientStep) {
        self.link.send(
            TopicFrame(.sendMessage, topic: topic, participant: self.directory.ownID, payload: message.bytes), in: &step
        )
    }

    /// Sends a JSON message to the whole session.
    func tell(_ message: JSONValue, in step: inout ClientStep) {
        self.link.send(
            TopicFrame(.sendMessage, topic: 0, participant: self.directory.ownID, json: message), in: &step)
    }
}
