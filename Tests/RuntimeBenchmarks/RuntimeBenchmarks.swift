import LuaRuntime

/// Times calls from Lua into Swift against calls of a plain C function, side by side in one run.
@main
enum RuntimeBenchmarks {
    private static let calls = 5_000_000
    private static let rounds = 5

    static func main() throws {
        let state = LuaState(limits: .uncounted)
        defer { state.close() }
        let add = HostFunction("add", parameters: ["a", "b"]) { (call) throws(LuaFault) in
            call.push(try call.integer(1) &+ call.integer(2))
            return .returns
        }
        let environment = try state.makeEnvironment()
        environment["host"] = .function(state.register(add))
        let source = """
            local host, c = host, math.ult
            local function time_host() for i = 1, \(Self.calls) do host(i, 1) end end
            local function time_c() for i = 1, \(Self.calls) do c(i, 1) end end
            return time_host, time_c
            """
        let functions = try state.call(try state.load(source, name: "=benchmark", in: environment))
        guard let host = functions.first?.reference, let plain = functions.last?.reference else { return }
        var ratios: [Double] = []
        for _ in 0..<Self.rounds {
            let (hostTime, plainTime) = (try Self.time(host, in: state), try Self.time(plain, in: state))
            ratios.append(hostTime / plainTime)
            print("Lua → Swift \(Self.nanoseconds(hostTime)) ns, Lua → C \(Self.nanoseconds(plainTime)) ns a call")
        }
        let median = ratios.sorted()[Self.rounds / 2]
        print("ratio \(Double(Int(median * 100)) / 100) (median of \(Self.rounds); at most 2)")
    }

    private static func time(_ function: LuaReference, in state: LuaState) throws -> Double {
        let start = ContinuousClock.now
        try state.call(function)
        return (ContinuousClock.now - start) / .nanoseconds(Self.calls)
    }

    private static func nanoseconds(_ value: Double) -> Double { Double(Int(value * 10)) / 10 }
}
