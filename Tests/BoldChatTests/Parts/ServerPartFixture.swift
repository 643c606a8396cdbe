import JSON
import Machines

@testable import BoldChat

/// The parts of a simulated account with one chat, for walks through one of them.
struct ServerPartFixture {
    var account: Account
    private(set) var chats = ChatRegistry()
    private(set) var desk: DeskPart
    private(set) var stream: EventStreamPart
    private(set) var uploads: UploadPart
    /// The key of the chat.
    let key: String
    /// The chat as it began.
    private let begun: ChatRecord
    /// The number of the last connection or exchange.
    var number: UInt64 = 0
    private let origin: WebAddress
    private var random = RandomSource(seed: 1)

    private struct NoAddress: Error {}

    /// Creates an account with a chat whose visitor fills in the form.
    init(_ options: JSONObject = [:], agents: [String] = []) throws {
        self.account = try Account(options)
        guard let origin = WebAddress(webSocket: "http://desk.test") else { throw NoAddress() }
        self.origin = origin
        self.desk = DeskPart(ahead: self.account.queue.ahead, agents: agents)
        self.stream = EventStreamPart(self.account.times)
        self.uploads = UploadPart(origin: origin, account: self.account.key)
        let chat = Self.chat(&self.random)
        self.key = chat.key
        self.begun = chat
        _ = self.chats.keep(chat)
        self.feedStream(.chatBegan(chat.key))
    }

    private static func chat(_ random: inout RandomSource) -> ChatRecord {
        ChatRecord(
            visitorID: "v", language: "en-US", answers: FormAnswers(presets: [:], url: nil), isPossible: true,
            created: "", random: &random)
    }

    /// Adds another chat, and returns its key.
    mutating func addChat() -> String {
        let chat = Self.chat(&self.random)
        _ = self.chats.keep(chat)
        return chat.key
    }

    /// The chat.
    var chat: ChatRecord { self.chats[self.key] ?? self.begun }

    private var around: ChatRecord.Surroundings {
        ChatRecord.Surroundings(
            moment: ServerMoment(milliseconds: 0), queueLength: self.desk.queueLength, origin: self.origin)
    }

    mutating func tell(_ input: ChatRecord.Input) {
        let moment = self.around.moment
        self.chats[self.key]?.handle(input, at: moment)
    }

    /// Lets the visitor's client call a method.
    mutating func call(_ method: RESTMethod, _ parameters: JSONObject) {
        let around = self.around
        _ = self.chats[self.key]?.called(method, parameters, self.account, around)
    }

    mutating func assist(_ input: AssistPart.Input) {
        let chat = self.chat.assistChat
        let moment = ServerMoment(milliseconds: 0)
        _ = self.chats[self.key]?.assist.handle(input, in: chat, at: moment, random: &self.random)
    }

    @discardableResult
    mutating func feedDesk(_ input: DeskPart.Input) -> [ServerAction] {
        let around = self.around
        return self.desk.handle(input, &self.chats, self.account, around)
    }

    @discardableResult
    mutating func feedStream(_ input: EventStreamPart.Input) -> [ServerAction] { self.stream.handle(input, self.chats) }

    mutating func upload(
        _ path: String, _ request: Request, settings: JSONObject = ["EnableFileTransfer": true]
    ) {
        let input = UploadPart.Input.requested(ExchangeID(1), path: path, request, nil)
        _ = self.uploads.handle(input, self.chats, settings: settings, random: &self.random)
    }

    mutating func forget(_ key: String) {
        _ = self.uploads.handle(.chatForgotten(key), self.chats, settings: [:], random: &self.random)
    }
}
