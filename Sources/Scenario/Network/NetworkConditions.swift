public import JSON
import Machines
import Transport

/// What a script says about the network of its clients: `t:network { latency = "50ms", loss = 0.01 }`.
public struct NetworkConditions: Sendable {
    /// What goes wrong from then on.
    let plan: FaultPlan

    /// Whether the connections that are open are dropped.
    private(set) var cutsOpenConnections: Bool

    /// Whose direction ends on the connections that are open.
    private(set) var endingSide: FaultSide?

    /// Whether something happens to the connections that are open.
    var strikes: Bool { self.cutsOpenConnections || self.endingSide != nil }

    /// Whether nobody can connect.
    var keepsFromConnecting: Bool {
        if case .failing = self.plan.resolution { return true }
        return self.plan.refusal >= 1
    }

    /// What happens for certain to clients that connect, or that send or receive enough.
    var certainStrikes: FaultStrikes {
        var strikes: FaultStrikes = self.keepsFromConnecting ? .refusal : []
        if self.plan.outgoing.dropAfter != nil { strikes.insert(.cut) }
        if self.plan.outgoing.stallAfter != nil { strikes.insert(.stall) }
        return strikes
    }

    /// The members that were given.
    public let members: JSONObject

    /// A network on which nothing goes wrong.
    public static let undisturbed = NetworkConditions()

    /// The conditions as text, for reports; empty for a network without faults.
    public let description: String

    private init() {
        self.plan = FaultPlan()
        self.cutsOpenConnections = false
        self.endingSide = nil
        self.members = [:]
        self.description = ""
    }

    /// The declared members, from which scripts are checked and the reference is made.
    static let parameters = [
        ParameterDeclaration(
            "latency", .duration, optional: true,
            "How much later bytes arrive, one way; opening a connection takes two of them more."),
        ParameterDeclaration(
            "jitter", .duration, optional: true, "Up to how much more each piece is late, by chance; the order stays."),
        ParameterDeclaration(
            "loss", .number, optional: true,
            "The chance from 0 to 1 that a segment of \(Retransmission.segmentSize) bytes is lost. As with TCP nothing is missing: a lost segment comes \(Retransmission.leastTimeout.scriptText) later (two latencies, if they are longer), after each further loss twice as late, up to \(Retransmission.longestTimeout.scriptText); what follows waits behind it. After \(Retransmission.mostTries) losses the connection ends. A connection that opens waits \(Retransmission.openingTimeout.scriptText) at first, and is given up after \(Retransmission.mostOpeningTries) losses."
        ),
        ParameterDeclaration(
            "bandwidth", .string, optional: true,
            "How much passes on each connection in each direction, such as `64KB/s`, `1.5MB/s` or `256kbit/s`."),
        ParameterDeclaration(
            "pieces", .integer, optional: true, "Bytes arrive in pieces of one to so many, by chance; 1 is one by one."),
        ParameterDeclaration(
            "corrupt", .number, optional: true,
            "The chance from 0 to 1 that a bit of a piece is flipped; within TLS where there is TLS."),
        ParameterDeclaration(
            "cut", .json, optional: true,
            "`true` drops the connections that are open, without an orderly end; a size such as `\"2KB\"` drops each connection after so many bytes more in one direction."
        ),
        ParameterDeclaration(
            "half_close", .choice(FaultSide.allCases.map(\.rawValue)), optional: true,
            "Ends the direction of this side on the connections that are open: the other side sees an orderly end (FIN), and what is still sent is lost."
        ),
        ParameterDeclaration(
            "stall", .json, optional: true,
            "`true` holds all bytes back in both directions without an end, as when a cable is pulled; a size such as `\"2KB\"` does so after so many bytes more. What was held back arrives under the next conditions."
        ),
        ParameterDeclaration(
            "refuse", .json, optional: true,
            "`true` refuses every attempt to connect, a number from 0 to 1 is the chance."),
        ParameterDeclaration(
            "dns", .json, optional: true,
            "`\"fail\"`: the target's name cannot be resolved; a duration: that takes so long. An address counts as a name."
        ),
    ]

    /// Reads conditions.
    ///
    /// - Parameters:
    ///   - table: The members.
    ///   - name: What they are given to, as messages name it.
    /// - Throws: ``ScriptProblem`` that names the member.
    public init(_ table: JSONObject, of name: String) throws(ScriptProblem) {
        do throws(UsageError) {
            try self.init(checking: table, of: name)
        } catch {
            throw ScriptProblem(error.message)
        }
    }

