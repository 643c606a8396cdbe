import HTTPTypes
import JSON
import Machines

/// What the simulated server says aloud.
enum SpeechSynthesis {
    /// The voices that read aloud unless a script names others.
    static let voices: [JSONValue] = [
        ["name": "Anna", "culture": "en-us", "default": true], ["name": "Ben", "culture": "en-us", "default": false],
        ["name": "Claire", "culture": "fr-fr", "default": true], ["name": "Dora", "culture": "de-de", "default": true],
    ]

    /// The answer to a request for the voices that there are.
    static func voices(_ voices: [JSONValue]?) -> Response {
        Response(json: ["voices": .array(voices ?? Self.voices)])
    }

    /// The answer to a request for sound. It is of no meaning; there is as much of it as there is text.
    static func sound(of text: String) -> Response {
        let count = min(text.utf8.count * 100, 1_000_000)
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "audio/mpeg"])
        return Response(head, body: Array(repeating: 0, count: count))
    }
}
