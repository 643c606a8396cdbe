import HTTPTypes
import JSON
import Machines

/// The users of the service, and whom of the others each of them has blocked.
///
/// | a user's state | input | → state | actions |
/// |---|---|---|---|
/// | unknown | `createAsked`, below the limit | known | answers the resource with its token |
/// | unknown | `createAsked` at the limit | unknown | answers 429 |
/// | unknown | `partyActed` | known | |
/// | known, blocking | `renameAsked` | unchanged | answers the resource, or 400 for an empty or too long name |
/// | known | `blockAsked` of another user | blocking | publishes on the user's channel, answers the block |
/// | known | `blockAsked` of itself or of nobody | known | answers 409 or 400 |
/// | blocking | `blockAsked` of the same user | blocking | answers 409 |
/// | blocking | `unblockAsked` by the id of the block or of the blocked | known | publishes, answers |
/// | any | `unblockAsked` otherwise | unchanged | answers 404 |
struct ProfilePart: Sendable {
    /// What happens to users.
    enum Input: Sendable {
        case createAsked
        /// A party of the server's side acts, for which it needs a profile.
        case partyActed(String)
        case renameAsked(String, by: String)
        case blockAsked(of: String?, by: ServerProfile)
        case unblockAsked(of: String?, by: ServerProfile)
    }

    /// At most this many users; defined here.
    private let limit: Int
    private var profiles: [String: ServerProfile] = [:]
    private var idsByToken: [String: String] = [:]
    private var idsByParty: [String: String] = [:]

    /// Creates a service without users.
    init(limit: Int = LiveLikeServer.recordLimit) { self.limit = limit }

    /// How many users there are.
    var count: Int { self.profiles.count }

    /// All users, by their names and then their ids.
    var all: [ServerProfile] { self.profiles.values.sorted { ($0.nickname, $0.id) < ($1.nickname, $1.id) } }

    /// The user with that id.
    subscript(id: String) -> ServerProfile? { self.profiles[id] }

    /// The user to whom a token belongs.
    func profile(withToken token: String) -> ServerProfile? { self.idsByToken[token].flatMap { self.profiles[$0] } }

    /// The user that a party plays; nil before it first acted.
    func profile(of party: String) -> ServerProfile? { self.idsByParty[party].flatMap { self.profiles[$0] } }

    /// Takes in what happened.
    mutating func handle(
        _ input: Input, _ moment: ServiceMoment, random: inout RandomSource
    ) -> [ServiceAction] {
        switch input {
        case .createAsked:
            guard self.profiles.count < self.limit else {
                return [.answer(.throttled)]
            }
            let profile = self.add(nickname: nil, isProducer: false, moment, &random)
            return [.answer(Self.own(profile, moment, status: .created))]
        case .partyActed(let party):
            guard self.idsByParty[party] == nil else { return [] }
            self.idsByParty[party] = self.add(nickname: party, isProducer: true, moment, &random).id
            return []
        case .renameAsked(let name, let id):
            guard var profile = self.profiles[id] else { return [.answer(.unauthorized)] }
            guard 1...20 ~= name.count else {
                return [.answer(.invalid("nickname", "Ensure this field has between 1 and 20 characters."))]
            }
            profile.nickname = name
            self.profiles[id] = profile
            return [.answer(Self.own(profile, moment))]
        case .blockAsked(let other, let profile): return self.block(other, by: profile, moment, &random)
        case .unblockAsked(let name, let profile): return self.unblock(name, by: profile)
        }
    }

    private static func own(
        _ profile: ServerProfile, _ moment: ServiceMoment, status: HTTPResponse.Status = .ok
    ) -> ServiceAnswer {
        ServiceAnswer(.object(profile.resource(base: moment.base, withToken: true)), status: status)
    }

    private mutating func add(
        nickname: String?, isProducer: Bool, _ moment: ServiceMoment, _ random: inout RandomSource
    ) -> ServerProfile {
        let adjectives = ["Wise", "Brave", "Calm", "Swift", "Merry", "Quiet"]
        let animals = ["Bee", "Otter", "Heron", "Fox", "Lynx", "Wren"]
        let made = "\(adjectives.randomElement(using: &random)!) \(animals.randomElement(using: &random)!)"
        let profile = ServerProfile(
            id: random.uuid(), token: "tok-" + random.hexadecimalDigits(32), nickname: nickname ?? made,
            createdAt: moment.timestamp, isProducer: isProducer)
        self.profiles[profile.id] = profile
        self.idsByToken[profile.token] = profile.id
        return profile
    }

    // MARK: Blocking

    private mutating func block(
        _ other: String?, by profile: ServerProfile, _ moment: ServiceMoment, _ random: inout RandomSource
    ) -> [ServiceAction] {
        guard let blocked = other.flatMap({ self.profiles[$0] }) else {
            return [.answer(.invalid("blocked_profile_id", "Must be a valid UUID."))]
        }
        guard blocked.id != profile.id else { return [.answer(.error(409, "A profile cannot block itself."))] }
        guard !profile.blocks.contains(where: { $0.profile == blocked.id }) else {
            return [.answer(.error(409, "The profile is blocked already."))]
        }
        let id = random.uuid()
        let block: JSONObject = [
            "id": .string(id), "url": .string("\(moment.base)/profiles/\(profile.id)/blocks/\(id)/"),
            "block_type": "block-everywhere", "created_at": .string(moment.timestamp),
            "blocked_profile": .object(blocked.resource(base: moment.base)),
            "blocked_profile_id": .string(blocked.id),
            "blocked_by_profile": .object(profile.resource(base: moment.base)),
            "blocked_by_profile_id": .string(profile.id),
        ]
        self.profiles[profile.id]?.blocks.append(ServerProfile.Block(profile: blocked.id, resource: block))
        return [
            .publish(Publication(.profileBlocked, block, on: ServerProfile.channel(of: profile.id))),
            .answer(.created(block)),
        ]
    }

    private mutating func unblock(_ name: String?, by profile: ServerProfile) -> [ServiceAction] {
        // By the id of the block, or of the blocked profile, which is what a client always knows.
        guard let name,
            let index = profile.blocks.firstIndex(where: { $0.profile == name || $0.resource["id"]?.string == name })
        else { return [.answer(.notFound)] }
        let block = profile.blocks[index].resource
        self.profiles[profile.id]?.blocks.remove(at: index)
        return [
            .publish(Publication(.profileUnblocked, block, on: ServerProfile.channel(of: profile.id))),
            .answer(.noContent),
        ]
    }
}
