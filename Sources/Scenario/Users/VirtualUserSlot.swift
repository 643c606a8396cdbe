import Machines

/// What an execution has that is played by a virtual user: who it is, who hears it, and what it shares with others.
final class VirtualUserSlot {
    let user: UserContext
    let observer: any ExecutionObserver
    let coordination: any Coordination
    let meetings: MeetingCheck
    let servers: SharedServers

    /// Whether the user was asked to come to its end; its script reads it as `t.stopping`.
    var isStopping = false

    /// The think times in which the user is.
    let thinkTimes = PendingThinkTimes()

    init(
        user: UserContext, observer: any ExecutionObserver, coordination: any Coordination, meetings: MeetingCheck,
        servers: SharedServers
    ) {
        self.user = user
        self.observer = observer
        self.coordination = coordination
        self.meetings = meetings
        self.servers = servers
    }

    /// Returns why the user cannot meet those that a barrier or mailbox of a name is for, or nil.
    func refusal(of function: String, _ name: String, count: Int = 0) -> String? {
        self.meetings.refusal(of: function, name, count: count, for: self.user)
    }
}
