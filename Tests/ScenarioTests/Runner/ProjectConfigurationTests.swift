import JSON
import Machines
import PlainWebSocket
import Testing
import Transport

@testable import Scenario

@Suite("The project's configuration")
struct ProjectConfigurationTests {
    private static func read(
        _ source: String, folder: String = ".", _ variables: [String: String] = [:]
    ) throws(ScriptProblem) -> ProjectConfiguration {
        try ProjectConfiguration(source: source, name: "repartee.lua", folder: folder, variables: variables)
    }

    private static func problem(_ source: String, _ variables: [String: String] = [:]) -> String? {
        do throws(ScriptProblem) {
            _ = try Self.read(source, variables)
            return nil
        } catch { return error.message }
    }

    private static func target(_ members: String, _ variables: [String: String] = [:]) throws
        -> ProjectConfiguration.Target
    {
        let source = "return { targets = { lab = { url = \"https://lab.test\", \(members) } } }"
        return try #require(try Self.read(source, variables).targets["lab"])
    }

    private static func targetProblem(_ members: String, _ variables: [String: String] = [:]) -> String? {
        Self.problem("return { targets = { lab = { url = \"https://lab.test\", \(members) } } }", variables)
    }

    @Test("settings of a target have values that the options of a client take, and durations become seconds")
    func settings() throws {
        func checked(_ settings: String) throws -> JSONObject {
            var read = try Self.read(
                "return { targets = { lab = { url = \"wss://a.test\", settings = \(settings) } } }")
            try read.checkSettings(in: "repartee.lua", of: [PlainWebSocketSystem.system])
            return try #require(read.targets["lab"]).members
        }
        #expect(try checked("{ timeout = \"200ms\" }")["timeout"] == .double(0.2))
        for (settings, message) in [
            ("{ timeout = true }", "repartee.lua: targets.lab.settings: timeout is a duration"),
            ("{ headers = \"X\" }", "repartee.lua: targets.lab.settings: headers is a table, not \"X\""),
            ("{ tiemout = 1 }", "no client has an option \"tiemout\"; did you mean \"timeout\"?"),
            ("\"timeout\"", "settings is a table, not \"timeout\""),
            ("{ \"timeout\" }", "settings is a table"),
        ] {
            let problem = #expect(throws: ScriptProblem.self) { _ = try checked(settings) }
            #expect(problem?.message.contains(message) == true, "\(settings): \(problem?.message ?? "")")
        }
        #expect(Self.problem("return { limits = { record = 0 } }")?.contains("record is a whole number from 1") == true)
    }

    @Test("an empty table leaves everything as it is without a file")
    func empty() throws {
        let read = try Self.read("return {}")
        let plain = ProjectConfiguration()
        #expect(read.targets.isEmpty && read.runLimit == nil && read.variables == [] && read.hiddenFiles == [])
        #expect(read.expectationLimit == plain.expectationLimit && plain.expectationLimit == .seconds(10))
        #expect(read.scenarioLimit == plain.scenarioLimit && plain.scenarioLimit == .seconds(300))
        #expect(read.hookLimit == plain.hookLimit && plain.hookLimit == .seconds(30))
        #expect(read.heldMemoryLimit == 256 << 20 && read.recordLimit == 1024 << 20)
    }

    @Test(
        "what returns no table is refused with how the file ends",
        arguments: ["", "return 1", "return nil", "return \"{}\"", "return true", "return { 1, 2 }", "local a = {}"])
    func noTable(source: String) throws {
        #expect(try #require(Self.problem(source)).hasPrefix("repartee.lua returns no table; it ends with `return"))
    }

    @Test("what returns a second value is refused, for nobody would read it")
    func secondValue() throws {
        let problem = try #require(Self.problem("return { targets = {} }, { limits = {} }"))
        #expect(problem.hasPrefix("repartee.lua returns more than one value"), "\(problem)")
    }

    @Test("a mistake in the Lua of the file is told with its line")
    func lua() throws {
        let syntax = try #require(Self.problem("return {\n  targets = {\n"))
        #expect(syntax.contains("repartee.lua:"))
        let global = try #require(Self.problem("local a = 1\nreturn { limits = limts }"))
        #expect(global.contains("the global \"limts\" is not defined") && global.contains("> 2 | return"))
        #expect(Self.problem("return os.execute(\"true\")") != nil)
        #expect(Self.problem("while true do end") != nil, "a file that does not end is ended")
    }

