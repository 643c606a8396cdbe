import Digests
internal import EmbeddedFiles
import JSON

/// What a model is asked.
enum ModelQuestion: Hashable, Sendable {
    /// Whether a text meets a criterion.
    case judged(criterion: String, text: String)
    /// How near two texts are in meaning.
    case means(wanted: String, text: String)
    /// What somebody says next, after what was said so far.
    case turn(Persona, after: [Persona.Exchange])

    /// What a model is told before the question.
    struct Prompt: Sendable {
        let text: String

        /// Tells the prompt from every other one.
        let version: String

        init(_ text: String) {
            self.text = text
            self.version = String(ModelQuestion.hex(Digest.sha256(Array(text.utf8))).prefix(12))
        }

        /// That of a judge.
        static let judge = Prompt(String(cString: embedded_judge_prompt()))

        /// That of a persona.
        static let persona = Prompt(String(cString: embedded_persona_prompt()))
    }

    /// Returns everything on which the answer depends, in the order in which a cassette has it.
    func members(for endpoint: ModelEndpoint) -> JSONObject {
        switch self {
        case .judged(let criterion, let text):
            [
                "kind": "judged", "url": .string(endpoint.url), "model": .string(endpoint.model),
                "prompt": .string(Prompt.judge.version), "votes": .integer(Int64(endpoint.votes)),
                "criterion": .string(criterion), "text": .string(text),
            ]
        case .means(let wanted, let text):
            [
                "kind": "means", "url": .string(endpoint.url), "model": .string(endpoint.model),
                "wanted": .string(wanted), "text": .string(text),
            ]
        case .turn(let persona, let exchanges):
            [
                "kind": "turn", "url": .string(endpoint.url), "model": .string(endpoint.model),
                "prompt": .string(Prompt.persona.version), "seed": .integer(persona.seed),
                "goal": .string(persona.goal), "facts": .object(persona.facts), "style": .string(persona.style),
                "conversation": .array(exchanges.map(\.json)),
            ]
        }
    }

    /// The members on which an answer depends, whatever the kind, in their order.
    static let memberNames = [
        "kind", "url", "model", "prompt", "votes", "criterion", "wanted", "text", "seed", "goal", "facts", "style",
        "conversation",
    ]

    /// Those that say who is asked, and how; the others say what.
    static let addressNames = ["url", "model", "prompt", "votes", "seed"]

    /// Returns the digest of members: those of a question are what a cassette finds its answer by.
    static func key(of members: JSONObject) -> String {
        Self.hex(Digest.sha256(JSONWriter.write(.object(members))))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
