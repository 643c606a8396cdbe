internal import CLua
public import JSON
internal import LuaBridge

/// Returns what stands in JSON for a function or an object of the engine, or says why nothing can.
public typealias JSONEmbedding = (LuaValue) throws(HostError) -> JSONValue

/// Reads tables as JSON: sequences become arrays, tables with names objects, in the order of their names.
@safe struct JSONTableReader {
    /// The kind of faults about what JSON cannot hold; those of an embedding keep their own.
    static let faultKind = "json"

    /// The kind of faults about members that a table has by its metatable, which could well stand in JSON.
    static let inheritanceKind = "inheritance"

    private let stack: LuaStack
    private let limits: LuaLimits
    private let embed: JSONEmbedding?
    private let isSentByPeer: Bool
    private let inherited: InheritedMembers
    private(set) var valuesLeft: Int
    /// The tables that enclose the current value.
    private var enclosing: [UnsafeRawPointer?] = unsafe []

    private var thread: OpaquePointer { unsafe self.stack.thread }

    /// - Parameters:
    ///   - isSentByPeer: Whether an infinite number stands in JSON as `1e999`, which is read as one again, and bytes of
    ///     a string that are not UTF-8 as `�xFF`.
    ///   - inherited: What a table may have from its metatable; one with more is refused.
    init(stack: LuaStack, embed: JSONEmbedding?, isSentByPeer: Bool, inherited: InheritedMembers) {
        self.stack = stack
        self.limits = stack.state.limits
        self.embed = embed
        self.isSentByPeer = isSentByPeer
        self.inherited = inherited
        self.valuesLeft = self.limits.jsonValues
    }

    /// Why a value cannot stand in JSON, and the way to it, which is put together only where something is wrong.
    struct Failure: Error {
        let message: String
        var kind = JSONTableReader.faultKind
        var path: [String] = []

        /// The fault of the script.
        var fault: HostError {
            let place = self.path.isEmpty ? "" : " (at \(self.path.reversed().joined(separator: ".")))"
            return HostError("\(self.message)\(place)", kind: self.kind)
        }

        func below(_ name: String) -> Failure {
            Failure(message: self.message, kind: self.kind, path: self.path + [name])
        }
    }

    mutating func read(at index: Int32) throws(Failure) -> JSONValue {
        self.valuesLeft -= 1
        guard self.valuesLeft >= 0 else {
            throw Failure(message: "a table holds more than \(self.limits.jsonValues) values")
        }
        switch unsafe lua_type(self.thread, index) {
        case LUA_TNIL: return .null
        case LUA_TBOOLEAN: return .bool(unsafe lua_toboolean(self.thread, index) != 0)
        case LUA_TNUMBER:
            if unsafe lua_isinteger(self.thread, index) != 0 {
                return .integer(unsafe lua_tointegerx(self.thread, index, nil))
            }
            let number = unsafe lua_tonumberx(self.thread, index, nil)
            if self.isSentByPeer, number.isInfinite { return .numeral(number < 0 ? "-1e999" : "1e999") }
            guard number.isFinite else {
                throw Failure(
                    message:
                        "JSON cannot express \(number.isNaN ? "a number that is none (nan)" : "an infinite number")")
            }
            return .double(number)
        case LUA_TSTRING: return .string(try self.text(at: index))
        case LUA_TLIGHTUSERDATA: return .null
        case LUA_TTABLE: return try self.readTable(at: index)
        case LUA_TTHREAD: throw Failure(message: "a coroutine cannot stand in JSON")
        case let type:
            let value = self.stack.value(at: index, environment: self.stack.state.currentEnvironment)
            if case .handle(let object, _) = value, let source = object as? any LuaJSONSource { return source.json }
            if let embed = self.embed {
                do throws(HostError) { return try embed(value) } catch {
                    throw Failure(message: error.message, kind: error.kind)
                }
            }
            let what = type == LUA_TFUNCTION ? "a function" : "an object of the engine"
            throw Failure(message: "\(what) cannot stand in JSON")
        }
    }

    private func text(at index: Int32) throws(Failure) -> String {
        if let text = self.stack.text(at: index) { return text }
        guard self.isSentByPeer else {
            throw Failure(message: "a string is not valid UTF-8 and cannot stand in JSON")
        }
        return unsafe Self.escaped(self.stack.bytes(at: index))
    }

