/// Where the texts of scripts let users meet who are not the same scenario: servers that all share, barriers and
/// mailboxes. It has to be known before a run that is played in several parts, for not all of them reach each other.
///
/// It reads texts and not what runs: what is put together as the script goes is not found.
public struct ScriptCoordination: Equatable, Sendable {
    /// Whether they declare a server that all users share: `shared = true`.
    public private(set) var hasSharedServer = false

    /// Whether they start servers of which none is shared by all users: no text so much as names `shared`.
    public var hasOwnServersOnly: Bool { self.startsServer && !self.namesShared }

    /// Whether they start a simulated server.
    public private(set) var startsServer = false

    private var namesShared = false

    /// The functions by which users wait for each other that are named, in the order of the texts.
    public private(set) var functions: [String] = []

    /// Notes that a text declares a server that all users share.
    mutating func shareServer() { self.hasSharedServer = true }

    /// Notes that a text starts a server.
    mutating func startServer() { self.startsServer = true }

    /// Notes that a text names `shared`, by which a server may be one that all users share.
    mutating func nameShared() { self.namesShared = true }

    /// Notes that a text names a function by which users wait for each other.
    mutating func add(_ function: String) {
        if !self.functions.contains(function) { self.functions.append(function) }
    }

    /// Takes in where another text lets users meet.
    mutating func add(_ other: ScriptCoordination) {
        self.hasSharedServer = self.hasSharedServer || other.hasSharedServer
        self.startsServer = self.startsServer || other.startsServer
        self.namesShared = self.namesShared || other.namesShared
        for function in other.functions { self.add(function) }
    }
}
