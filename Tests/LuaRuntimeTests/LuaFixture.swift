import JSON
import Testing

@testable import LuaRuntime

extension LuaLimits {
    /// The standard limits without any count of instructions.
    static let uncounted = LuaLimits(instructionsPerResume: nil, instructionsTotal: nil)
}

/// Under what conditions the runtime is tested: whatever works must work when memory is moved and scarce as well.
enum Conditions: String, CaseIterable, CustomTestStringConvertible {
    case plain
    /// Everything is collected around each call into the host.
    case stress
    /// Memory for hardly more than the script itself.
    case tight

    var testDescription: String { self.rawValue }
}

/// A state with one environment, and functions that scripts of these tests call.
final class LuaFixture {
    let state: LuaState
    let environment: LuaEnvironment
    /// What scripts have noted, in order.
    var notes: [String] = []

    init(
        _ conditions: Conditions = .plain, limits: LuaLimits = .standard, seed: UInt64 = 1, clock: LuaClock = .stopped
    ) throws {
        var limits = limits
        if conditions == .tight { limits.memoryBytes = 400_000 }
        self.state = LuaState(limits: limits, seed: seed, clock: clock)
        self.state.collectsAlways = conditions == .stress
        self.environment = try self.state.makeEnvironment()
        self.define("wait", suspends: true) { _ throws(HostError) in .suspends }
        self.define("note") { [unowned self] (call) throws(HostError) in
            self.notes.append(call.text(1))
            return .returns
        }
        self.define("add", parameters: ["left", "right"]) { (call) throws(HostError) in
            call.push(try call.integer(1) + call.integer(2))
            return .returns
        }
        self.define("echo") { (call) throws(HostError) in
            call.push(try call.json(1))
            return .returns
        }
    }

    func define(
        _ name: String, parameters: [String] = [], suspends: Bool = false, isVariadic: Bool = true,
        _ body: @escaping HostFunction.Body
    ) {
        let slot = self.state.register(
            HostFunction(name, parameters: parameters, suspends: suspends, isVariadic: isVariadic, body: body))
        self.environment[name] = .function(slot)
    }

    func start(_ source: String, file: String = "script.lua") throws -> LuaCoroutine {
        try self.state.spawn(try self.state.load(source, name: "@\(file)", in: self.environment))
    }

    /// Runs a script to its end; waits are answered with 7.
    func run(_ source: String, file: String = "script.lua") throws -> [JSONValue] {
        let coroutine = try self.start(source, file: file)
        var outcome = self.state.resume(coroutine)
        while case .suspended = outcome { outcome = self.state.resume(coroutine, with: .success(.integer(7))) }
        switch outcome {
        case .finished(let values): return try values.map { try $0.json() }
        case .failed(let error): throw error
        case .suspended: return []
        }
    }

    /// Runs a script that is expected to fail.
    func failure(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> LuaError {
        try #require(throws: LuaError.self, sourceLocation: sourceLocation) { try self.run(source) }
    }
}

/// Counts the objects of its kind that exist.
final class Life {
    final class Count {
        var value = 0
    }

    let count: Count

    init(_ count: Count) {
        self.count = count
        count.value += 1
    }

    deinit { self.count.value -= 1 }
}
