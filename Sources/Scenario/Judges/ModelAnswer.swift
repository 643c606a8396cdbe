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
    /// What a persona does next.
    case turn(Persona.Turn)
}
