import Digests
internal import EmbeddedFiles
import JSON

/// What a model is asked about a text.
enum ModelQuestion: Hashable, Sendable {
    /// Whether a text meets a criterion.
    case judged(criterion: String, text: String)
    /// How near two texts are in meaning.
    case means(wanted: String, text: String)

    /// What a judge is told.
    static let prompt = String(cString: embedded_judge_prompt())

    /// Tells the prompt from every other one.
    static let promptVersion = String(Self.hex(Digest.sha256(Array(Self.prompt.utf8))).prefix(12))

    /// Returns everything on which the answer depends, in the order in which a cassette has it.
    func members(for endpoint: ModelEndpoint) -> JSONObject {
        switch self {
        case .judged(let criterion, let text):
            [
                "kind": "judged", "url": .string(endpoint.url), "model": .string(endpoint.model),
                "prompt": .string(Self.promptVersion), "votes": .integer(Int64(endpoint.votes)),
                "criterion": .string(criterion), "text": .string(text),
            ]
        case .means(let wanted, let text):
            [
                "kind": "means", "url": .string(endpoint.url), "model": .string(endpoint.model),
                "wanted": .string(wanted), "text": .string(text),
            ]
        }
    }

    /// The members on which an answer depends, whatever the kind.
    static let memberNames = ["kind", "url", "model", "prompt", "votes", "criterion", "wanted", "text"]

    /// Returns the digest of members by which a cassette finds an answer.
    static func key(of members: JSONObject) -> String {
        Self.hex(Digest.sha256(JSONWriter.write(.object(members))))
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

/// What a model answered.
enum ModelAnswer: Hashable, Sendable {
    /// One vote of a judge.
    struct Vote: Hashable, Sendable {
        let verdict: Bool
        let reason: String
    }

    case judged([Vote])
    /// The cosine of the angle between the embeddings of two texts, from -1 to 1.
    case similarity(Double)
}

/// Why there is no answer of a model: nothing is known about the text then.
struct ModelFailure: Error, Hashable, Sendable {
    let message: String

    init(_ message: String) { self.message = message }
}
