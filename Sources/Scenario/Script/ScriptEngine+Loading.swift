import LuaRuntime
public import Machines
public import Secrets
public import Transport

extension ScriptEngine: ScriptHost {
    func load(
        _ file: ScriptFile, selecting definition: ScenarioDefinition?, settings: ExecutionSettings, seed: UInt64
    ) throws(ScenarioFailure) -> any PlayedScript {
        try Script(file, selecting: definition, settings: settings, seed: seed, engine: self)
    }

    func declarations(
        of file: inout ScriptFile, settings: ExecutionSettings, readingUserRows: Bool
    ) throws(ScenarioFailure) -> FileDeclarations {
        file.chunk = try file.compiled()
        let script = try Script(file, selecting: nil, settings: settings, seed: settings.seed, engine: self)
        defer { script.close() }
        var workload = script.declarations.workload
        if readingUserRows, var read = workload {
            script.files.readRows(of: &read)
            workload = read
        }
        return FileDeclarations(
            definitions: script.declarations.definitions, workload: workload, systems: UsedSystem.systems(of: script),
            mentions: script.mentions, sources: script.files.sources)
    }
}

extension Script: PlayedScript {
    var context: LuaValue { ContextMethods.value(of: self) }

    func value(of row: DataRow) -> LuaValue { NamedMembers.row(row.value, columns: row.columns, in: self.engine) }

    func takeSelected() -> ExecutionFunctions? {
        self.declarations.takeSelected().map { selected in
            ExecutionFunctions(
                sharedHooks: selected.shared.map {
                    self.part(ofScope: $0.number, titlePath: $0.titlePath, line: $0.line)
                },
                before: selected.before, body: selected.body, after: selected.after)
        }
    }

    var readsHistory: Bool { self.files.readsHistory }
    var namesPieces: Bool { self.files.namesPieces }

    func functions(of part: SharedPart.Kind) -> FixtureFunctions? { self.declarations.functions(of: part) }

    func function(_ function: ScriptFunction) -> LuaReference? { self.functions[function.number] }
}

extension ExecutionSettings {
    /// Creates settings for scripts in Lua.
    public convenience init(
        systems: [ChatSystem], projectRoot: String, workingDirectory: String, project: ProjectConfiguration,
        destination: Destination = .embedded,
        seed: UInt64, isVirtual: Bool = true, epochMilliseconds: Int64 = ExecutionSettings.virtualEpochMilliseconds,
        variables: [String: String] = [:], capture: WireCaptureLevel = .messages, updatesTranscripts: Bool = false,
        forbidsEmpty: Bool = false, vault: SecretVault = SecretVault(), network: NetworkConditions? = nil,
        fault: InjectedFault? = nil, attachments: AttachmentFolder? = nil, models: ModelClient? = nil
    ) {
        self.init(
            hosts: { ScriptEngine(limits: $0) }, systems: systems, projectRoot: projectRoot,
            workingDirectory: workingDirectory, project: project, destination: destination, seed: seed,
            isVirtual: isVirtual, epochMilliseconds: epochMilliseconds, variables: variables, capture: capture,
            updatesTranscripts: updatesTranscripts, forbidsEmpty: forbidsEmpty, vault: vault, network: network,
            fault: fault, attachments: attachments, models: models)
    }
}
