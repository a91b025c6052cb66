import BatonCore
import Foundation
import Testing

@testable import Baton

/// Serialized, since the handler is one for the whole process. No other test makes these mistakes.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(1))) struct BatonExceptionsTests {
    private func mistakes(in body: () -> Void) -> [BatonException] {
        let mailbox = Mailbox<BatonException>()
        let previous = BatonExceptions.handler
        BatonExceptions.handler = { mailbox.send($0) }
        defer { BatonExceptions.handler = previous }
        body()
        return mailbox.pending
    }

    @Test("a value that cannot be carried is refused with the path to it, and nothing is stored (H-23)")
    func invalidUserInfo() {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.userInfo = ["old": 1]
        let found = mistakes {
            activity.userInfo = ["list": [1, ["deep": Thread.current]] as [Any]]
            activity.addUserInfoEntries(from: ["good": 1, "bad": Thread.current])
        }
        #expect(found.map(\.name) == ["NSInvalidArgumentException", "NSInvalidArgumentException"])
        #expect(found.first?.reason.contains("/list[1]/deep") == true)
        #expect(activity.userInfo?.count == 1)
        #expect(activity.userInfo?["old"] as? Int == 1)
    }

    @Test("coordinates of points that a line does not have are refused, and nothing is copied")
    func points() {
        let line = MKPolyline(coordinates: [CLLocationCoordinate2D(), CLLocationCoordinate2D()], count: 2)
        var found = [kCLLocationCoordinate2DInvalid, kCLLocationCoordinate2DInvalid]
        let mistakes = mistakes {
            line.getCoordinates(&found, range: NSRange(location: 1, length: 2))
            line.getCoordinates(&found, range: NSRange(location: NSNotFound, length: 0))
            line.getCoordinates(&found, range: NSRange(location: -1, length: 1))
        }
        #expect(mistakes.count == 3)
        #expect(found == [kCLLocationCoordinate2DInvalid, kCLLocationCoordinate2DInvalid])
    }

    @Test("any scheme but http and https is refused as a web page (H-96)", arguments: ["ftp://a.b", "file:///x", "a"])
    func invalidPage(text: String) {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.webpageURL = URL(string: "https://example.org")
        let found = mistakes { activity.webpageURL = URL(string: text) }
        #expect(found.count == 1)
        #expect(found.first?.reason.contains("http") == true)
        #expect(activity.webpageURL == URL(string: "https://example.org"))
    }

    @Test("without a handler of its own, a program that sets any other scheme is stopped, and says why (H-96)")
    func invalidPageStops() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let activity = NSUserActivity(activityType: "com.example.edit")
            activity.webpageURL = URL(string: "https://example.org")
            activity.webpageURL = URL(string: "ftp://example.org")
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("NSInvalidArgumentException: NSUserActivity.webpageURL"))
        #expect(text.contains("“ftp”. Only http and https are possible."))
    }

    @Test("what a program has printed is written before a mistake ends it")
    func flushed() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
            print("printed before the mistake")
            NSUserActivity(activityType: "com.example.edit").webpageURL = URL(string: "ftp://example.org")
        }
        let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        #expect(text.contains("printed before the mistake"))
    }

    @Test(
        "a least version that no version is, is refused (H-98)",
        arguments: ["", "a", "1.", "1.2.3.4.5.6.7.8.9", "1 2", "-1"])
    func invalidVersion(text: String) {
        let activity = NSUserActivity(activityType: "com.example.edit")
        activity.minimumAppVersion = "1.20.3"
        #expect(mistakes { activity.minimumAppVersion = text }.count == 1)
        #expect(activity.minimumAppVersion == "1.20.3")
        #expect(mistakes { activity.minimumAppVersion = nil }.isEmpty)
    }

    @Test(
        "a key that is too long, and a value that no property list can hold, are mistakes and change nothing (K-2, K-6)"
    )
    func invalidKeyValues() async throws {
        let daemon = KeyValueDaemon()
        let profile = AppProfile(
            configuration: BatonConfiguration(bundleIdentifier: "com.example.App"), bundle: AppBundle(),
            executable: "/opt/tool", environment: ["BATON_SOCKET": "/run/baton.sock"])
        let runtime = AppRuntime(
            environment: .init(
                profile: { profile }, makeClient: { _ in daemon }, jitter: { 0 }, exit: { _ in }))
        let store = runtime.keyValueStore
        store.set("old", forKey: "key")
        let found = mistakes {
            store.set("x", forKey: String(repeating: "ü", count: 33))
            store.set(NSNull(), forKey: "key")
            store.set([URL(fileURLWithPath: "/")] as [Any], forKey: "key")
            store.set([1: "x"] as [AnyHashable: Any], forKey: "key")
            store.set(Date(timeIntervalSinceReferenceDate: .infinity) as Any?, forKey: "key")
            store.set(Thread.current as Any?, forKey: "key")
        }
        #expect(found.count == 6)
        #expect(
            found.allSatisfy {
                $0.name == "NSInvalidArgumentException" && $0.reason.contains("NSUbiquitousKeyValueStore")
            })
        #expect(store.dictionaryRepresentation.mapValues { $0 as? String } == ["key": "old"])
        await runtime.stop()
    }

    @Test("text that cannot be a type is a mistake, and the activity has no effect (H-19)", arguments: ["", "a b"])
    func invalidType(text: String) async throws {
        try await withApp { app in
            let found = mistakes { NSUserActivity(activityType: text).becomeCurrent() }
            #expect(found.count == 1)
            #expect(app.runtime.outboxCount == 0)
        }
    }

    @Test("init() takes the first declared type, and is a mistake without one (H-19)")
    @available(*, deprecated)
    func deprecatedInit() async throws {
        let configuration = BatonConfiguration(activityTypes: ["com.example.first", "com.example.second"])
        try await withApp(configuration) { _ in
            #expect(NSUserActivity().activityType == "com.example.first")
        }
        try await withApp { _ in
            #expect(mistakes { _ = NSUserActivity() }.count == 1)
        }
    }

    @Test("a class name that is no app delegate's is a mistake")
    func unknownDelegateClass() {
        let found = mistakes {
            #expect(UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil, "Nobody") == 1)
        }
        #expect(found.first?.reason.contains("Nobody") == true)
    }

    @Test("the default handler is the one that traps")
    func description() {
        #expect(BatonException(name: "N", reason: "R").description == "N: R")
    }
}
