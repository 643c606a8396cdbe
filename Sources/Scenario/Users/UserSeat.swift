import Machines

/// What a play has that is played by a virtual user: who it is, who hears it, and what it shares with others.
final class UserSeat {
    let user: UserContext
    let observer: any PlayObserver
    let meetings: any MeetingPlace
    let servers: SharedServers

    /// Whether the user was asked to come to its end; its script reads it as `t.stopping`.
    var isStopping = false

    init(user: UserContext, observer: any PlayObserver, meetings: any MeetingPlace, servers: SharedServers) {
        self.user = user
        self.observer = observer
        self.meetings = meetings
        self.servers = servers
    }
}
