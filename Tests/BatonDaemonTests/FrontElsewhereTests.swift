import BatonCore
import BatonWire
import Requests
import SwiftProtobuf
import Testing

@testable import BatonDaemon

/// The activity in front on other devices, as the topic `requests.front` says it (P-23, P-29).
@Suite struct FrontElsewhereTests {
    private static let (kitchen, study) = (
        DeviceID(unchecked: String(repeating: "A", count: 26)), DeviceID(unchecked: String(repeating: "B", count: 26))
    )

    private static func content(
        _ title: String, page: String? = nil, place: RequestedPlace? = nil, people: [ShownPerson] = []
    ) -> RequestedContent {
        RequestedContent(
            app: AppIdentity(bundleID: BundleID(unchecked: "com.example.guide"), team: .development), appName: "Guide",
            activity: .random(), type: ActivityType(unchecked: "com.example.guide.place"), title: title,
            page: page ?? "https://example.com/\(title)", place: place, people: people)
    }

    private static func elsewhere() -> FrontElsewhere {
        FrontElsewhere { $0 == kitchen ? "Kitchen" : "Study" }
    }

    @Test("the device whose screen changed last is meant, and none that is away or has nothing in front")
    func latest() {
        let elsewhere = Self.elsewhere()
        let (one, two) = (Self.content("One"), Self.content("Two"))
        elsewhere.received(.init(one), from: Self.kitchen)
        elsewhere.received(.init(two), from: Self.study)
        // The same again is no change.
        elsewhere.received(.init(one), from: Self.kitchen)
        #expect(elsewhere.current?.title == "Two" && elsewhere.current?.appName == "Guide on Study")
        elsewhere.received(.init(nil), from: Self.study)
        #expect(elsewhere.current?.title == "One" && elsewhere.current?.device == "Kitchen")
        elsewhere.disconnected(Self.kitchen)
        #expect(elsewhere.current == nil)
    }

    @Test("a place comes with its number and its address, and is no place of this device")
    func place() throws {
        let elsewhere = Self.elsewhere()
        let place = RequestedPlace(
            id: "7", name: "Yank Sing", telephone: "4157811111", address: "101 Spear St", supportsNavigation: false)
        elsewhere.received(.init(Self.content("Yank Sing", place: place)), from: Self.kitchen)
        let found = try #require(elsewhere.current?.place)
        #expect(found.id.isEmpty && found.telephone == "4157811111" && found.address == "101 Spear St")
        #expect(found.source == "Guide on Kitchen" && !found.supportsNavigation && found.supportsPhoneCall)
    }

    @Test("people come with names and addresses, and no card of the device that shows them (P-23)")
    func people() throws {
        let elsewhere = Self.elsewhere()
        let anna = try #require(
            ShownPerson(name: "Anna", addresses: ["anna@example.org", "+49 30 123456", "3"], contactIdentifier: "card"))
        elsewhere.received(.init(Self.content("One", people: [anna])), from: Self.kitchen)
        let found = try #require(elsewhere.current?.people)
        #expect(found == [try #require(ShownPerson(name: "Anna", addresses: ["anna@example.org", "+49 30 123456"]))])
    }

    @Test(
        "a page that leads to the machine of whoever opens it goes to no other device, and comes from none",
        arguments: ["http://localhost:631/printers", "http://127.0.0.1/", "https://[::1]/a?token=1"])
    func loopback(page: String) {
        let elsewhere = Self.elsewhere()
        let content = Self.content("One", page: page)
        var snapshot = Baton_Link_V1_FrontSnapshot(content)
        #expect(!snapshot.content.hasWebpageURL && snapshot.content.webpageURL.isEmpty)
        snapshot.content.webpageURL = page
        elsewhere.received(snapshot, from: Self.kitchen)
        #expect(elsewhere.current?.title == "One" && elsewhere.current?.page == nil)
    }

    @Test("what breaks a rule is nothing, texts are cut, and the largest fits its topic")
    func bounds() throws {
        let elsewhere = Self.elsewhere()
        let long = String(repeating: "ü", count: 20_000)
        let place = RequestedPlace(id: "7", name: long, telephone: long, address: long)
        let people = (0..<20).compactMap { number in
            ShownPerson(
                name: "\(number)" + long,
                addresses: (0..<8).map { "\(number).\($0)@" + String(repeating: "x", count: 80) })
        }
        let snapshot = Baton_Link_V1_FrontSnapshot(Self.content(long, place: place, people: people))
        let bytes: [UInt8] = try snapshot.serializedBytes()
        #expect(bytes.count <= PresenceTopics.front.limit)
        // A page that would have to be cut is left out.
        #expect(!snapshot.content.hasWebpageURL && snapshot.content.place.telephone.isEmpty)
        var broken = snapshot
        broken.content.activityType = "not a type"
        elsewhere.received(broken, from: Self.kitchen)
        #expect(elsewhere.current == nil)
        var page = Baton_Link_V1_FrontSnapshot(Self.content("One"))
        page.content.webpageURL = "javascript:alert(1)"
        page.content.title = "One\u{202e}\nTwo"
        elsewhere.received(page, from: Self.kitchen)
        #expect(elsewhere.current != nil && elsewhere.current?.page == nil)
        #expect(elsewhere.current?.title?.contains("\n") == false)
    }
}
