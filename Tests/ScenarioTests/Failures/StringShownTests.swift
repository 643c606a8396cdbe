import Secrets
import Testing

@testable import Scenario

@Suite("What was asked for, as failures show it")
struct StringShownTests {
    @Test("what fits is shown as it is, and what does not is cut")
    func lengths() {
        let (fitting, long) = (String(repeating: "x", count: 1_000), String(repeating: "x", count: 1_001))
        #expect(fitting.shown(without: SecretMasker()) == fitting)
        #expect(long.shown(without: SecretMasker()) == fitting.dropLast() + "…")
    }

    @Test("a secret at the place of the cut is hidden")
    func secrets() {
        let vault = SecretVault()
        vault.add("swordfish")
        let shown = (String(repeating: "x", count: 995) + "swordfish").shown(without: vault.current)
        #expect(!shown.contains("sword") && shown.hasSuffix("***"))
    }
}
