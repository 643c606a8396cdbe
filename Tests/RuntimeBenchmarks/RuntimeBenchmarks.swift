import LuaRuntime

/// Times calls from Lua into Swift against calls of a plain C function, side by side in one run.
@main
enum RuntimeBenchmarks {
    private static let calls = 5_000_000
    private static let rounds = 5

    /// A host function and the C function of the standard library that does about as much.
    private struct Pair {
        let label: String
        let call: String
        let plain: String
        let host: HostFunction
    }

    private static var pairs: [Pair] {
        [
            Pair(
                label: "the call itself", call: "host()", plain: "math.abs(1)",
                host: HostFunction("nothing") { (_) throws(HostError) in .returns }),
            Pair(
                label: "one checked integer in, one out", call: "host(i)", plain: "math.abs(i)",
                host: HostFunction("magnitude", parameters: ["number"]) { (call) throws(HostError) in
                    call.push(Int64(clamping: try call.integer(1).magnitude))
                    return .returns
                }),
            Pair(
                label: "two checked integers in, one out", call: "host(i, 1)", plain: "math.ult(i, 1)",
                host: HostFunction("add", parameters: ["left", "right"]) { (call) throws(HostError) in
                    call.push(try call.integer(1) &+ call.integer(2))
                    return .returns
                }),
        ]
    }

    static func main() throws {
        for pair in Self.pairs { try Self.measure(pair) }
    }

    private static func measure(_ pair: Pair) throws {
        let state = LuaState(limits: LuaLimits(instructionsPerResume: nil, instructionsTotal: nil))
        defer { state.close() }
        let environment = try state.makeEnvironment()
        environment["host"] = .function(state.register(pair.host))
        let name = pair.plain.prefix { $0 != "(" }
        let source = """
            local host, plain = host, \(name)
            local function time_host() for i = 1, \(Self.calls) do \(pair.call) end end
            local function time_plain() for i = 1, \(Self.calls) do plain\(pair.plain.dropFirst(name.count)) end end
            return time_host, time_plain
            """
        let functions = try state.call(try state.load(source, name: "=benchmark", in: environment))
        guard let host = functions.first?.reference, let plain = functions.last?.reference else { return }
        var times: [(host: Double, plain: Double)] = []
        for _ in 0..<Self.rounds { times.append((try Self.time(host, in: state), try Self.time(plain, in: state))) }
        let median = times.sorted { $0.host / $0.plain < $1.host / $1.plain }[Self.rounds / 2]
        let ratio = Double(Int(median.host / median.plain * 100)) / 100
        print(
            "\(pair.label): Swift \(Self.nanoseconds(median.host)) ns, \(pair.plain) \(Self.nanoseconds(median.plain)) ns, "
                + "ratio \(ratio) (median of \(Self.rounds))")
    }

    private static func time(_ function: LuaReference, in state: LuaState) throws -> Double {
        let start = ContinuousClock.now
        try state.call(function)
        return (ContinuousClock.now - start) / .nanoseconds(Self.calls)
    }

    private static func nanoseconds(_ value: Double) -> Double { Double(Int(value * 10)) / 10 }
}
