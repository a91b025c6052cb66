import Requests
import Testing

@Suite struct RequestedTitleTests {
    @Test(
        "a title is found with its artist, in the languages of requests, and no other artist's (P-62)",
        arguments: [
            "Naima", "naima by john coltrane", "Naima von Coltrane", "John Coltrane'den Naima", "Coltrane Naima",
        ])
    func both(text: String) {
        let wanted = RequestedTitle(text)
        #expect(wanted.isTitle("Naima") || wanted.matches("Naima", by: "John Coltrane"))
        #expect(!wanted.matches("Giant Steps", by: "John Coltrane"))
        #expect(!wanted.isBoth("Naima", by: "Somebody"))
    }

    @Test("a title may have “by” in it, and a long one of nothing else costs no more (P-62)")
    func within() {
        #expect(RequestedTitle("Stand by Me").isTitle("Stand By Me"))
        #expect(RequestedTitle("Stand by Me by Ben E. King").isBoth("Stand by Me", by: "Ben E. King"))
        #expect(!RequestedTitle("Stand by Me").isBoth("Stand", by: "Ben E. King"))
        let long = RequestedTitle(String(repeating: "a by ", count: 200))
        #expect(!long.matches("Naima", by: "John Coltrane"))
    }
}
