/// The simulated servers that all users of a pool share: one for each system, and one for each that is called back.
final class SharedServers {
    private var hosts: [String: any SharedHost] = [:]

    /// Whether the users of the run play on other threads, too, where the servers of this one cannot be reached.
    let isSplit: Bool

    init(isSplit: Bool) {
        self.isSplit = isSplit
    }

    /// The faults that users have ordered of them.
    private var faultOrders = SharedFaultOrders()

    /// Takes note of the faults that a user has ordered, who has ended.
    func take(_ orders: [FaultOrder], ofPassing hasPassed: Bool) {
        self.faultOrders.add(orders, ofPassing: hasPassed)
    }

    /// The mistakes of faults that have struck nobody; to be asked for when the last user has gone.
    var idleFaults: [ScenarioFailure] { self.faultOrders.mistakes }

    /// Whether there are none.
    var isEmpty: Bool { self.hosts.isEmpty }

    /// Whether none of the functions of those with a script goes on by itself, and nobody uses one.
    var areAtRest: Bool { self.hosts.values.allSatisfy(\.isAtRest) }

    /// Finds what went wrong at them of which no user has heard; to be asked for once, when the last one has gone.
    ///
    /// - Parameter completion: Gets it in the order of the keys, at once or later.
    func findUnheardProblems(_ completion: @escaping ([SharedProblem]) -> Void) {
        Self.findUnheardProblems(at: self.hosts.sorted { $0.key < $1.key }.map(\.value)[...], [], completion)
    }

    private static func findUnheardProblems(
        at hosts: ArraySlice<any SharedHost>, _ found: [SharedProblem],
        _ completion: @escaping ([SharedProblem]) -> Void
    ) {
        guard let host = hosts.first else { return completion(found) }
        host.findUnheardProblems { Self.findUnheardProblems(at: hosts.dropFirst(), found + $0, completion) }
    }

    /// Returns the server that stands for what a script asks for, made when it is first asked for.
    ///
    /// - Throws: Why it cannot be made; it is made when it is asked for again.
    func host<Server: SharedHost, Reason: Error>(
        _ key: String, make: () throws(Reason) -> Server
    ) throws(Reason) -> Server {
        if let host = self.hosts[key] as? Server { return host }
        let host = try make()
        self.hosts[key] = host
        return host
    }

    /// Stops all of them.
    func close() {
        for host in self.hosts.values { host.close() }
        self.hosts = [:]
    }
}
