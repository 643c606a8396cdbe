import HTTPTypes
import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Speech")
struct SpeechTests {
    @Test("speech is streamed, recognized in steps and sent, with the recognition's number")
    func recognition() throws {
        let rehearsal = try Rehearsal(
            server: ["speech": ["order a pizza"]], client: ["enable_speech_recognition": true])
        rehearsal.connect()
        rehearsal.forget()
        rehearsal.do("start_recording", ["sound": ["duration": 1, "amplitude": 0.5]])
        rehearsal.run(.milliseconds(500))
        #expect(rehearsal.do("is_recording") == .done(true))
        rehearsal.run(.seconds(3))
        #expect(
            rehearsal.opened[0].1.path?.hasPrefix("/voice/stream/recognize/en-us/generic?encodeURI=audio%2Fraw") == true
        )
        #expect(rehearsal.all(.speechLevel).count == 10)
        #expect(rehearsal.all(.speechLevel).allSatisfy { $0.fields["verdict"] == "good" })
        #expect(rehearsal.all(.speechPartial).map { $0.fields["text"] } == ["order", "order a"])
        #expect(rehearsal.last(.speechFinal)?.fields["text"] == "order a pizza")
        #expect(rehearsal.last(.recordingStarted)?.fields["prompt"] == "Listening...")
        let message = try #require(rehearsal.sent.last)
        #expect(message["messagePayload"]?["text"] == "order a pizza")
        #expect(message["sdkMetadata"]?["speechId"] == "speech-1")
        #expect(rehearsal.do("is_recording") == .done(false))
    }

    @Test(
        "without auto-send the words stand in the input field, under each spelling of the flag",
        arguments: [
            "enable_auto_send_speech_response", "enable_speech_auto_send", "enable_speech_recognition_auto_send",
            "enable_speech_auto_send_speech_response",
        ])
    func noAutoSend(_ flag: String) throws {
        let rehearsal = try Rehearsal(
            server: ["speech": ["order a pizza"]], client: ["enable_speech_recognition": true, flag: false])
        rehearsal.connect()
        rehearsal.do("start_recording", ["sound": [:]])
        rehearsal.run(.seconds(3))
        #expect(rehearsal.client.properties["input"] == "order a pizza")
        #expect(rehearsal.all(.messageSent).isEmpty)
    }

    @Test("an authenticated client says its token first")
    func token() throws {
        let rehearsal = try Rehearsal(
            server: ["authentication": true, "secret": "s", "speech": ["hi"]],
            client: ["enable_speech": true, "token_fixture": ["secret": "s", "user_id": "ada"]])
        rehearsal.connect()
        rehearsal.forget()
        rehearsal.do("start_recording", ["sound": [:]])
        rehearsal.run(.seconds(3))
        #expect(rehearsal.sent.first?.string?.hasPrefix("Bearer ") == true)
        #expect(rehearsal.last(.speechFinal)?.fields["text"] == "hi")
    }

    @Test("what goes wrong has the vendor's code and words")
    func failures() throws {
        let rehearsal = try Rehearsal(
            server: ["speech": ["", ["error": "RecognitionTooMuchSpeechTimeout"]]],
            client: ["enable_speech_recognition": true])
        rehearsal.do("start_recording", ["sound": [:]])
        #expect(rehearsal.last(.error)?.fields["code"] == "RecognitionNotReady")
        rehearsal.connect()
        rehearsal.do("start_recording", ["sound": [:]])
        rehearsal.do("start_recording", ["sound": [:]])
        #expect(rehearsal.last(.error)?.fields["code"] == "RecognitionMultipleConnection")
        rehearsal.run(.seconds(3))
        #expect(rehearsal.last(.error)?.fields["message"] == "Could not detect the voice, no message sent.")
        rehearsal.do("start_recording", ["sound": [:]])
        rehearsal.run(.seconds(3))
        #expect(rehearsal.last(.error)?.fields["message"]?.string?.hasPrefix("Too much voice input") == true)
        rehearsal.do("set_speech_locale", ["locale": "xx-xx"])
        rehearsal.do("start_recording", ["sound": [:]])
        #expect(rehearsal.last(.error)?.fields["message"]?.string?.hasPrefix("The set speech locale") == true)
        rehearsal.do("set_speech_locale", ["locale": "fr-fr"])
        rehearsal.do("start_recording", ["sound": ["permission": false]])
        #expect(rehearsal.last(.error)?.fields["message"] == "Permission_Denied")
    }

    @Test("a recording can be stopped early and dies with the connection")
    func stop() throws {
        let rehearsal = try Rehearsal(server: ["speech": ["hi"]], client: ["enable_speech_recognition": true])
        rehearsal.connect()
        rehearsal.do("start_recording", ["sound": ["duration": 60]])
        rehearsal.run(.seconds(1))
        rehearsal.do("stop_recording")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.speechFinal)?.fields["text"] == "hi")
        rehearsal.do("start_recording", ["sound": ["duration": 60]])
        rehearsal.run(.seconds(1))
        rehearsal.do("disconnect")
        rehearsal.run(.seconds(1))
        #expect(rehearsal.do("is_recording") == .done(false))
    }

    @Test(
        "levels tell whether the user speaks too softly or too loudly",
        arguments: [
            (0.0, "too_soft"), (0.3, "good"), (1.0, "too_loud"),
        ])
    func levels(_ amplitude: Double, _ verdict: String) throws {
        let rehearsal = try Rehearsal(client: ["enable_speech_recognition": true])
        rehearsal.connect()
        rehearsal.do("start_recording", ["sound": ["amplitude": .double(amplitude)]])
        rehearsal.run(.seconds(3))
        #expect(rehearsal.all(.speechLevel).first?.fields["verdict"] == .string(verdict))
    }

    static func wav(_ samples: [Int16], channels: Int = 1) -> [UInt8] {
        func bytes(_ value: Int, _ width: Int) -> [UInt8] { (0..<width).map { UInt8(value >> (8 * $0) & 255) } }
        let data = samples.flatMap { bytes(Int(UInt16(bitPattern: $0)), 2) }
        return Array("RIFF".utf8) + bytes(36 + data.count, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4) + bytes(1, 2)
            + bytes(channels, 2) + bytes(16_000, 4) + bytes(32_000, 4) + bytes(2 * channels, 2) + bytes(16, 2)
            + Array("data".utf8) + bytes(data.count, 4) + data
    }

    @Test("WAV files are read, of stereo the first channel, and broken ones never trap")
    func wavFiles() throws {
        #expect(Recording(wav: Self.wav([1, -2, 3]))?.samples == [1, -2, 3])
        #expect(Recording(wav: Self.wav([1, 9, 2, 9], channels: 2))?.samples == [1, 2])
        let whole = Self.wav([1, -2, 3])
        for end in 0..<44 { #expect(Recording(wav: Array(whole[..<end])) == nil) }
        var random = RandomSource(seed: 9)
        for _ in 0..<2000 {
            var broken = whole
            for _ in 0..<3 {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = Recording(wav: broken)
        }
        #expect(Recording(tone: 440, seconds: .infinity, amplitude: 2).samples.count == Recording.limit)
        #expect(Recording(tone: .nan, seconds: .nan, amplitude: .nan).samples.isEmpty)
        #expect(Recording(tone: .infinity, seconds: 0.01, amplitude: .nan).samples.allSatisfy { $0 == 0 })
    }

    @Test("messages are read aloud by the preferred voice once unmuted")
    func synthesis() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true],
            client: [
                "enable_speech_synthesis": true,
                "speech_synthesis_voice_preferences": [["lang": "en-us", "name": "Ben"]],
            ])
        rehearsal.connect()
        rehearsal.do("say", ["text": "one"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.all(.speechSpoken).isEmpty, "muted at first")
        rehearsal.do("mute", ["muted": false])
        rehearsal.do("say", ["text": "two"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.speechSpoken)?.fields["text"] == "two")
        #expect(rehearsal.last(.speechSpoken)?.fields["voice"] == "Ben")
        rehearsal.do("speak", ["text": "What kind of crust?"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.requests.last?.head.path?.hasPrefix("/tts/speak?text=What%20kind") == true)
    }

    @Test("voices that cannot be had are an error, and asked for again with the next text")
    func voicesLost() throws {
        let rehearsal = try Rehearsal(
            client: [
                "enable_speech_synthesis": true,
                "speech_synthesis_voice_preferences": [["lang": "en-us", "name": "Ben"]],
            ])
        rehearsal.connect()
        rehearsal.serve("fault", ["name": "drop_requests"])
        rehearsal.do("speak", ["text": "one"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.last(.error)?.fields["code"] == "TtsNotAvailable")
        #expect(rehearsal.all(.speechSpoken).isEmpty)
        rehearsal.serve("fault", ["name": "drop_requests", "value": false])
        rehearsal.do("speak", ["text": "two"])
        rehearsal.run(.seconds(1))
        #expect(rehearsal.all(.speechSpoken).map { $0.fields["text"] } == ["two"])
        #expect(rehearsal.last(.speechSpoken)?.fields["voice"] == "Ben")
    }

    @Test(
        "a missing voice falls back to the language's, and a missing language to the default",
        arguments: [
            (("en-us", "Ben"), "Ben"), (("fr-fr", "Nobody"), "Claire"), (("xx", "Nobody"), "Anna"),
        ] as [((String, String), String)])
    func fallback(_ preference: (String, String), _ voice: String) throws {
        let body = JSONWriter.write(["voices": .array(SpeechSynthesis.voices)])
        let voices = try #require(SpeechVoice.list(in: body))
        let chosen = SpeechVoice.choose(
            voices, preferences: [SpeechVoice.Preference(language: preference.0, name: preference.1)])
        #expect(chosen?.name == voice)
    }

    @Test("a service of the script reads in place of the client")
    func service() throws {
        let rehearsal = try Rehearsal(
            server: ["echo": true],
            client: [
                "enable_speech_synthesis": true, "init_speech_synthesis_muted": false,
                "tts_service": ["speak": 1, "stop_speech": 2],
            ])
        var spoken: [JSONValue] = []
        rehearsal.functions[1] = { arguments in
            spoken += arguments
            return .success(.null)
        }
        rehearsal.functions[2] = { _ in
            spoken.append("stopped")
            return .success(.null)
        }
        rehearsal.connect()
        rehearsal.do("say", ["text": "hi"])
        rehearsal.run(.seconds(1))
        rehearsal.do("stop_speech")
        #expect(spoken == ["hi", "stopped"])
        #expect(rehearsal.requests.isEmpty)
    }
}
