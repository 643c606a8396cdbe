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
            -- A simulated desk with one agent, for this scenario alone.
            local desk = t:server(boldchat, { queue = 1 })
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

    /// The job needs to know where repartee comes from; it asks for that in words instead of failing with a bad URL.
    private static let fetch = """
        test -n "$REPARTEE_REPOSITORY" || { echo "set the variable REPARTEE_REPOSITORY to the URL of repartee"; exit 2; }
        """

    private static let github = """
        # Plays all conversations at each push, and shows what broke in the pull request and in the summary of the job.
        name: conversations
        on: [push, pull_request]
        jobs:
          conversations:
            runs-on: ubuntu-latest
            container: swift:6.2-bookworm
            env:
              REPARTEE_REPOSITORY: ${{ vars.REPARTEE_REPOSITORY }}
            steps:
              - uses: actions/checkout@v4
              - name: fetch repartee
                run: |
                  \(Self.fetch)
                  git clone --depth 1 "$REPARTEE_REPOSITORY" /opt/repartee
              - uses: actions/cache@v4
                with:
                  path: /opt/repartee/.build
                  key: repartee-${{ runner.os }}
              - name: play
                run: /opt/repartee/scripts/repartee test --forbid-only --retries 1 --github
              - uses: actions/upload-artifact@v4
                if: always()
                with:
                  name: reports
                  path: Reports

        """

    private static let gitlab = """
        # Plays all conversations at each push; the merge request shows what broke.
        conversations:
          image: swift:6.2-bookworm
          script:
            - '\(Self.fetch)'
            - git clone --depth 1 "$REPARTEE_REPOSITORY" /opt/repartee
            - /opt/repartee/scripts/repartee test --forbid-only --retries 1 --junit Reports/junit.xml,profile=gitlab
          artifacts:
            when: always
            paths: [Reports]
            reports:
              junit: Reports/junit.xml

        """
}
