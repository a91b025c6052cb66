import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

@MainActor
@Suite(.timeLimit(.minutes(1))) struct NSUserActivityTests {
    @Test("an activity has its type for life and Apple's defaults (H-19, H-21, H-22, H-28)")
    func defaults() {
        let activity = NSUserActivity(activityType: "com.example.edit")
        #expect(activity.activityType == "com.example.edit")
        #expect(activity.title == nil)
        #expect(activity.userInfo == nil)
        #expect(activity.requiredUserInfoKeys == nil)
        #expect(!activity.needsSave)
        #expect(activity.webpageURL == nil)
        #expect(activity.referrerURL == nil)
        #expect(activity.expirationDate == nil)
        #expect(activity.keywords.isEmpty)
        #expect(!activity.supportsContinuationStreams)
        #expect(activity.delegate == nil)
        #expect(activity.targetContentIdentifier == nil)
        #expect(activity.isEligibleForHandoff)
        #expect(!activity.isEligibleForSearch)
        #expect(!activity.isEligibleForPublicIndexing)
        #expect(!activity.isEligibleForPrediction)
        #expect(activity.persistentIdentifier == nil)
        #expect(activity.suggestedInvocationPhrase == nil)
        #expect(activity.minimumAppVersion == nil)
        #expect(activity.contentAttributeSet == nil)
        #expect(activity.mapItem == nil)
        activity.suggestedInvocationPhrase = "Edit"
        #expect(activity.suggestedInvocationPhrase == "Edit")
    }

    @Test("the strings of types and keys are Apple's")
    func constants() {
        #expect(NSUserActivityTypeBrowsingWeb == "NSUserActivityTypeBrowsingWeb")
        #expect(NSUserActivityDocumentURLKey == "NSUserActivityDocumentURL")
        #expect(CSSearchableItemActionType == "com.apple.corespotlightitem")
        #expect(CSSearchableItemActivityIdentifier == "kCSSearchableItemActivityIdentifier")
        #expect(CSQueryContinuationActionType == "com.apple.corespotlightquery")
        #expect(CSSearchQueryString == "kCSSearchQueryString")
    }

    @Test("userInfo may be assigned whole and gives back every type that it may hold (H-22, H-23, H-27)")
    func userInfoTypes() throws {
        let activity = NSUserActivity(activityType: "com.example.edit")
        let (date, uuid) = (Date(timeIntervalSinceReferenceDate: 1_000.5), UUID())
        activity.userInfo = [
            "array": [1, "two"], "data": Data([1, 2]), "date": date, "dictionary": ["a": 1], "null": NSNull(),
            "integer": 7, "double": 1.0, "bool": true, "set": Set(["x"]), "string": "text",
            "url": URL(string: "https://example.org")!, "uuid": uuid, 5: "integer key",
            "nsstring": NSString(string: "ns"), "nsnumber": NSNumber(value: 3.5), "nsarray": NSArray(array: ["a"]),
        ]
        let info = try #require(activity.userInfo)
        #expect(info.count == 16)
        #expect((info["array"] as? [Any])?.count == 2)
        #expect(info["data"] as? Data == Data([1, 2]))
        #expect(info["date"] as? Date == date)
        #expect((info["dictionary"] as? [AnyHashable: Any])?["a"] as? Int == 1)
        #expect(info["null"] is NSNull)
        #expect(type(of: try #require(info["integer"])) == Int.self)
        #expect(type(of: try #require(info["double"])) == Double.self)
        #expect(type(of: try #require(info["bool"])) == Bool.self)
        #expect(info["set"] as? Set<AnyHashable> == ["x"])
        #expect(info["url"] as? URL == URL(string: "https://example.org"))
        #expect(info["uuid"] as? UUID == uuid)
        #expect(info[5] as? String == "integer key")
        #expect(info["nsstring"] as? String == "ns")
        #expect(info["nsnumber"] as? Double == 3.5)
        activity.userInfo?["string"] = nil
        #expect(activity.userInfo?.count == 15)
        activity.userInfo = nil
        #expect(activity.userInfo == nil)
    }

    @Test("addUserInfoEntries merges, and its values win (H-26)")
    func addEntries() {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.addUserInfoEntries(from: ["a": 1])
        activity.addUserInfoEntries(from: ["a": 2, "b": 3])
        #expect(activity.userInfo?["a"] as? Int == 2)
        #expect(activity.userInfo?["b"] as? Int == 3)
    }

    @Test("no other property sets needsSave, and the app may set it again (H-30)")
    func needsSave() {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.title = "T"
        activity.userInfo = ["a": 1]
        activity.webpageURL = URL(string: "https://example.org")
        activity.targetContentIdentifier = "c"
        #expect(!activity.needsSave)
        activity.needsSave = true
        #expect(activity.needsSave)
    }

    @Test("a web page is used as it is, http or https in any case (H-96)", arguments: ["http", "https", "HTTPS"])
    func webpage(scheme: String) {
        let activity = NSUserActivity(activityType: "com.example.edit")
        let url = URL(string: "\(scheme)://example.org/p?q=1#f")
        activity.webpageURL = url
        #expect(activity.webpageURL == url)
        activity.webpageURL = nil
        #expect(activity.webpageURL == nil)
    }

    @Test("the delegate is held weakly")
    func weakDelegate() {
        let activity = NSUserActivity(activityType: "com.example.edit")
        var delegate: RecordingActivityDelegate? = RecordingActivityDelegate(Journal())
        activity.delegate = delegate
        #expect(activity.delegate === delegate)
        delegate = nil
        #expect(activity.delegate == nil)
    }

    @Test("a typed payload replaces userInfo by its coding keys, and is read back")
    func typedPayload() throws {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.userInfo = ["old": 1]
        let draft = Draft(
            subject: "Bananas", page: URL(string: "https://example.org/b")!, id: UUID(), cursor: 3, isUrgent: true,
            weight: 1, note: nil, tags: ["a", "b"], date: Date(timeIntervalSinceReferenceDate: 10.25), image: Data([9]))
        try activity.setTypedPayload(draft)
        #expect(activity.userInfo?["old"] == nil)
        #expect(activity.userInfo?["subject"] as? String == "Bananas")
        #expect(activity.userInfo?["cursor"] as? Int == 3)
        #expect(activity.userInfo?["isUrgent"] as? Bool == true)
        #expect(try activity.typedPayload(Draft.self) == draft)
    }

    @Test("entries made by hand can be read as a typed payload")
    func typedPayloadByHand() throws {
        let activity = NSUserActivity(activityType: "com.example.edit")
        let id = UUID()
        activity.userInfo = ["page": URL(string: "https://example.org/b")!, "id": id, "tags": Set(["x"])]
        struct Part: Codable, Equatable {
            var page: URL
            var id: UUID
            var tags: Set<String>
        }
        let part = try activity.typedPayload(Part.self)
        #expect(part == Part(page: URL(string: "https://example.org/b")!, id: id, tags: ["x"]))
    }

    @Test("a payload that is no dictionary cannot be encoded, and content that does not fit is invalid")
    func typedPayloadErrors() {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.userInfo = ["subject": 5]
        #expect(throws: NSUserActivity.TypedPayloadError.encodingError) { try activity.setTypedPayload([1, 2]) }
        #expect(throws: NSUserActivity.TypedPayloadError.encodingError) { try activity.setTypedPayload("text") }
        #expect(activity.userInfo?["subject"] as? Int == 5)
        #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) { try activity.typedPayload(Draft.self) }
        activity.userInfo = nil
        #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) { try activity.typedPayload(Draft.self) }
    }

    @Test("everything of an activity but the flags for search travels, and makes an equal one (H-22)")
    func payloadRoundTrip() throws {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.title = "T"
        activity.userInfo = ["a": [1, 2.5, true] as [Any]]
        activity.requiredUserInfoKeys = ["a"]
        activity.webpageURL = URL(string: "https://example.org/p?q#f")
        activity.referrerURL = URL(string: "https://example.org/r")
        activity.expirationDate = Date(timeIntervalSince1970: 1_900_000_000.123)
        activity.keywords = ["k"]
        activity.supportsContinuationStreams = true
        activity.targetContentIdentifier = "c"
        activity.persistentIdentifier = "p"
        activity.minimumAppVersion = "2"
        activity.mapItem = MKMapItem(
            placemark: MKPlacemark(coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2)))
        var expected = activity.snapshot
        let received = try UserActivityState(received: expected.wirePayload, id: .random())
        #expect(received.id != expected.id)
        let milliseconds = try #require(received.expirationDate).timeIntervalSince1970 * 1000
        #expect(milliseconds.rounded() == 1_900_000_000_123)
        expected = UserActivityState(copying: expected, id: received.id, expirationDate: received.expirationDate)
        #expect(received == expected)
    }

    // As numbers: Foundation cannot describe a date that is not a number.
    @Test("dates at the ends of time, and none at all, can be told", arguments: [-1e300, -1, 1e300, .infinity, .nan])
    func extremeDates(seconds: Double) {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.expirationDate = Date(timeIntervalSince1970: seconds)
        let description = activity.snapshot.wireDescription
        #expect(description.hasExpirationTime)
        #expect((description.expirationTime == 0) == !(seconds > 0))
    }

    @Test("what another device sent cannot trap: a page that is none is left out, a bad type or userInfo refused")
    func hostilePayload() throws {
        var payload = NSUserActivity(activityType: "com.example.edit").snapshot.wirePayload
        payload.description_p.webpageURL = "file:///etc/passwd"
        #expect(try UserActivityState(received: payload, id: .random()).webpageURL == nil)
        payload.userInfo = .init(.string("no dictionary"))
        #expect(throws: (any Error).self) { try UserActivityState(received: payload, id: .random()) }
        payload.userInfo = .init()
        #expect(throws: (any Error).self) { try UserActivityState(received: payload, id: .random()) }
        payload.clearUserInfo()
        payload.description_p.activityType = "with space"
        #expect(throws: (any Error).self) { try UserActivityState(received: payload, id: .random()) }
    }
}