    @Test(
        "a misspelt member is refused at every level with the one that was meant",
        arguments: [
            ("return { target = {} }", "repartee.lua has no option \"target\"; did you mean \"targets\"?"),
            ("return { limits = { expectaton = 1 } }", "did you mean \"expectation\"?"),
            ("return { targets = { lab = { ulr = \"http://a\" } } }", "did you mean \"url\"?"),
            (
                "return { targets = { lab = { url = \"http://a\", network = { latncy = 1 } } } }",
                "did you mean \"latency\"?"
            ),
            ("return { colour = 1 }", "it has targets, limits, env, hidden_files"),
        ])
    func misspelt(source: String, text: String) throws {
        #expect(try #require(Self.problem(source)).contains(text), "\(Self.problem(source) ?? "")")
    }

    @Test(
        "a value of another type is refused with the member",
        arguments: [
            ("targets = 1", "targets is a table"), ("targets = { lab = 1 }", "targets.lab is a table"),
            ("targets = { lab = {} }", "needs the option url"),
            ("targets = { lab = { url = 1 } }", "url is a string"),
            ("targets = { lab = { url = \"http://a\", endpoints = { chat = 1 } } }", "endpoints.chat is a string"),
            ("targets = { lab = { url = \"http://a\", verify = \"no\" } }", "verify is true or false"),
            ("targets = { lab = { url = \"http://a\", tls_minimum = \"0.9\" } }", "tls_minimum is one of"),
            ("targets = { lab = { url = \"http://a\", workers = 0 } }", "workers"),
            ("limits = { run = \"soon\" }", "run is a duration"), ("limits = { hook = -1 }", "hook is a duration"),
            ("limits = { record = \"1GB\" }", "record is an integer"), ("env = \"HOME\"", "env is a list"),
            ("env = { 1 }", "env is a string"), ("hidden_files = { true }", "hidden_files is a string"),
            ("targets = { lab = { url = \"ftp://x\" } }", "targets.lab: the URL \"ftp://x\" is not an HTTP URL"),
            ("targets = { lab = { url = \"lab.test\" } }", "has no scheme"),
            ("targets = { lab = { url = \"http://a:70000\" } }", "the port from 1 to 65535"),
            ("targets = { lab = { url = \"http://u:p@a\" } }", "needs a host without a user"),
            (
                "targets = { lab = { url = \"http://a\", endpoints = { chat = \"chat\" } } }",
                "targets.lab: the URL \"chat\" has no scheme"
            ),
            ("targets = { lab = { url = \"http://a\", control = \"7700\" } }", "the URL \"7700\" has no scheme"),
            (
                "targets = { lab = { url = \"http://a\", proxy = \"enviroment\" } }",
                "did you mean \"environment\"?"
            ),
            ("targets = { lab = { url = \"http://a\", proxy = \"proxy\" } }", "proxy is the URL of an HTTP proxy"),
        ])
    func types(member: String, text: String) throws {
        let problem = try #require(Self.problem("return { \(member) }"), "\(member)")
        #expect(problem.contains(text), "\(problem)")
        #expect(problem.hasPrefix("repartee.lua"))
    }

    @Test(
        "whatever has a limit has to have time, by the rule of the command line; what comes after the end need not",
        arguments: ["expectation", "scenario", "hook", "busy", "run"], ["0", "\"0s\"", "1e-12"])
    func noTime(name: String, given: String) throws {
        let problem = Self.problem("return { limits = { \(name) = \(given) } }")
        #expect(problem?.contains("limits: \(name) is 0s; write more than 0 with units of ms, s, m and h") == true)
        #expect(try Self.read("return { limits = { settle = \(given) } }").settlingTime == .zero)
    }

