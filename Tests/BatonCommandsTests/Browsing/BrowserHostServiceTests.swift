import BatonClient
import BatonCommands
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

/// The host between pipes and a scripted daemon.
@Suite(.timeLimit(.minutes(1))) struct BrowserHostServiceTests {
    /// The browser's ends of the pipes.
    private final class Browser: Sendable {
        let output = AsyncStream.makeStream(of: String.self)
        private let input = Pipe()

        func environment(_ daemon: FakeDaemon) -> BrowserHostService.Environment {
            .init(
                publisher: .init(makeClient: { daemon }, sleep: { _ in try await Task.sleep(for: .seconds(3600)) }),
                read: { [input] in Array(input.fileHandleForReading.availableData) },
                write: { [output] in output.continuation.yield(String(decoding: $0.dropFirst(4), as: UTF8.self)) })
        }

        /// However long: a browser sends more than it takes.
        func say(_ text: String) {
            write(withUnsafeBytes(of: UInt32(text.utf8.count)) { Array($0) } + Array(text.utf8))
        }
        func write(_ bytes: [UInt8]) { try? input.fileHandleForWriting.write(contentsOf: Data(bytes)) }
        func close() { try? input.fileHandleForWriting.close() }

        func hears(_ part: String) async -> String? {
            for await message in output.stream where message.contains(part) { return message }
            return nil
        }
    }

    private static func daemon() -> FakeDaemon {
        let daemon = FakeDaemon()
        daemon.on(ControlMethods.getStatus) { _ in
            .with {
                $0.deviceName = "Here"
                $0.accountID = "A"
            }
        }
        daemon.onStream(ControlMethods.watchOffers) { _ in AsyncThrowingStream { $0.yield(.init()) } }
        return daemon
    }

    /// Runs the host while `body` plays the browser, and closes the browser's end.
    private static func run(
        _ daemon: FakeDaemon, _ body: @escaping @Sendable (Browser) async throws -> Void
    ) async throws {
        let browser = Browser()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await BrowserHostService(browser.environment(daemon)).run() }
            group.addTask {
                try await body(browser)
                browser.close()
            }
            try await group.waitForAll()
        }
    }

    @Test("The host says that the daemon runs, and ends when the browser does")
    func status() async throws {
        try await Self.run(Self.daemon()) { browser in
            let status = await browser.hears("status")
            #expect(status?.contains(#""daemon":"running","device":"Here","hasAccount":true"#) == true)
        }
    }

    @Test("A malformed message is answered with an error, and the next one is served")
    func malformed() async throws {
        try await Self.run(Self.daemon()) { browser in
            browser.say("{")
            #expect(await browser.hears(#""kind":"error","reason":"malformed_message""#) != nil)
            browser.say(#"{"kind":"watchOffers"}"#)
            #expect(await browser.hears(#"{"kind":"offers","offers":[]}"#) != nil)
        }
    }

    @Test("A message over the limit is answered with an error and passed over, and the next one is served")
    func passesOver() async throws {
        try await Self.run(Self.daemon()) { browser in
            browser.say(
                #"{"kind":"page","url":"https://example.com/\#(String(repeating: "x", count: 2_200_000))","visit":true}"#
            )
            #expect(await browser.hears(#""kind":"error","reason":"message_too_large""#) != nil)
            browser.say(#"{"kind":"watchOffers"}"#)
            #expect(await browser.hears(#"{"kind":"offers","offers":[]}"#) != nil)
        }
    }

    @Test("After a length that no message has, and after a message that is cut, the host says so and ends")
    func broken() async throws {
        for (bytes, reason) in [
            ([0xFF, 0xFF, 0xFF, 0x7F], "message_too_large"), ([4, 0, 0, 0, 0x7B], "message_cut"),
        ] as [([UInt8], String)] {
            await #expect(throws: BatonError.self) {
                try await Self.run(Self.daemon()) { browser in
                    browser.write(bytes)
                    if reason == "message_cut" { browser.close() }
                    #expect(await browser.hears(reason) != nil)
                }
            }
        }
    }

    @Test("A page is published with nothing else of the browser, and withdrawn with its identifier")
    func publishes() async throws {
        let daemon = Self.daemon()
        let (updates, updated) = AsyncStream.makeStream(of: Baton_App_V1_UpdateActivityRequest.self)
        let (ends, ended) = AsyncStream.makeStream(of: Baton_App_V1_InvalidateActivityRequest.self)
        daemon.onStream(AttachmentMethods.attach) { request in
            #expect(daemon.claim == AppClaim(bundleID: "org.baton.browser-extension"))
            #expect(!request.canContinue)
            return AsyncThrowingStream { stream in
                stream.yield(.with { $0.attached.sessionID = "S" })
            }
        }
        daemon.on(ActivityMethods.updateActivity) { request in
            updated.yield(request)
            return .init()
        }
        daemon.on(ActivityMethods.invalidateActivity) { request in
            ended.yield(request)
            return .init()
        }
        try await Self.run(daemon) { browser in
            browser.say(#"{"kind":"page","url":"https://example.com/","title":"T","visit":true}"#)
            var first: Baton_App_V1_UpdateActivityRequest?
            for await update in updates {
                first = update
                break
            }
            let update = try #require(first)
            #expect(update.makeCurrent && update.sessionID == "S")
            #expect(update.activity.activityType == "NSUserActivityTypeBrowsingWeb")
            #expect(update.activity.webpageURL == "https://example.com/" && update.activity.title == "T")
            #expect(update.activity.eligibleForHandoff)
            browser.say(#"{"kind":"noPage"}"#)
            for await end in ends {
                #expect(end.activityID == update.activity.activityID)
                break
            }
        }
    }

    @Test("The page of an offer is asked of the daemon for the browser to open")
    func opens() async throws {
        let daemon = Self.daemon()
        let offer = ActivityID.random()
        daemon.onStream(ControlMethods.continueOffer) { request in
            #expect(request.offerID == offer.rawValue)
            #expect(request.callerOpensPage)
            return stream(
                Baton_Control_V1_ContinuationEvent.with { $0.step = .accepted },
                .with {
                    $0.step = .pageOpened
                    $0.pageURL = "https://example.com/x"
                })
        }
        try await Self.run(daemon) { browser in
            browser.say(#"{"kind":"open","offerId":"\#(offer)","request":5}"#)
            #expect(await browser.hears(#"{"kind":"page","request":5,"url":"https://example.com/x"}"#) != nil)
        }
    }

    @Test("A daemon that is away is told of with what to do, and found again when somebody asks")
    func away() async throws {
        let daemon = Self.daemon()
        let flag = Flag()
        daemon.on(ControlMethods.getStatus) { _ in
            guard flag.isSet else {
                throw BatonError(.unavailable, reason: "daemon_not_running", "Start it with systemctl.")
            }
            return .with { $0.deviceName = "Here" }
        }
        try await Self.run(daemon) { browser in
            #expect(await browser.hears(#""daemon":"away""#)?.contains("systemctl") == true)
            flag.set()
            browser.say(#"{"kind":"status"}"#)
            #expect(await browser.hears(#""daemon":"running""#)?.contains(#""hasAccount":false"#) == true)
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }
}
