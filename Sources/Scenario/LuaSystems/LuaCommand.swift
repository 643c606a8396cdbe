import JSON
import Machines

/// What a script declares of a command of its chat system beside the function.
struct LuaCommand: Hashable {
    /// The parameters, or nil if whatever a scenario passes is handed on as it is.
    let parameters: [ParameterDeclaration]?

    /// The names of what its function takes behind the one who is told; nil if that is any number.
    private let takes: [String]?

    /// The parameter that is a text to the other side: it is counted, and travels with the ledger's envelope.
    let sends: String?

    /// The event that tells that the text has reached the server, if it is another one than `message_sent`.
    let acknowledgement: EventKind?

    /// What few commands have: each user of a load test keeps all of its system.
    private struct Rest: Hashable {
        let submits: EventKind?
        let summary: String
        let isFault: Bool
    }

    @Boxed private var rest: Rest?

    /// The event whose form it submits.
    var submits: EventKind? { self.rest?.submits }

    /// What it does, for those who look it up.
    var summary: String { self.rest?.summary ?? "" }

    /// Whether it makes something fail, so that load tests show when that was.
    var isFault: Bool { self.rest?.isFault ?? false }

    /// The names by which it takes its arguments in one table, as the methods of built-in systems do; nil if it
    /// declares none, or the table could be its first argument.
    var namedParameters: [String]? {
        guard let parameters = self.parameters, let first = parameters.first, !first.type.takesTables else {
            return nil
        }
        return parameters.map(\.name)
    }

    /// Whether it also takes what the other side calls the form.
    var takesFormID: Bool { self.submits != nil && (self.parameters?.count ?? 0) > 1 }

    /// The members of a command that is declared as a table.
    static let members = [
        ParameterDeclaration(
            "parameters", .list(.string), optional: true,
            "The parameters in their order, such as \"text: string\", \"room: string?\"; anything goes unless given."),
        ParameterDeclaration(
            "sends", .string, optional: true,
            "The parameter that is a text to the other side, which load tests follow to where it arrives."),
        ParameterDeclaration(
            "acknowledged_by", .string, optional: true,
            "The event that tells that the server has the text; `message_sent` unless given."),
        ParameterDeclaration(
            "submits", .string, optional: true,
            "The event whose form it submits; its first parameter is the values, a second one the form's `id`."),
        ParameterDeclaration("about", .string, optional: true, "What it does, for those who look it up."),
        ParameterDeclaration(
            "fault", .boolean, optional: true,
            "Whether it makes something fail, as a fault of a server does: load tests show when it was called."),
    ]

    /// Returns the command as a method of a system.
    func described(as name: String) -> MethodDeclaration {
        let named = self.takes?.map { ParameterDeclaration($0, .json, optional: true, "") }
        let anything = named ?? [ParameterDeclaration("...", .json, "Whatever the system takes.")]
        return MethodDeclaration(
            name, self.parameters ?? anything, returns: .json, isFault: self.isFault, sends: self.sends, self.summary)
    }

    /// Refuses arguments that its function has no parameter for, unless they are nil: they would ask for nothing.
    ///
    /// What declares its parameters is checked against them instead.
    ///
    /// - Parameters:
    ///   - count: How many arguments there are.
    ///   - isNil: Whether one of them is nil, counted from 0.
    ///   - call: How the call reads.
    /// - Throws: ``UsageError`` that says what it takes.
    func checkCount(_ count: Int, isNil: (Int) -> Bool, of call: CallName) throws(UsageError) {
        guard self.parameters == nil, let takes = self.takes, count > takes.count,
            !(takes.count..<count).allSatisfy(isNil)
        else { return }
        throw UsageError(
            "\(call) takes \(takes.isEmpty ? "no arguments" : "no more than \(takes.joined(separator: ", "))")")
    }

    /// Returns arguments that are not checked as records and transcripts show them: by the names that the function has
    /// for them, so that a password is masked as one, and by numbers from one where it has none, or the same twice.
    static func named(_ values: [JSONValue], of command: LuaCommand?) -> JSONObject {
        var arguments = JSONObject()
        for (index, value) in values.enumerated() {
            let name = command?.takes.flatMap { index < $0.count ? $0[index] : nil } ?? "_"
            arguments[name == "_" || arguments[name] != nil ? "\(index + 1)" : name] = value
        }
        return arguments
    }

