import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// One loaded script: its globals and what it declared.
///
/// A script is loaded afresh for each execution, with globals of its own, so nothing that one scenario does is seen by
/// another.
final class Script {
    let settings: ExecutionSettings
    let engine: ScriptEngine
    let environment: LuaEnvironment

    /// The execution that the script serves; nil while it is loaded to see what it declares, and once it is closed.
    var execution: ScenarioExecution?

    /// What the file declares.
    let declarations: DeclarationCollector

    private var lazyRandom: LazyRandomSource

    /// The randomness of the script.
    var random: RandomSource {
        get { self.lazyRandom.source }
        set { self.lazyRandom.source = newValue }
    }

    /// What it has drawn of that, where transcripts are stored; nil where none is.
    let drawnTexts: DrawnTexts?

    /// The functions that matchers and machines refer to by number.
    var functions = KeptFunctions()

    /// What `t.user` returns, once it was asked for.
    private var userTable: LuaReference?

    private var guardCount: Int32 = 0
    private var samplingCount: Int32 = 0

    /// What stands behind `t`.
    let contextObject = ScriptContext()

    /// How many readers of XML the script has.
    private(set) lazy var xmlReaders = XMLReaderHandle.Count()

    /// The files that it requires and reads.
    let files: ScriptFiles

    private var serverHandles: [ObjectIdentifier: ServerHandle] = [:]

    /// Loads a script and runs its declarations.
    ///
    /// - Parameters:
    ///   - file: The script.
    ///   - definition: The scenario to select, or nil to only see what there is.
    ///   - settings: What the script can require and read.
    ///   - seed: The seed of the script's randomness.
    ///   - engine: Where it runs.
    /// - Throws: The error that loading ended with.
    init(
        _ file: ScriptFile, selecting definition: ScenarioDefinition?, settings: ExecutionSettings, seed: UInt64,
        engine: ScriptEngine
    ) throws(ScenarioFailure) {
        self.settings = settings
        self.lazyRandom = LazyRandomSource(seed: RandomSource.seed(seed, for: "script"))
        self.drawnTexts = settings.files.updatesTranscripts ? DrawnTexts() : nil
        self.declarations = DeclarationCollector(
            file: file.name, selecting: definition, eventNames: settings.eventNames)
        self.engine = engine
        self.files = ScriptFiles(of: file, settings, playing: definition?.id)
        do {
            self.environment = try engine.state.makeEnvironment(seed: seed)
        } catch {
            throw ScenarioFailure(category: .error, kind: .memory, message: error.message)
        }
        self.environment.owner = self
        do throws(LuaError) {
            let chunk =
                if let chunk = file.chunk { chunk } else {
                    try self.state.compile(file.source, name: "@" + file.name)
                }
            try self.state.run(chunk, in: self.environment)
        } catch {
            guard error.cause is DeclarationCollector.LoadedEnough else {
                var failure = self.failureWhileLoading(error)
                failure.sources = self.texts(withModules: true)
                self.close()
                throw failure
            }
        }
    }

    /// The script itself.
    var file: ScriptFile { self.files.file }

    /// The state that the script runs in.
    var state: LuaState { self.engine.state }

    /// Lets go of everything that the script held; its functions cannot call the host any more.
    func close() {
        self.functions.removeAll()
        self.userTable = nil
        self.serverHandles = [:]
        self.declarations.forget()
        self.environment.owner = nil
        self.execution = nil
    }

    /// The texts that excerpts are taken from.
    ///
    /// - Parameter withModules: Whether modules are among them, which are read once more for that.
    func texts(withModules: Bool) -> ScriptSources {
        ScriptSources(self.file, known: withModules ? self.files.sources : [], settings: self.settings)
    }

    /// What must not be seen, as far as it is known now.
    var secrets: SecretMasker { self.settings.vault.current }

    // MARK: Threads

    /// Makes a coroutine for a function of the script.
    func coroutine(_ function: LuaReference, _ arguments: [LuaValue]) throws(ScenarioFailure) -> LuaCoroutine {
        do throws(LuaError) { return try self.state.spawn(function, arguments, in: self.environment) } catch {
            throw self.failure(of: error)
        }
    }

    // MARK: Functions by number

    /// The error of the script if a function had to return something else to a machine; nil if it did not.
    func wrongResult(_ value: JSONValue, of function: ScriptFunction) -> ScenarioFailure? {
        guard let result = self.functions.result(of: function.number) else { return nil }
        do throws(UsageError) { try result.check(value) } catch {
            var failure = ScenarioFailure(category: .error, kind: .argument, message: error.message)
            if let definition = self.functions[function.number]?.definition {
                failure.place(at: definition, called: result.name)
            }
            return failure
        }
        return nil
    }

    /// Returns a reader of expectations that knows the script's own tests.
    var expressions: ExpressionReader {
        ExpressionReader(
            matchers: MatcherReader(test: { [unowned self] number in
                guard let function = self.functions[number] else { return nil }
                return { value in
                    do throws(LuaError) {
                        return try self.state.call(function, [.json(value)]).first?.isTruthy ?? false
                    } catch {
                        // A test that breaks says nothing about the value; the scenario ends with its error.
                        self.execution?.threads.trip(self.failure(of: error))
                        return false
                    }
                }
            }), names: self.declarations.eventNames)
    }

    /// Returns the object by which scripts hold a server.
    func handle(of server: any ScenarioServer) -> ServerHandle {
        let key = ObjectIdentifier(server)
        if let handle = self.serverHandles[key] { return handle }
        let handle = ServerHandle(server)
        self.serverHandles[key] = handle
        return handle
    }

    /// Who plays outside of load tests: somebody alone in a room, so that what is written for rooms can be tested.
    private static let onlyUser: JSONObject = [
        "number": 0, "iteration": 0, "room": ["name": "room-0", "number": 0, "size": 1],
    ]

    /// Gives the script who plays it: the same table each time.
    func pushUser(of execution: ScenarioExecution, _ call: inout LuaCall) {
        if let table = self.userTable { return call.push(LuaValue.reference(table)) }
        let user = execution.slot?.user
        self.userTable = call.pushAnchored(
            .source(
                NamedMembers.user(
                    user?.members() ?? Self.onlyUser, rowColumns: user?.rowColumns ?? [],
                    in: self.engine)))
    }

    /// Numbers the guards.
    func nextGuardNumber() -> Int {
        self.guardCount += 1
        return Int(self.guardCount)
    }

    /// The time of the play in seconds, as `os.clock` tells it.
    var seconds: Double { Double(self.execution?.now.nanoseconds ?? 0) / 1_000_000_000 }

    /// The time since 1970 in seconds, as `os.time` tells it.
    var wallSeconds: Double { Double(self.epochMilliseconds) / 1000 }

    /// The same in milliseconds; while a file is loaded, that of the start of its scenarios.
    var epochMilliseconds: Int64 { self.execution?.epochMilliseconds ?? self.settings.epochMilliseconds }

    /// Returns the randomness of the next sample of utterances.
    ///
    /// It depends on the run's seed only, so that loading the file for an execution chooses what listing its scenarios
    /// chose.
    func nextSampling() -> RandomSource {
        self.samplingCount += 1
        return RandomSource(seed: self.settings.seed).derived(for: "utterances \(self.file.name) \(self.samplingCount)")
    }
}

/// What stands behind `t`: an identity, nothing else.
final class ScriptContext {}