    /// Returns bytes as text, those that are not UTF-8 as `�xFF`.
    ///
    /// The character that stands for what is no text (U+FFFD) tells them from what a peer spells so: a text with a
    /// backslash, as `\xFF`, is one that some servers send.
    private static func escaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = unsafe bytes.makeIterator()
        var place = 0
        while true {
            switch unsafe parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
                place += encoded.count
            case .error(let length):
                for byte in unsafe Array(bytes[place..<(place + length)]) {
                    text += "\u{FFFD}x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
                }
                place += length
            case .emptyInput: return text
            }
        }
    }

    private mutating func readTable(at index: Int32) throws(Failure) -> JSONValue {
        let address = unsafe lua_topointer(self.thread, index)
        guard unsafe !self.enclosing.contains(address) else {
            throw Failure(message: "a table contains itself and cannot stand in JSON")
        }
        guard unsafe self.enclosing.count < self.limits.jsonDepth else {
            throw Failure(message: "tables nest more than \(self.limits.jsonDepth) levels deep")
        }
        guard unsafe lua_checkstack(self.thread, 8) != 0 else { throw Failure(message: "tables nest too deeply") }
        self.stack.completeDocument(at: index)
        guard self.inherited.accepts(at: index, of: self.stack) else {
            throw Failure(
                message: self.inherited.complaint(at: index, of: self.stack), kind: Self.inheritanceKind)
        }
        unsafe self.enclosing.append(address)
        defer { unsafe self.enclosing.removeLast() }
        let count = unsafe Int(lua_rawlen(self.thread, index))
        if count > 0 { return try self.readArray(at: index, count: count) }
        return try self.readObject(at: index)
    }

    private mutating func readArray(at index: Int32, count: Int) throws(Failure) -> JSONValue {
        var keyCount = 0
        unsafe lua_pushnil(self.thread)
        while unsafe repartee_lua_traverse(self.thread, index) != 0 {
            unsafe lua_settop(self.thread, -2)
            keyCount += 1
            guard unsafe lua_isinteger(self.thread, -1) != 0 else {
                throw Failure(message: "a table has both elements and names and cannot stand in JSON")
            }
        }
        guard keyCount == count, count <= self.valuesLeft else {
            throw Failure(
                message:
                    keyCount == count
                    ? "a table holds more than \(self.limits.jsonValues) values"
                    : "a table has elements with gaps between them and cannot stand in JSON")
        }
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        for position in 1...count {
            _ = unsafe lua_rawgeti(self.thread, index, lua_Integer(position))
            do throws(Failure) { elements.append(try self.read(at: unsafe lua_gettop(self.thread))) } catch {
                throw error.below(String(position))
            }
            unsafe lua_settop(self.thread, -2)
        }
        return .array(elements)
    }

    private mutating func readObject(at index: Int32) throws(Failure) -> JSONValue {
        var members: [JSONObject.Member] = []
        members.reserveCapacity(4)
        unsafe lua_pushnil(self.thread)
        while unsafe repartee_lua_traverse(self.thread, index) != 0 {
            let top = unsafe lua_gettop(self.thread)
            guard unsafe lua_type(self.thread, top - 1) == LUA_TSTRING else {
                let isNumber = unsafe lua_type(self.thread, top - 1) == LUA_TNUMBER
                throw Failure(
                    message:
                        isNumber
                        ? "a table has elements with gaps between them and cannot stand in JSON"
                        : "a table has a key that is neither a name nor a position and cannot stand in JSON")
            }
            let name = try self.text(at: top - 1)
            do throws(Failure) {
                Self.insert(JSONObject.Member(name: name, value: try self.read(at: top)), into: &members)
            } catch {
                throw error.below(name)
            }
            unsafe lua_settop(self.thread, -2)
        }
        if members.isEmpty, unsafe repartee_lua_is_marked_array(self.thread, index) != 0 { return .array([]) }
        if members.count > Self.fewMembers { members.sort { $0.name < $1.name } }
        return .object(JSONObject(uniqueMembers: members))
    }

    /// Up to this many members are put in order as they come, which is sooner than to sort them.
    private static let fewMembers = 8

    private static func insert(_ member: JSONObject.Member, into members: inout [JSONObject.Member]) {
        var place = members.count
        members.append(member)
        guard place < Self.fewMembers else { return }
        while place > 0, members[place].name < members[place - 1].name {
            members.swapAt(place, place - 1)
            place -= 1
        }
    }
}
