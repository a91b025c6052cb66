import BatonCore
import Synchronization
import Testing

@testable import Spotlight

// Issue 28, part 2: `CoreSpotlightContinuation` and `CoreSpotlightActions`.
@Suite("An app's words on search")
struct AppSearchOptionsTests {
    @Test("An app goes on with a search in itself as CSQueryContinuationActionType, if it says that it can")
    func continuing() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        await #expect { _ = try await service.continueSearch("dim sum", in: SearchDevice.notes.bundleID) } throws: {
            ($0 as? BatonError)?.reason == "no_search_continuation"
        }
        device.state.withLock { $0.options = AppSearchOptions(infoDictionary: ["CoreSpotlightContinuation": true]) }
        #expect(try await service.continueSearch("dim sum", in: SearchDevice.notes.bundleID))
        let opened = try #require(device.state.withLock { $0.opened.first })
        #expect(opened.type == "com.apple.corespotlightquery" && opened.app == SearchDevice.notes)
        #expect(opened.userInfo == ["kCSSearchQueryString": .string("dim sum")])
        await #expect {
            _ = try await service.continueSearch("x", in: BundleID(unchecked: "com.example.none"))
        } throws: {
            ($0 as? BatonError)?.reason == "app_not_found"
        }
        service.close()
    }

    @Test("An app's words on its actions are taken as Apple's keys have them, and bounded")
    func actions() {
        let call = ["CoreSpotlightActionIdentifier": "call", "CoreSpotlightActionTitle": "Call"]
        let options = AppSearchOptions(infoDictionary: [
            "CoreSpotlightContinuation": "yes",
            "CoreSpotlightActions": [
                call, ["CoreSpotlightActionIdentifier": "untitled"], ["CoreSpotlightActionTitle": "Nameless"],
                [
                    "CoreSpotlightActionIdentifier": "long",
                    "CoreSpotlightActionTitle": String(repeating: "x", count: 500),
                ],
            ],
        ])
        #expect(!options.continuesSearches)
        #expect(options.actionTitles.keys.sorted() == ["call", "long"] && options.actionTitles["call"] == "Call")
        #expect(options.actionTitles["long"]?.utf8.count ?? 500 <= 103)
        #expect(AppSearchOptions(infoDictionary: ["CoreSpotlightActions": "text"]) == AppSearchOptions())
        let many = AppSearchOptions(infoDictionary: [
            "CoreSpotlightActions": (0..<200).map { number in
                ["CoreSpotlightActionIdentifier": "\(number)", "CoreSpotlightActionTitle": "T"]
            }
        ])
        #expect(many.actionTitles.count == 100)
    }
}
