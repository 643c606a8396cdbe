import Foundation
import Processes
import Testing

@Suite("The scripts around the program", .waitsForProcesses)
struct ScriptTests {
    /// A root with one of the scripts, and stand-ins for what it calls.
    private func root(_ script: String, _ standIns: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in standIns.merging(
            try [script, "common"].map { name in
                ("scripts/\(name)", try String(contentsOfFile: "\(Product.root)/scripts/\(name)", encoding: .utf8))
            }, uniquingKeysWith: { own, _ in own })
        {
            try folder.write(text, to: name)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/\(name)")
        }
        return folder
    }

    @Test("scripts/repartee builds again what was edited while it built, and else builds once")
    func editedMeanwhile() throws {
        let program = "#!/bin/sh\necho ran\n"
        // The stand-in for the build finds a source edited once, and the program as it was the second time.
        let build = """
            #!/bin/sh
            echo built
            mkdir -p .build/release
            [ -e .build/edited ] || { sleep 0.05; echo edited >Sources/a.swift; touch .build/edited; sleep 0.05; }
            [ -e .build/release/repartee ] || cp program .build/release/repartee
            """
        let folder = try self.root(
            "repartee",
            ["scripts/release": build, "program": program, "Sources/a.swift": "first", "Package.swift": ""])
        let runs = try (0..<3).map { _ in
            let process = try ChildProcess(["scripts/repartee"], in: folder.path)
            let text = process.output.rest()
            #expect(process.end() == 0)
            return text
        }
        #expect(runs == ["built\nran\n", "built\nran\n", "ran\n"])
    }

    @Test("a script that is called in a wrong way ends with 2, as the program does")
    func wrongUsage() throws {
        let process = try ChildProcess(["scripts/floors", "sideways"], in: Product.root)
        #expect(process.errors?.rest().contains("scripts/floors upward") == true)
        #expect(process.end() == 2)
    }

    @Test("scripts/eliza says that its bot does not come")
    func noBot() throws {
        let folder = try self.root(
            "eliza",
            [
                "bin/websocketd": "#!/bin/sh\necho no room >&2\nexit 1\n",
                // Perl is asked whether the bot is installed, and Python for a free port.
                "bin/perl": "#!/bin/sh\n", "bin/python3": "#!/bin/sh\necho 1\n",
                "scripts/repartee": "#!/bin/sh\necho played\n",
            ])
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let process = try ChildProcess(
            ["scripts/eliza"], in: folder.path, variables: ["PATH": "\(folder.path)/bin:\(path)"])
        #expect(process.output.rest().isEmpty)
        #expect(process.errors?.rest().contains("error: websocketd does not listen on port 1") == true)
        #expect(process.end() == 4)
    }

    @Test("packages are installed without a question, also where sudo drops the caller's variables")
    func noQuestions() throws {
        let folder = try self.root(
            "common",
            [
                "bin/id": "#!/bin/sh\necho 1000\n",
                // As sudo does, it passes on none of the caller's variables.
                "bin/sudo": "#!/bin/sh\necho \"sudo $1\"\nshift\nexec env -i PATH=\"$PATH\" \"$@\"\n",
                "bin/apt-get": "#!/bin/sh\necho \"$* asks: ${DEBIAN_FRONTEND:-anything}\"\n",
                "play": "#!/bin/bash\n. scripts/common\ninstall_packages perl </dev/null\n",
            ])
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let process = try ChildProcess(["./play"], in: folder.path, variables: ["PATH": "\(folder.path)/bin:\(path)"])
        #expect(
            process.output.rest().split(separator: "\n") == [
                "sudo -n", "update asks: anything", "sudo -n",
                "install -y --no-install-recommends perl asks: noninteractive",
            ])
        #expect(process.end() == 0)
    }
}
