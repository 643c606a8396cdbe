import JSON
import Machines

/// A chat that a visitor's client asks for, and what it is told.
struct ChatCreation: Sendable {
    /// The chat, which is kept if there is room for it.
    let chat: ChatRecord
    /// What the client is told if it is.
    let reply: JSONObject
    /// Whether the chat begins to wait at once.
    let waits: Bool

    /// Reads the parameters of `createChat`.
    ///
    /// - Throws: What the client is told that asked for a chat which there cannot be.
    init(
        _ parameters: JSONObject, _ account: Account, _ around: ChatRecord.Surroundings, random: inout RandomSource
    ) throws(Rejection) {
        let visitorID = parameters.text("VisitorID") ?? random.decimalDigits(19)
        guard visitorID.utf8.count <= 64, visitorID.isVisibleASCII else {
            throw Rejection(message: "Invalid VisitorID")
        }
        var presets = account.presets(parameters)
        guard account.hasDepartment(presets["department"]) else { throw Rejection(message: "Invalid DepartmentID") }
        // What the form says of the language is what the visitor is known to speak.
        let language = account.language(
            for: presets["language"] ?? parameters.text("Language") ?? LanguageList.fallback)
        if let chosen = presets["department"] {
            presets["department"] = account.department(for: chosen, language: language)
        }
        let visit = Account.Visit(
            visitorID: visitorID, departmentID: presets["department"], secured: parameters.text("Secured"))
        let obstacle = account.obstacle(for: visit, queueLength: around.queueLength, at: around.moment)
        let chat = ChatRecord(
            visitorID: visitorID, language: language,
            answers: FormAnswers(presets: presets, url: parameters.text("CustomUrl")), isPossible: obstacle == nil,
            created: around.moment.time, random: &random)
        self.chat = chat
        var reply: JSONObject = [
            "ChatID": .string(chat.id), "ChatKey": .string(chat.key), "VisitorID": .string(visitorID),
            "Language": .string(language),
        ]
        if parameters.truth("IncludeBrandingValues") { reply["Brandings"] = account.brandingMembers(for: language) }
        if parameters.truth("IncludeChatWindowSettings") {
            reply["ChatWindowSettings"] = .object(account.windowSettings)
        }
        if let obstacle {
            self.reply = reply.merging(account.unavailableMembers(obstacle, language: language))
            self.waits = false
        } else if !parameters.truth("SkipPreChat"), var form = account.form(.preChat, language: language) {
            form.preset(presets)
            self.reply = reply.merging(["PreChat": form.wire])
            self.waits = false
        } else {
            self.reply = reply.merging(chat.connectionMembers(account, around))
            self.waits = true
        }
    }

    /// Why there cannot be such a chat, as the client is told.
    struct Rejection: Error, Hashable, Sendable {
        let message: String
    }
}