extension UserActivityState {
    fileprivate init(copying other: Self, id: ActivityID, expirationDate: Date?) {
        self.init(id: id, activityType: other.activityType)
        title = other.title
        userInfo = other.userInfo
        requiredUserInfoKeys = other.requiredUserInfoKeys
        webpageURL = other.webpageURL
        referrerURL = other.referrerURL
        self.expirationDate = expirationDate
        keywords = other.keywords
        supportsContinuationStreams = other.supportsContinuationStreams
        targetContentIdentifier = other.targetContentIdentifier
        persistentIdentifier = other.persistentIdentifier
        minimumAppVersion = other.minimumAppVersion
        mapItem = other.mapItem
    }
}

private struct Draft: Codable, Equatable {
    var subject: String
    var page: URL
    var id: UUID
    var cursor: Int
    var isUrgent: Bool
    var weight: Double
    var note: String?
    var tags: [String]
    var date: Date
    var image: Data
}

/// Notes each call.
final class RecordingActivityDelegate: NSObject, NSUserActivityDelegate, @unchecked Sendable {
    // @unchecked: `onSave` is set before the delegate is used.
    private let journal: Journal
    var onSave: (@Sendable (NSUserActivity) -> Void)?

    init(_ journal: Journal) {
        self.journal = journal
        super.init()
    }

    func userActivityWillSave(_ userActivity: NSUserActivity) {
        journal.note("willSave main=\(isOnMainQueue) needsSave=\(userActivity.needsSave)")
        onSave?(userActivity)
    }

    func userActivityWasContinued(_ userActivity: NSUserActivity) {
        journal.note("wasContinued main=\(isOnMainQueue)")
    }
}
