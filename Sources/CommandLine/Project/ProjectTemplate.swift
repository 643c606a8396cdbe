/// The files of a new project.
enum ProjectTemplate {
    /// The files by name.
    static let files: [(String, String)] = [
        ("Scenarios/first.lua", Self.scenario), ("repartee.lua", Self.configuration),
        (".luarc.json", Self.editor), (".gitignore", Self.ignored),
        (".github/workflows/conversations.yml", Self.github), (".gitlab-ci.yml", Self.gitlab),
    ]

    private static let scenario = #"""
        local boldchat = require "boldchat"

        scenario("a visitor is answered", { tags = { "smoke" } }, function(t)
            -- A simulated desk with one agent, for this scenario alone. Its queue stands still, also while a visitor
            -- whose line was cut connects again: repartee test --faults all.
            local desk = t:server(boldchat, { queue = 1, queue_interval = "1h" })
            local sam = desk:agent "Sam"
            local visitor = t:actor(boldchat)

            visitor:create_chat()
            visitor:expect("pre_chat").form:fill { first_name = "Ada" }:submit()
            visitor:expect("queue", { position = 1 })

            sam:accept(visitor)
            sam:say "Good morning, Ada!"
            visitor:expect("message", { text = match.contains "morning" })
        end)

        """#

    private static let configuration = #"""
        -- What all scenarios of this project share. `repartee test --target staging` plays against a target;
        -- without one, scenarios play against simulated servers, in virtual time.
        return {
            targets = {
                -- staging = { url = "https://chat.staging.example.com" },
            },
            limits = { expectation = "10s", scenario = "5m", run = "30m" },
            -- What env(name) may read besides CI, LANG, TZ and REPARTEE_*; passwords and keys are read with secret(name).
            env = {},
        }

        """#

    private static let editor = #"""
        {
          "runtime.version": "Lua 5.4",
          "workspace.library": [".repartee/types"],
          "workspace.checkThirdParty": false
        }

        """#

    private static let ignored = """
        Reports/
        .repartee/

        """

    /// Where the package is, only the project knows; the job asks for it in words instead of failing with a bad URL.
    private static let named = """
        test -n "$REPARTEE_PACKAGE" || { echo "set the variable REPARTEE_PACKAGE to the URL of repartee's .deb"; exit 2; }
        """

    private static let github = """
        # Plays all conversations at each push, and shows what broke in the pull request and in the summary of the job.
        # The variable REPARTEE_PACKAGE of the repository or its organization says where the .deb of repartee is.
        name: conversations
        on: [push, pull_request]
        jobs:
          conversations:
            runs-on: ubuntu-latest
            env:
              REPARTEE_PACKAGE: ${{ vars.REPARTEE_PACKAGE }}
            steps:
              - uses: actions/checkout@v4
              - name: install repartee
                run: |
                  \(Self.named)
                  curl --fail --silent --show-error --location --output /tmp/repartee.deb "$REPARTEE_PACKAGE"
                  sudo dpkg --install /tmp/repartee.deb
              - name: play
                run: repartee test --forbid-only --retries 1 --github
              - uses: actions/upload-artifact@v4
                if: always()
                with:
                  name: reports
                  path: Reports

        """

    private static let gitlab = """
        # Plays all conversations at each push; the merge request shows what broke.
        # The variable REPARTEE_PACKAGE of the project or its group says where the .deb of repartee is.
        conversations:
          image: debian:12-slim
          script:
            - '\(Self.named.replacing("'", with: "''"))'
            - apt-get update && apt-get install --yes --no-install-recommends ca-certificates curl git
            - curl --fail --silent --show-error --location --output /tmp/repartee.deb "$REPARTEE_PACKAGE"
            - dpkg --install /tmp/repartee.deb
            - repartee test --forbid-only --retries 1 --junit Reports/junit.xml,profile=gitlab
          artifacts:
            when: always
            paths: [Reports]
            reports:
              junit: Reports/junit.xml

        """
}
