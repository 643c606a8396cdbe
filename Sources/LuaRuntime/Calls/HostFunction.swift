/// A function of the engine that scripts can call.
public struct HostFunction {
    /// What runs when a script calls the function.
    public typealias Body = (inout LuaCall) throws(HostError) -> HostVerdict

    /// The name under which the engine's own Lua finds the function.
    public let name: String

    /// The name for error messages, as a script writes it: `json.encode`, `visitor:say`.
    public let spelling: String

    /// How many of the first parameters the engine's own Lua adds to what a script writes.
    public let addedCount: Int

    /// The names of the parameters for error messages, without the receiver of a method.
    public let parameters: [String]

    /// Whether it mostly answers ``HostVerdict/suspends``: calls from where Lua cannot suspend are refused before
    /// ``body``. One that seldom does says no, and calls ``LuaCall/requireSuspendable()`` before it sets up the wait.
    public let suspends: Bool

    /// Whether it takes any number of arguments, or checks their number itself.
    public let isVariadic: Bool

    /// Whether a script cannot catch that it is refused (``HostError/isFinal``): what a function declares that is
    /// swallowed would be missing without a word.
    public let errorsAreFinal: Bool

    /// What runs.
    public let body: Body

    /// Creates a host function.
    ///
    /// - Parameters:
    ///   - name: The name under which the engine's own Lua finds the function.
    ///   - spelling: The name for error messages, as a script writes it, where that is another.
    ///   - addedCount: How many of the first parameters it adds to what a script writes.
    ///   - parameters: The names of the parameters, without the receiver of a method.
    ///   - suspends: Whether it suspends the coroutine, and is refused where that cannot be.
    ///   - isVariadic: Whether it takes any number of arguments, or checks their number itself; otherwise those without
    ///     a parameter are refused unless they are nil, for they would ask for nothing.
    ///   - errorsAreFinal: Whether a script cannot catch that it is refused.
    ///   - body: What runs; it must not resume coroutines, but it may call functions of the script.
    public init(
        _ name: String, calledAs spelling: String? = nil, adding addedCount: Int = 0, parameters: [String] = [],
        suspends: Bool = false, isVariadic: Bool = false, errorsAreFinal: Bool = false, body: @escaping Body
    ) {
        self.name = name
        self.spelling = spelling ?? name
        self.addedCount = addedCount
        self.parameters = parameters
        self.suspends = suspends
        self.isVariadic = isVariadic
        self.errorsAreFinal = errorsAreFinal
        self.body = body
    }

    /// Refuses arguments for which there are no parameters.
    ///
    /// - Throws: ``HostError`` that says which there are.
    func checkCount(_ call: borrowing LuaCall) throws(HostError) {
        guard !self.isVariadic else { return }
        for number in stride(from: self.parameters.count + 1, through: call.count, by: 1) where !call.isNil(number) {
            if let mistake = ColonMistake.find(in: call) { throw mistake }
            let names = self.parameters.dropFirst(self.addedCount)
            let most = names.isEmpty ? "no arguments" : "no more than \(names.joined(separator: ", "))"
            throw HostError.argument("\(call.name) takes \(most)")
        }
    }

    /// Returns how messages name an argument: by its place among what a script writes, and by its parameter.
    func label(ofArgument number: Int) -> String {
        let name = self.parameters.indices.contains(number - 1) ? " (\(self.parameters[number - 1]))" : ""
        return "argument \(max(1, number - self.addedCount))\(name)"
    }
}
