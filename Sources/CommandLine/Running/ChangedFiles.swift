import FoundationEssentials

/// The files of a project that differ from what git has, as absolute paths without links.
///
/// Which scenarios they choose, ``AffectedScenarios`` says.
struct ChangedFiles {
    /// Why git could not say.
    struct Unknown: Error {
        let message: String
    }

    let paths: Set<String>

    /// Asks git.
    ///
    /// - Parameters:
    ///   - base: A commit, a branch or a tag: what changed since the work left it. Nil: what is not committed.
    ///   - folder: A folder of the work tree.
    /// - Throws: ``Unknown`` that says what to do.
    init(since base: String?, in folder: String) throws(Unknown) {
        func git(_ arguments: [String], orElse message: String) throws(Unknown) -> String {
            guard let answer = ChildProcess.output(of: ["git", "-C", folder] + arguments) else {
                throw Unknown(message: "git cannot be started; install it, or choose scenarios by paths and --tag")
            }
            guard answer.status == 0 else { throw Unknown(message: message) }
            return answer.output
        }
        let top = try git(
            ["rev-parse", "--show-toplevel"],
            orElse: "\(folder) is not in a git repository, so nobody knows what changed; "
                + "choose scenarios by paths and --tag"
        ).split(separator: "\n").first.map(String.init)
        let untracked = try git(
            ["ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/"], orElse: "git ls-files failed")
        // Of a file that was renamed both names count: what read it by the old one finds it no more.
        let diff = ["diff", "--name-only", "-z", "--no-relative", "--no-renames"]
        let hasCommit = (try? git(["rev-parse", "--verify", "-q", "HEAD"], orElse: "")) != nil
        let changed: String
        if let base {
            changed = try git(
                diff + ["--merge-base", base, "--"],
                orElse: "git does not know \"\(base)\"; name a branch, a tag or a commit (on CI, fetch it first)")
        } else if hasCommit {
            changed = try git(diff + ["HEAD", "--"], orElse: "git diff failed")
        } else {
            changed = try git(["ls-files", "--full-name", "-z", ":/"], orElse: "git ls-files failed")
        }
        self.paths = Set(
            (untracked + changed).split(separator: "\0").map { path in
                Self.withoutLinks((top ?? folder) + "/" + path)
            })
    }

    /// The form in which paths are compared with those of changed files.
    static func withoutLinks(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}
