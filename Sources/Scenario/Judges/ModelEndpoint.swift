import JSON
import Machines
import Transport

/// A model that scenarios may ask, as `repartee.lua` declares it.
struct ModelEndpoint: Hashable, Sendable {
    /// How much may be asked of it in one run.
    struct Budget: Hashable, Sendable {
        /// How many requests may be sent; nil for any number.
        let calls: Int?

        /// How many tokens its answers may say that they took, before the last question; nil for any number.
        let tokens: Int?

        /// What they may cost by its prices, before the last question; nil for any amount.
        let cost: Double?
    }

    /// As messages name it: `judges.NAME`, `personas.NAME` or `embeddings`.
    let place: String

    /// The URL to which requests are posted.
    let url: String

    let address: TargetAddress
    let model: String

    /// How often it is asked the same; the majority decides.
    let votes: Int

    let budget: Budget

    /// What it costs, if that is declared.
    let prices: ModelPrices?

    /// How long an answer may take, in wall-clock time.
    let timeLimit: Duration

    /// The header that says who asks, if there is one.
    let authorization: String?

    /// What must not be seen.
    let secrets: [String]

    /// That the environment does not have the variable of the token, in words; nil if it has.
    ///
    /// It is a mistake only where the model is asked: a cassette answers without a token.
    let missingVariable: String?

    /// Defined here: how long an answer of a model may take unless the project says otherwise.
    private static let standardLimit = Duration.seconds(60)

    /// Defined here: more votes than this tell nothing more about a verdict.
    private static let mostVotes: Int64 = 25

    /// The members of an endpoint for personas or embeddings.
    static let parameters = [
        ParameterDeclaration("url", .string, "Where requests are posted, such as `https://host/v1/chat/completions`."),
        ParameterDeclaration("model", .string, "The model that is asked."),
        ParameterDeclaration(
            "token", .string, optional: true, isSecret: true,
            "A bearer token, or the name of a variable of the environment: `$NAME`."),
        ParameterDeclaration(
            "timeout", .duration, optional: true, atLeast: .milliseconds(1),
            "How long an answer may take in wall-clock time; 60s unless given."),
        ParameterDeclaration(
            "at_most",
            .record([
                ParameterDeclaration("calls", .integer, optional: true, "How many requests a run may send."),
                ParameterDeclaration("tokens", .integer, optional: true, "How many tokens they may take."),
                ParameterDeclaration("cost", .number, optional: true, "What they may cost by `prices`."),
            ]), optional: true, "How much a run may ask of it; any amount unless given."),
        ParameterDeclaration(
            "prices", .record(ModelPrices.parameters), optional: true,
            "What a million tokens cost, in a currency of your own."),
    ]

    /// The members of a judge.
    static let judgeParameters =
        parameters + [
            ParameterDeclaration(
                "votes", .integer, optional: true,
                "How often it is asked the same, an odd number; the majority decides. 1 unless given.")
        ]

    /// Reads the members of an endpoint, checked already.
    ///
    /// - Parameter variables: The environment, where `token = "$NAME"` is looked up.
    /// - Throws: ``UsageError`` that names the place and the member.
    init(_ members: JSONObject, place: String, variables: [String: String]) throws(UsageError) {
        self.place = place
        self.url = members["url"]?.string ?? ""
        self.model = members["model"]?.string ?? ""
        self.timeLimit =
            members["timeout"]?.double.flatMap { Duration(scriptSeconds: $0) } ?? Self.standardLimit
        guard !self.model.isEmpty else { throw UsageError("\(place): model is the name of a model, and not empty") }
        let votes = members["votes"]?.integer ?? 1
        guard 1...Self.mostVotes ~= votes, votes % 2 == 1 else {
            throw UsageError(
                "\(place): votes is an odd number from 1 to \(Self.mostVotes), so that there is a majority; not \(votes)"
            )
        }
        self.votes = Int(votes)
        func amount(_ name: String) throws(UsageError) -> Int? {
            guard let value = members["at_most"]?[name]?.integer else { return nil }
            guard value > 0 else { throw UsageError("\(place): at_most.\(name) is a number above 0, not \(value)") }
            return Int(clamping: value)
        }
        self.prices = try members["prices"]?.object.map { (prices) throws(UsageError) in
            try ModelPrices(prices, of: "\(place).prices")
        }
        let cost = members["at_most"]?["cost"]?.double
        if let cost {
            guard cost > 0 else {
                throw UsageError("\(place): at_most.cost is a number above 0, not \(JSONValue.double(cost))")
            }
            guard self.prices != nil else {
                throw UsageError(
                    "\(place): at_most.cost needs prices = { input = …, output = … }, what a million tokens cost")
            }
        }
        self.budget = Budget(calls: try amount("calls"), tokens: try amount("tokens"), cost: cost)
        do throws(ConfigurationError) {
            self.address = try TargetAddress(origin: self.url)
            guard !self.address.authority.contains("@"), !self.url.contains("?") else {
                throw ConfigurationError("the cassette names the url, so it has no user, password or query; use token")
            }
            var options = JSONObject()
            if let token = members["token"]?.string {
                if let secret = EnvironmentSecret.value(of: token, variables) {
                    options["token"] = .string(secret)
                    self.secrets = [secret]
                    self.missingVariable = nil
                } else {
                    self.secrets = []
                    self.missingVariable = EnvironmentSecret.absence(of: token, in: "token")
                }
            } else {
                self.secrets = []
                self.missingVariable = nil
            }
            self.authorization = try RequestAuthorization.header(options)
        } catch {
            throw UsageError("\(place): \(error.message)")
        }
    }
}
