import BatonCore
import Testing

@testable import BatonCommands

struct NamedPeerTests {
    @Test("A name that is almost a known one is looked for the least")
    func patience() {
        let known = [NamedPeer.Known(id: "OWN1", name: "Anna's Laptop", relation: .ownDevice)]
        func patience(_ text: String) -> Duration { NamedPeer(text: text, isStranger: false).patience(known) }
        #expect(patience("laptpo") < patience("laptop"))
        #expect(patience("laptop") == patience("Carl"))
    }
}