    @Test("limits are read, and those in megabytes are at least one and never too many to count")
    func limits() throws {
        let read = try Self.read(
            "return { limits = { expectation = \"3s\", scenario = 60, hook = \"1m\", run = \"2h\", busy = \"500ms\" } }"
        )
        #expect(read.expectationLimit == .seconds(3) && read.scenarioLimit == .seconds(60))
        #expect(
            read.hookLimit == .seconds(60) && read.runLimit == .seconds(7200) && read.busyLimit == .milliseconds(500))
        for (given, bytes) in [
            (1, 1 << 20), (512, 512 << 20), (1 << 20, 1 << 40),
        ] as [(Int64, Int)] {
            let read = try Self.read("return { limits = { held_memory = \(given), record = \(given) } }")
            #expect(read.heldMemoryLimit == bytes && read.recordLimit == bytes, "\(given)")
        }
        for given in [0, -5, 1 << 20 + 1, Int64.max] {
            let problem = Self.problem("return { limits = { held_memory = \(given) } }")
            #expect(problem?.contains("held_memory is a whole number from 1 to 1048576, not \(given)") == true)
        }
    }

    @Test(
        "scripts read the variables that are meant for them, those that the file names, and no others",
        arguments: [
            ("REPARTEE_USER", true), ("REPARTEE_", true), ("CI", true), ("CI_TOKEN", false), ("HOME", false),
            ("LAB_URL", true), ("LAB", false), ("TOKEN", true), ("TOKENS", false), ("TOKEN*", false), ("", false),
        ])
    func variables(name: String, isAllowed: Bool) throws {
        let read = try Self.read("return { env = { \"LAB_*\", \"TOKEN\" } }")
        #expect(read.allows(variable: name) == isAllowed)
        #expect(ProjectConfiguration().allows(variable: name) == (isAllowed && !["LAB_URL", "TOKEN"].contains(name)))
    }

    @Test(
        "hidden files stay hidden, also below hidden folders, unless the file names them or a folder above them",
        arguments: [
            ("rows.csv", true), ("a/b.csv", true), (".env", false), ("a/.env", false), (".git/config", false),
            ("a/.hidden/rows.csv", false), (".data/rows.csv", true), (".data", true), (".database/rows.csv", false),
            (".env.test", true), (".env.test.local", false), ("x/.data/rows.csv", false), ("a.b", true),
        ])
    func hidden(path: String, isAllowed: Bool) throws {
        let read = try Self.read("return { hidden_files = { \".data\", \".env.test\" } }")
        #expect(read.allows(file: path) == isAllowed)
        let mistake = { () throws(UsageError) in try read.requireAllowed(file: path) }
        if isAllowed {
            #expect(throws: Never.self) { try mistake() }
        } else {
            let text = try #require(throws: UsageError.self) { try mistake() }.message
            #expect(text.contains("write hidden_files = { \"\(path)\" } in repartee.lua"))
        }
    }

    @Test("a target has what its members say")
    func target() throws {
        let target = try Self.target(
            """
            endpoints = { chat = "wss://chat.lab.test/ws" }, control = "http://127.0.0.1:7700", ca = "ca.pem",
            verify = false, network = { latency = "50ms" }, settings = { hosts = { "cdn.test" }, region = "eu" }
            """)
        #expect(target.url == "https://lab.test" && target.endpoints == ["chat": "wss://chat.lab.test/ws"])
        #expect(target.control == "http://127.0.0.1:7700" && target.certificateAuthorities == "ca.pem")
        #expect(!target.verifiesCertificates && target.network?.plan.incoming.delay == .milliseconds(50))
        #expect(target.members["region"] == "eu")
        #expect(Set(target.hosts) == ["cdn.test", "chat.lab.test", "lab.test"])
    }

    @Test("without further endpoints a target allows only its own host, which needs no mention")
    func hosts() throws {
        #expect(try Self.target("").hosts == [])
        #expect(try Self.target("settings = { hosts = { \"*.lab.test\" } }").hosts == ["*.lab.test"])
    }

    @Test(
        "hosts that would silently allow nothing are refused",
        arguments: ["\"cdn.test\"", "{ 1 }", "{ \"https://cdn.test\" }", "{ \"\" }", "{ \"*\" }"])
    func noHosts(hosts: String) throws {
        let text = try #require(Self.targetProblem("settings = { hosts = \(hosts) }"), "\(hosts)")
        #expect(text.contains("targets.lab.settings"), "\(text)")
    }

    @Test("files are named from the folder of the project file, unless their paths are whole")
    func folder() throws {
        let source = """
            return { targets = { lab = {
                url = "https://a", ca = "ca.pem", certificate = "/c.pem", key = "k.pem",
            } } }
            """
        let target = try #require(try Self.read(source, folder: "/project").targets["lab"])
        #expect(target.certificateAuthorities == "/project/ca.pem")
        #expect(
            target.access.identity?.certificateFile == "/c.pem" && target.access.identity?.keyFile == "/project/k.pem")
    }
}

