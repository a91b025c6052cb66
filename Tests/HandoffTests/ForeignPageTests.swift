import BatonCore
import BatonWire
import SwiftProtobuf
import Testing

@testable import Handoff

/// This device's browser opens the pages of other devices.
@Suite("Pages of other devices, and how often they may ask")
struct ForeignPageTests {
    private func offer(_ page: String) -> Baton_Link_V1_Offer {
        .with {
            $0.activity = .with {
                $0.activityID = String(repeating: "A", count: 26)
                $0.activityType = "org.example.reading"
                $0.webpageURL = page
            }
            $0.app = .init(AppIdentity(bundleID: BundleID(unchecked: "org.example.reader"), team: .development))
        }
    }

    // H-33 H-84
    @Test(
        "A page that leads to this machine is left out of another device's offer and payload",
        arguments: [
            ("https://example.org/a", true), ("http://localhost:631/", false), ("http://0x7f.1/", false),
            ("http://[::ffff:127.0.0.1]/", false), ("http://%6cocalhost/", false),
        ])
    func pages(_ page: String, _ isTaken: Bool) throws {
        #expect(try Offer(offer(page)).activity.webpageURL == (isTaken ? page : nil))
        var payload = Baton_Value_V1_ActivityPayload.with {
            $0.description_p = offer(page).activity
            $0.userInfo = .with { $0.dictionary = .init() }
        }
        payload.clearForeignPage()
        #expect(payload.description_p.webpageURL == (isTaken ? page : ""))
        #expect(payload.description_p.hasWebpageURL == isTaken)
    }

    @Test("A device may ask in bursts, regains what it used with time, and what it continued does not count")
    func limiter() {
        let (device, other) = (DeviceID(unchecked: "A"), DeviceID(unchecked: "B"))
        var limiter = FetchLimiter()
        var isTaken = true
        for _ in 0..<32 { isTaken = limiter.take(device, now: .zero) && isTaken }
        #expect(isTaken)
        isTaken = limiter.take(device, now: .zero)
        #expect(!isTaken)
        isTaken = limiter.take(other, now: .zero)
        #expect(isTaken)
        limiter.giveBack(device)
        isTaken = limiter.take(device, now: .zero)
        #expect(isTaken)
        isTaken = limiter.take(device, now: .milliseconds(200))
        #expect(!isTaken)
        isTaken = limiter.take(device, now: .milliseconds(300))
        #expect(isTaken)
        for _ in 0..<1000 {
            isTaken = limiter.take(device, now: .seconds(100))
            limiter.giveBack(device)
            #expect(isTaken)
        }
    }
}
