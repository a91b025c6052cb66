import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import SavedActivities

@Suite(.timeLimit(.minutes(1))) struct SavedActivityStoreTests {
    private func activity(of app: String, expires: UInt64 = 1000) throws -> SavedActivity {
        let id = ActivityID.random()
        return SavedActivity(
            id: id, app: try #require(FakeApps.all[app]), key: id.rawValue, persistentIdentifier: nil,
            payload: .with { $0.description_p.title = "words of \(app)" }, isForSearch: true, isForPrediction: false,
            isForPublicIndex: false, saved: 1, expires: expires)
    }

    @Test("only what is asked about and gone is deleted, with what has expired, and each activity counts once (H-3)")
    func removesAbandoned() async throws {
        let folder = try TemporaryDirectory()
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: SavedActivities.migrations)
        let store = SavedActivityStore(database: database, limits: .init())
        for app in ["a", "a", "b", "b", "b", "sameNameOtherTeam"] {
            try await store.save(try activity(of: app))
        }
        try await store.save(try activity(of: "a", expires: 5))
        let gone = try #require(FakeApps.all["b"])
        #expect(try await store.removeAbandoned(now: 5) { $0 != gone } == 4)
        #expect(try await store.removeAbandoned(now: 5) { $0 != gone } == 0)
        let left = try await store.activities(matching: nil, bundleID: nil, limit: 100, now: 5)
        #expect(left.count == 3 && left.allSatisfy { $0.app != gone })
        #expect(try await store.activities(matching: "words", bundleID: nil, limit: 100, now: 5).count == 3)
        try database.close()
    }

    @Test("a text is cut between two characters", arguments: ["é", "👩‍👩‍👧", "e\u{301}", "a"])
    func cuts(character: String) {
        let text = "x" + String(repeating: character, count: SavedActivityRules.maximumText)
        let cut = SavedActivityRules.bounded(text)
        #expect(text.hasPrefix(cut) && cut.utf8.count <= SavedActivityRules.maximumText)
        #expect(cut.utf8.count > SavedActivityRules.maximumText - character.utf8.count)
        #expect(Set(cut.dropFirst()) == [Character(character)])
        let short = String(text.prefix(100))
        #expect(SavedActivityRules.bounded(short) == short)
        #expect(SavedActivityRules.bounded("abc", bytes: 3) == "abc")
        #expect(SavedActivityRules.bounded("abc", bytes: 2) == "ab")
        #expect(SavedActivityRules.bounded("é", bytes: 1).isEmpty)
    }

    @Test("no app can make a list too long to be answered: texts are cut, and what has no room is left out")
    func lists() {
        let long = String(repeating: "k", count: 200_000)
        let payload = Baton_Value_V1_ActivityPayload.with {
            $0.description_p.webpageURL = "https://example.org/" + long
            $0.keywords = ["first", long, "last"] + (0..<10_000).map { "word \($0)" }
            $0.contentAttributes.entries = [
                .with {
                    $0.key.string = "contentDescription"
                    $0.value.string = String(repeating: "e" + String(repeating: "\u{301}", count: 50), count: 500)
                }
            ]
        }
        let keywords = SavedActivityRules.keywords(of: payload)
        #expect(keywords.prefix(3) == ["first", "last", "word 0"])
        #expect(keywords.joined().utf8.count <= SavedActivityRules.maximumShown)
        let description = SavedActivityRules.contentDescription(of: payload)
        #expect(!description.isEmpty && description.utf8.count <= SavedActivityRules.maximumShown)
        #expect(!SavedActivityRules.listed(payload.description_p).hasWebpageURL)

        let items = (0..<1000).map { number in
            Baton_Control_V1_SavedActivity.with {
                $0.savedID = "\(number)"
                $0.contentDescription = String(repeating: "d", count: 10_000)
            }
        }
        let fitting = SavedActivityRules.fitting(items)
        let answer = Baton_Control_V1_ListSavedActivitiesResponse.with { $0.activities = fitting }
        let size = (try? (answer.serializedBytes() as [UInt8]).count) ?? .max
        #expect(size <= SavedActivityRules.maximumAnswer && size > SavedActivityRules.maximumAnswer - 20_000)
        #expect(fitting == Array(items.prefix(fitting.count)))
        #expect(SavedActivityRules.fitting(items.prefix(100)).count == 100)
    }
}
