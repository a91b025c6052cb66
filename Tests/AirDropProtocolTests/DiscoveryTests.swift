import AirDropProtocol
import BatonTestSupport
import Testing

/// how a receiver announces itself.
@Suite("AirDrop's discovery")
struct DiscoveryTests {
    @Test("A name is twelve hexadecimal digits, new each time")
    func names() throws {
        var generator = SeededGenerator(seed: Schedules.oneSeed)
        let first = AirDropInstanceName.random(using: &generator)
        let second = AirDropInstanceName.random(using: &generator)
        #expect(first != second)
        #expect(AirDropInstanceName(first.rawValue) == first)
        #expect(AirDropInstanceName("36C28129FD46")?.rawValue == "36c28129fd46")
        for text in ["", "36c28129fd4", "36c28129fd46a", "36c28129fd4g", "36c28129fd4٣"] {
            #expect(AirDropInstanceName(text) == nil)
        }
    }

    @Test("Flags are read as other implementations write them")
    func flags() {
        #expect(AirDropAnnouncement.flags(ofText: ["flags=136"]) == [.mixedTypes, .discover])
        #expect(AirDropAnnouncement.flags(ofText: ["x", "FLAGS=1019"])?.contains([.url, .dvZip, .mixedTypes]) == true)
        #expect(AirDropAnnouncement.flags(ofText: AirDropAnnouncement.text(.announced)) == .announced)
        #expect(AirDropFlags.announced.isUsable)
        #expect(!AirDropFlags.announced.contains(.dvZip))
        for text in [[], ["flags"], ["flags="], ["flags=-1"], ["flags=0x88"], ["flags=99999999999"], ["other=1"]] {
            #expect(AirDropAnnouncement.flags(ofText: text) == nil)
        }
    }
}
