import JSON
import Machines

/// What a scripted machine has heard, and how it reacts.
///
/// It is shared between a test and the machine inside a driver; both are used on one thread, the one that plays the
/// test, which is why the missing protection is not missed.
final class Script<Input, Effect>: @unchecked Sendable {
    var inputs: [Input] = []
    var onCommand: [Effect] = []
    var react: (Input) -> [Effect] = { _ in [] }
}

typealias ClientScript = Script<ClientInput, ClientEffect>
typealias ServerScript = Script<ServerInput, ServerEffect>

/// A client that does what a test says.
struct ScriptedClient: ClientMachine {
    let script: ClientScript

    func handle(_ input: ClientInput, in step: inout ClientStep) {
        self.script.inputs.append(input)
        for effect in self.script.react(input) { step.ask(effect) }
    }

    func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        for effect in self.script.onCommand { step.ask(effect) }
        return .done(.null)
    }

    func tearDown(in step: inout ClientStep) {
        for effect in self.script.onCommand { step.ask(effect) }
    }

    var identity: JSONObject { [:] }
    var properties: JSONObject { [:] }
}

/// A server that does what a test says.
struct ScriptedServer: ServerMachine {
    let script: ServerScript

    func handle(_ input: ServerInput, in step: inout ServerStep) {
        self.script.inputs.append(input)
        for effect in self.script.react(input) { step.ask(effect) }
    }

    func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        for effect in self.script.onCommand { step.ask(effect) }
        return .done(.null)
    }

    var properties: JSONObject { [:] }
}
