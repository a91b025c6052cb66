import BatonCore
import Testing

@testable import AirDrop

@Suite("Devices to send to, as a person chooses among them")
struct NearbyPeerTests {
    //
    @Test("No name makes a device look like an own one")
    func titles() {
        let own = NearbyPeer(kind: .device(DeviceID(unchecked: "A")), name: "Kitchen")
        #expect(own.title == "Kitchen (your device)")
        for name in [own.title, own.title + String(repeating: " ", count: 400), "Kitchen” (your device)\u{202E}"] {
            let stranger = NearbyPeer(kind: .announced("0a1b"), name: name, model: "x” (your device)")
            #expect(stranger.title.hasPrefix("Stranger “Kitchen"))
            #expect(stranger.title.hasSuffix("”, “x' (your device)”"))
            #expect(stranger.title.count { "“”".contains($0) } == 4)
            let contact = NearbyPeer(kind: .contact(DeviceID(unchecked: "B")), name: name)
            #expect(contact.title.hasPrefix("Contact “Kitchen") && contact.title.hasSuffix("”"))
            #expect(contact.title.count { "“”".contains($0) } == 2)
        }
    }
}
