import Machines
import Testing

@Suite("What is said of a member that there is not")
struct UnknownMemberTests {
    @Test("It names what was meant, or else what there is")
    func remedies() {
        let known = ["expect", "say"]
        #expect(
            UnknownMember.text("sya", of: "visitor", among: known) == "visitor has no \"sya\"; did you mean \"say\"?")
        #expect(
            UnknownMember.text("shout", of: "visitor", as: "method", among: known)
                == "visitor has no method \"shout\"; it has expect, say")
    }

    @Test("It lists nothing where there is nothing, or too much")
    func silence() {
        #expect(UnknownMember.text("say", of: "a form", among: []) == "a form has no \"say\"")
        #expect(UnknownMember.text("x", of: "t", among: ["expect"], isListed: false) == "t has no \"x\"")
    }

    @Test("What is known from elsewhere is told before what is near")
    func instead() {
        #expect(
            UnknownMember.text("sya", of: "t", among: ["say"], instead: "write hear()")
                == "t has no \"sya\"; write hear()")
    }

    @Test("A sentence may say what to do instead")
    func otherwise() {
        #expect(TextDistance.hint("x", among: ["lines"], otherwise: "declare it") == "; declare it")
        #expect(TextDistance.hint("line", among: ["lines"], otherwise: "declare it") == "; did you mean \"lines\"?")
        #expect(TextDistance.hint("x", among: ["lines"], listing: "it has") == "; it has lines")
        #expect(TextDistance.hint("x", among: []) == "; there are none")
    }
}