    /// Reads the declaration of a command.
    ///
    /// - Parameters:
    ///   - table: Its members without the function; empty for a command that is a function alone.
    ///   - name: Its name, for messages.
    ///   - names: The names of the parameters of its function, the first of them for who is told; nil if it takes any
    ///     number.
    /// - Throws: ``UsageError`` that says what is wrong.
    init(_ table: JSONObject, name: String, taking names: [String]? = nil) throws(UsageError) {
        let place = "command \(name)"
        let checked = try ArgumentChecker(call: place, member: "member").record(table, Self.members)
        var parameters: [ParameterDeclaration]?
        if let texts = checked["parameters"]?.array {
            var read: [ParameterDeclaration] = []
            for text in texts {
                read.append(try LuaTypeReader.parameter(text.string ?? "", of: "\(place): parameters"))
            }
            parameters = read
        }
        let takes = names.map { Array($0.dropFirst()) }
        try Self.checkOrder(parameters?.map(\.name) ?? [], takes ?? [], of: place)
        if let takes, let lost = parameters?.dropFirst(takes.count).first {
            throw UsageError(
                "\(place): parameters has \"\(lost.name)\", and the function takes "
                    + "\(takes.isEmpty ? "nothing" : takes.joined(separator: ", ")), so that its value would be lost; "
                    + "write function(me, \((takes + [lost.name]).joined(separator: ", ")))")
        }
        let sends = checked["sends"]?.string
        if let sends {
            // A text is found by its name, so the parameters must say where it stands: those of the function, if it has
            // any.
            let names = takes.flatMap { $0.isEmpty ? nil : $0 } ?? [sends]
            parameters =
                parameters
                ?? names.map { name in
                    let isText = name == sends
                    return ParameterDeclaration(name, isText ? .string : .json, optional: !isText, "")
                }
            guard let parameter = parameters?.first(where: { $0.name == sends }), parameter.type == .string else {
                throw UsageError(
                    "\(place): sends names a parameter of type string, and \"\(sends)\" is none"
                        + TextDistance.hint(
                            sends, among: (parameters ?? []).map(\.name).filter { $0 != sends }, otherwise: ""))
            }
        }
        let submits = checked["submits"]?.string
        if submits != nil { parameters = try Self.formParameters(declared: parameters, takes, of: place) }
        let rest = Rest(
            submits: submits.map { EventKind(rawValue: $0) }, summary: checked["about"]?.string ?? "",
            isFault: checked["fault"]?.bool ?? false)
        self.rest = rest.submits == nil && rest.summary.isEmpty && !rest.isFault ? nil : rest
        self.parameters = parameters
        self.takes = takes
        self.sends = sends
        let acknowledgement = checked["acknowledged_by"]?.string
        guard sends != nil || acknowledgement == nil else {
            throw UsageError(
                "\(place): only what sends a text is acknowledged; say which parameter it is with sends")
        }
        self.acknowledgement = acknowledgement.map { EventKind(rawValue: $0) }
    }

    /// Returns the parameters of a command that submits a form: the values, which are a table, and what it may take
    /// besides.
    private static func formParameters(
        declared: [ParameterDeclaration]?, _ takes: [String]?, of place: String
    ) throws(UsageError) -> [ParameterDeclaration] {
        let parameters =
            declared
            ?? (takes ?? ["values"]).enumerated().map { index, name in
                ParameterDeclaration(name, index == 0 ? .map(.json) : .json, optional: index > 0, "")
            }
        guard let first = parameters.first, [.json, .map(.json)].contains(first.type) else {
            throw UsageError(
                "\(place): what submits a form takes its values first, as a table; write function(me, values) … end")
        }
        return parameters
    }

    /// Refuses parameters that are declared in another order than their function takes them: each would get the value
    /// of another one.
    private static func checkOrder(_ declared: [String], _ taken: [String], of place: String) throws(UsageError) {
        for (index, name) in declared.enumerated() {
            guard let other = taken.firstIndex(of: name), other != index else { continue }
            throw UsageError(
                "\(place): parameters are \(declared.joined(separator: ", ")), and the function takes "
                    + "\(taken.joined(separator: ", ")); write them in one order, for \"\(name)\" would get the value of "
                    + "another one")
        }
    }
}