@Suite("How clients get to a target")
struct TargetAccessTests {
    private static func read(
        _ members: JSONObject, _ variables: [String: String] = [:]
    ) throws(UsageError) -> TargetAccess {
        try TargetAccess(
            members, of: "lab", origins: ["https://lab.test"], hosts: [], folder: ".", variables: variables)
    }

    private static func mistake(_ members: JSONObject, _ variables: [String: String] = [:]) -> String? {
        do throws(UsageError) {
            _ = try Self.read(members, variables)
            return nil
        } catch { return error.message }
    }

    @Test("a target that says nothing is reached directly, by anybody, with HTTP/2 where there is TLS")
    func plain() throws {
        #expect(try Self.read([:]) == TargetAccess())
        #expect(TargetAccess().offersHTTP2 && TargetAccess().identity == nil && TargetAccess().secrets == [])
        #expect(try !Self.read(["http2": false]).offersHTTP2)
    }

    @Test("certificate and key go together", arguments: ["certificate", "key"])
    func halfIdentity(member: String) {
        #expect(
            Self.mistake([member: "a.pem"])
                == "targets.lab: certificate and key go together; give both, or neither")
    }

    @Test("a secret may be the name of a variable, and is a secret in the end either way")
    func secrets() throws {
        let named = try Self.read(["token": "$LAB_TOKEN"], ["LAB_TOKEN": "swordfish"])
        #expect(named.secrets == ["swordfish"] && named.authorization != nil)
        let plain = try Self.read(["token": "swordfish"])
        #expect(plain.secrets == ["swordfish"] && plain.authorization == named.authorization)
    }

    @Test(
        "a variable that the environment does not have is told by its name, and nobody asks in the name of the variable"
    )
    func missing() throws {
        let access = try Self.read(["token": "$LAB_TOKEN"])
        #expect(access.missingVariable == "token: the environment has no variable LAB_TOKEN")
        #expect(access.authorization == nil && access.secrets == [])
        let basic = try Self.read(["basic": ["user": "ada", "password": "$LAB_PASSWORD"]])
        #expect(basic.missingVariable == "password: the environment has no variable LAB_PASSWORD")
        #expect(basic.authorization == nil)
        #expect(try Self.read(["token": "$LAB_TOKEN"], ["LAB_TOKEN": "swordfish"]).missingVariable == nil)
        let both: JSONValue = [
            "token_url": "/token", "client_id": "a", "client_secret": "$FIRST", "username": "ada",
            "password": "$SECOND",
        ]
        // One after the other can be mended, so the first that is missed is told.
        #expect(
            try Self.read(["oauth": both]).missingVariable == "client_secret: the environment has no variable FIRST")
    }

    @Test("a proxy is an address, or what the environment says", arguments: ["http://proxy.test:3128", "environment"])
    func proxies(text: String) throws {
        let access = try Self.read(["proxy": .string(text)], ["HTTPS_PROXY": "http://proxy.test:3128"])
        #expect(access.proxies != .none)
    }

    @Test("what is no proxy is refused with what one is", arguments: ["", "ftp://a:1", "://", "http://"])
    func noProxies(text: String) throws {
        let mistake = try #require(Self.mistake(["proxy": .string(text)]), "\(text)")
        #expect(mistake.hasPrefix("targets.lab: proxy is the URL of an HTTP proxy"))
    }

    @Test("a proxy of the environment that is none is refused by its variable, without its text")
    func unusableEnvironment() throws {
        let mistake = try #require(Self.mistake(["proxy": "environment"], ["https_proxy": "socks5://u:swordfish@a"]))
        #expect(mistake.contains("the variable https_proxy is no URL of an HTTP proxy"))
        #expect(!mistake.contains("swordfish"))
        #expect(Self.mistake(["proxy": "environment"], ["HTTP_PROXY": ""]) == nil)
    }

    @Test("the password of a proxy is a secret")
    func proxySecrets() throws {
        #expect(try Self.read(["proxy": "http://user:swordfish@proxy.test:3128"]).secrets.contains("swordfish"))
    }
}
