import JSON
import Machines

/// What goes over the wire: the chat completions and the embeddings of the OpenAI API, which other servers speak, too
/// (https://platform.openai.com/docs/api-reference).
extension ModelQuestion {
    /// What the answer of a judge must look like.
    private static let verdictSchema = Self.schema(
        "verdict", [("verdict", ["type": "boolean"]), ("reason", ["type": "string"])])

    /// What a turn of a persona must look like.
    private static let turnSchema = Self.schema(
        "turn",
        [
            ("status", ["type": "string", "enum": .array(Persona.Status.allCases.map { .string($0.rawValue) })]),
            ("say", ["type": "string"]), ("reason", ["type": "string"]),
        ])

    /// Returns what asks for an object with these members and no others.
    private static func schema(_ name: String, _ members: [(String, JSONValue)]) -> JSONValue {
        [
            "type": "json_schema",
            "json_schema": [
                "name": .string(name), "strict": true,
                "schema": [
                    "type": "object", "properties": .object(JSONObject(members)),
                    "required": .array(members.map { .string($0.0) }), "additionalProperties": false,
                ],
            ],
        ]
    }

    /// Returns the messages of a chat in which a model is told what it does, and asked about data beside that.
    private static func messages(_ prompt: Prompt, about data: JSONValue) -> JSONValue {
        [
            ["role": "system", "content": .string(prompt.text)],
            ["role": "user", "content": .string(data.description)],
        ]
    }

    /// Returns the body of a request.
    ///
    /// - Parameter number: Which of several votes it asks for: the seed, so that they do not all come out the same.
    func request(to model: String, number: Int) -> JSONObject {
        switch self {
        case .judged(let criterion, let text):
            return [
                "model": .string(model), "seed": .integer(Int64(number)),
                "messages": Self.messages(
                    .judge, about: ["criterion": .string(criterion), "text": .string(text)]),
                "response_format": Self.verdictSchema,
            ]
        case .turn(let persona, let exchanges):
            return [
                "model": .string(model), "seed": .integer(persona.seed),
                "messages": Self.messages(
                    .persona,
                    about: [
                        "goal": .string(persona.goal), "facts": .object(persona.facts),
                        "style": .string(persona.style), "conversation": .array(exchanges.map(\.json)),
                    ]),
                "response_format": Self.turnSchema,
            ]
        case .means(let wanted, let text):
            return [
                "model": .string(model), "input": [.string(wanted), .string(text)], "encoding_format": "float",
            ]
        }
    }

    /// Reads the answer in the body of a response.
    ///
    /// - Throws: ``ModelFailure`` that says what is wrong with it; what is not understood is no verdict.
    func answer(in body: JSONObject) throws(ModelFailure) -> ModelAnswer {
        if let error = body["error"] {
            // Some gateways always have the member, with nothing in it.
            let told = error["message"]?.string ?? error.string ?? ""
            if !told.isEmpty || error.object?.isEmpty == false {
                throw ModelFailure(
                    "its answer has an error: " + Self.shortened(told.isEmpty ? error.description : told))
            }
        }
        switch self {
        case .judged:
            let text = try Self.content(of: body)
            // Two verdicts in one object are none, whichever comes last.
            guard let object = (try? JSONReader.readUnambiguous(text.utf8))?.object, object.count == 2,
                let verdict = object["verdict"]?.bool, let reason = object["reason"]?.string
            else {
                throw ModelFailure(
                    "the judge answers no JSON object with just verdict and reason: " + Self.shortened(text))
            }
            return .judged([ModelAnswer.Vote(verdict: verdict, reason: reason)])
        case .turn:
            let text = try Self.content(of: body)
            guard let turn = (try? JSONReader.readUnambiguous(text.utf8))?.object.flatMap(Persona.Turn.init) else {
                throw ModelFailure(
                    "the persona answers no JSON object with just status (going_on, reached or gave_up), say (not empty "
                        + "if it is going on) and reason: " + Self.shortened(text))
            }
            return .turn(turn)
        case .means:
            let vectors = (body["data"]?.array ?? []).map { item in
                (item["index"]?.integer, item["embedding"]?.array?.compactMap(\.double) ?? [])
            }
            guard vectors.count == 2, let first = vectors.first(where: { $0.0 == 0 })?.1,
                let second = vectors.first(where: { $0.0 == 1 })?.1, !first.isEmpty, first.count == second.count,
                let similarity = CosineSimilarity.of(first, second)
            else { throw ModelFailure("its answer has not two embeddings of one length, data[0] and data[1]") }
            return .similarity(similarity)
        }
    }

    /// Why an answer has ended that is not what the model had to say; further reasons that endpoints have of their own
    /// are none of these.
    private static let incompleteEnds: Set<String> = ["length", "content_filter", "tool_calls", "function_call"]

    /// Returns what a model says in a chat.
    ///
    /// - Throws: ``ModelFailure`` if it does not say it of its own accord and to the end, whatever has come of it.
    private static func content(of body: JSONObject) throws(ModelFailure) -> String {
        let choices = body["choices"]?.array ?? []
        guard choices.count <= 1 else {
            throw ModelFailure("its answer has \(choices.count) choices, where one was asked for")
        }
        let message = choices.first?["message"]
        if let refusal = message?["refusal"]?.string, !refusal.isEmpty {
            throw ModelFailure("it refuses to answer: " + Self.shortened(refusal))
        }
        if let end = choices.first?["finish_reason"]?.string, Self.incompleteEnds.contains(end) {
            throw ModelFailure(
                "its answer ended for another reason than that it is complete: finish_reason is \"\(end)\"")
        }
        guard message?["tool_calls"]?.array?.isEmpty ?? true, message?["function_call"]?.object == nil else {
            throw ModelFailure("it calls tools, though it was given none")
        }
        guard let text = message?["content"]?.string else {
            throw ModelFailure("its answer has no choices[0].message.content")
        }
        return text
    }

    private static func shortened(_ text: String) -> String {
        JSONValue.string(text).description.shortened(to: 200)
    }
}