    /// Reads conditions.
    ///
    /// - Throws: ``UsageError`` that names the member.
    init(checking table: JSONObject, of name: String) throws(UsageError) {
        let members = try ArgumentChecker(call: name).record(table, Self.parameters)
        let reader = NetworkReader(members, name: name)
        var direction = FaultPlan.Direction()
        direction.delay = reader.duration("latency") ?? .zero
        direction.jitter = reader.duration("jitter") ?? .zero
        direction.loss = try reader.chance("loss") ?? 0
        direction.bytesPerSecond = try reader.rate("bandwidth")
        direction.longestPiece = try reader.count("pieces")
        direction.corruption = try reader.chance("corrupt") ?? 0
        let cut = try reader.limit("cut")
        let stall = try reader.limit("stall")
        if case .bytes(let count) = cut { direction.dropAfter = count }
        switch stall {
        case .now: direction.stallAfter = 0
        case .bytes(let count): direction.stallAfter = count
        case .none: break
        }
        var plan = FaultPlan()
        plan.outgoing = direction
        plan.incoming = direction
        plan.refusal = try reader.chance("refuse", orTrue: true) ?? 0
        plan.resolution = try reader.resolution("dns")
        self.plan = plan
        self.cutsOpenConnections = cut == .now
        self.endingSide = members["half_close"]?.string.flatMap(FaultSide.init)
        self.members = table
        self.description = table.map { "\($0)=\($1.string ?? $1.description)" }.sorted().joined(separator: " ")
    }

    /// Returns the same network, with what other conditions do to the connections that are open.
    ///
    /// - Parameter strike: What happens to those; nil for nothing, as when a network only becomes what it was before.
    public func striking(as strike: NetworkConditions?) -> NetworkConditions {
        var conditions = self
        conditions.cutsOpenConnections = strike?.cutsOpenConnections ?? false
        conditions.endingSide = strike?.endingSide
        return conditions
    }
}

/// Reads the members of ``NetworkConditions`` that need more than their declared type.
private struct NetworkReader {
    /// When something begins to happen.
    enum Limit: Equatable {
        case now
        case bytes(Int)
    }

    private let members: JSONObject
    private let name: String

    init(_ members: JSONObject, name: String) {
        self.members = members
        self.name = name
    }

    private func mistake(_ member: String, _ wanted: String) -> UsageError {
        UsageError("\(self.name): \(member) is \(wanted), not \(self.members[member]?.description ?? "nil")")
    }

    func duration(_ member: String) -> Duration? {
        self.members[member]?.double.flatMap { Duration(scriptSeconds: $0) }
    }

    func chance(_ member: String, orTrue: Bool = false) throws(UsageError) -> Double? {
        guard let value = self.members[member] else { return nil }
        if orTrue, let all = value.bool { return all ? 1 : 0 }
        guard let chance = value.double, 0...1 ~= chance else {
            throw self.mistake(member, (orTrue ? "true or " : "") + "a chance from 0 to 1, such as 0.01")
        }
        return chance
    }

    func count(_ member: String) throws(UsageError) -> Int? {
        guard let value = self.members[member] else { return nil }
        guard let count = value.integer, 1...1_000_000 ~= count else { throw self.mistake(member, "at least 1") }
        return Int(count)
    }

    func rate(_ member: String) throws(UsageError) -> Int? {
        guard let value = self.members[member] else { return nil }
        guard let text = value.string, text.hasSuffix("/s"), let size = ByteSize(String(text.dropLast(2))),
            size.bytes > 0
        else { throw self.mistake(member, "a rate such as \"64KB/s\", \"1.5MB/s\" or \"256kbit/s\"") }
        return size.bytes
    }

    func limit(_ member: String) throws(UsageError) -> Limit? {
        switch self.members[member] {
        case nil, .bool(false): return nil
        case .bool(true): return .now
        case let value?:
            guard let size = value.string.map({ ByteSize($0)?.bytes }) ?? value.integer.map({ Int(clamping: $0) }),
                size >= 0
            else { throw self.mistake(member, "true or a size such as \"2KB\"") }
            return .bytes(size)
        }
    }

    func resolution(_ member: String) throws(UsageError) -> FaultPlan.Resolution {
        guard let value = self.members[member] else { return .immediate }
        if value.string == "fail" { return .failing }
        guard let duration = ArgumentChecker.duration(value) else {
            throw self.mistake(member, "\"fail\" or a duration such as \"2s\"")
        }
        return .slow(duration)
    }
}
