import BatonCore
import BatonWire
import Handoff
import SwiftProtobuf
import Testing

@Suite("Pages of offers")
struct OfferedPageTests {
    // H-96
    @Test("An offer with a page that is none is offered without it, and the offers beside it stay")
    func ignored() throws {
        let message = Baton_Link_V1_OfferSnapshot.with {
            $0.offers = ["javascript:alert(1)", "https://example.org/"].map { page in
                .with {
                    $0.activity = .with {
                        $0.activityID = ActivityID.random().rawValue
                        $0.activityType = "com.example.note"
                        $0.webpageURL = page
                    }
                    $0.app = .init(
                        AppIdentity(
                            bundleID: BundleID(unchecked: "com.example.app"),
                            team: TeamIdentity(fingerprint: Array(repeating: 1, count: 32))))
                }
            }
        }
        let snapshot = try OfferSnapshot(message, limit: 64)
        #expect(snapshot.offers.map(\.activity.webpageURL) == [nil, "https://example.org/"])
    }
}
