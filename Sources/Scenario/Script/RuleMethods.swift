import LuaRuntime
import Machines

/// The methods of `t` for what must hold of the whole conversation: `t:never`, `t:always`, `t:eventually`,
/// `t:within_turns`.
enum RuleMethods {
    /// A rule may ask for at most this many turns.
    private static let mostTurns: Int64 = 1000

    /// A scenario declares at most this many rules, for each looks at every event.
    private static let mostRules = 100

    /// The methods.
    static var all: [HostFunction] {
        func method(
            _ name: String, _ first: [String] = [],
            _ kind: @escaping (borrowing LuaCall) throws(HostError) -> RuleProgress.Kind
        ) -> HostFunction {
            HostFunction("t:\(name)", parameters: first + ["actor", "what", "fields"]) { (call) throws(HostError) in
                try call.requireContext()
                try Self.declare(try kind(call), &call, from: first.count + 1)
                return .returns
            }
        }
        return [
            method("never") { (_) throws(HostError) in .never },
            method("always") { (_) throws(HostError) in .always },
            method("eventually") { (_) throws(HostError) in .eventually },
            method("within_turns", ["turns"]) { (call) throws(HostError) in
                .withinTurns(Int(try call.integer(1, in: 1...Self.mostTurns)))
            },
        ]
    }

    private static func declare(
        _ kind: RuleProgress.Kind, _ call: inout LuaCall, from place: Int
    ) throws(HostError) {
        let script = try call.script()
        let name = call.name
        let execution = try script.playing(name)
        var actor: Actor?
        if call.kind(place) == .handle {
            guard case .handle(let object, _) = call.value(place), let named = object as? Actor else {
                throw HostError.argument(
                    "\(name) takes an actor of the scenario before the event, not \(call.text(place))")
            }
            actor = named
        }
        let first = actor == nil ? place : place + 1
        guard let matchers = try ExpectationMethods.eventMatchers(&call, first: first, actor, of: script) else {
            throw HostError.argument(
                "\(name) takes the event that it is about, such as \(name)(\"message\", { text = … })")
        }
        guard call.isNil(first + 2) else {
            throw HostError.usage(
                "\(name) takes nothing after the fields; it holds to the end of the scenario")
        }
        if kind == .always, matchers.contains(where: \.asksForNothing) {
            throw HostError.usage(
                "\(name) cannot fail without fields: every event is one of its kind; say what each must have, such as "
                    + "{ text = match.is_not(match.personal_data()) }")
        }
        guard execution.cast.rules.count < Self.mostRules else {
            throw HostError.usage("a scenario declares at most \(Self.mostRules) rules of its conversation")
        }
        for actor in execution.actors where actor.log.forgottenCount > 0 {
            throw HostError.usage(
                "\(name) is about the whole conversation, and \(actor.name) has no longer the first "
                    + "\(actor.log.forgottenCount) events of it, for users of a load test keep few; declare it before "
                    + "they come")
        }
        let rule = ConversationRule(kind, matchers, of: actor, position: call.scriptPosition)
        if case .withinTurns = kind, !execution.remembersConversation,
            let busy = execution.actors.first(where: { rule.watches($0) && $0.lastCommand != nil })
        {
            throw HostError.usage(
                "\(name) counts the turns of the whole conversation, and users of a load test keep none that have passed; "
                    + "declare it before \(busy.name) does anything")
        }
        execution.countAssertion()
        execution.cast.add(rule)
        if case .eventually = kind { Self.allow(matchers, in: execution) }
        if case .withinTurns = kind { Self.allow(matchers, in: execution) }
        // What was said before counts as well.
        if let failure = rule.lookBack(in: execution) { throw HostError(failure) }
    }

    /// What the rule waits for need not be expected by anything else.
    private static func allow(_ matchers: [EventMatcher], in execution: ScenarioExecution) {
        for matcher in matchers { execution.allow(matcher) }
    }
}
