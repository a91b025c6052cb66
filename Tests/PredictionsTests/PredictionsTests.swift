import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Prediction
import Synchronization
import Testing

@testable import Predictions

/// Learning, offering and forgetting, with files (P-59 to P-61).
@Suite struct PredictionsTests {
    /// Apps of a test, and what was opened.
    private final class Apps: PredictionApps {
        let names = Mutex<[String: String]>([
            "com.example.mail": "Mail", "com.example.notes": "Notes", "com.example.player": "MonkeyPlayer",
        ])
        let opened = Mutex<[PredictionItem]>([])

        func name(of app: BundleID) -> String? { names.withLock { $0[app.rawValue] } }
        var installed: Set<BundleID> {
            Set(names.withLock { Array($0.keys) }.compactMap { try? BundleID(validating: $0) })
        }
        func open(_ item: PredictionItem) async throws { opened.withLock { $0.append(item) } }
    }

    /// A service on a folder, with a clock that the test moves.
    private final class World: Sendable {
        let apps = Apps()
        let time = Mutex<UInt64>(1_704_099_600_000)
        let notices = Mutex<[PredictionNotice]>([])
        let folder: String

        init(_ folder: String) { self.folder = folder }

        func service() -> Predictions {
            Predictions(
                apps: apps, folder: folder, recorder: NullEventRecorder(),
                clock: WallClock { [self] in Date(timeIntervalSince1970: Double(time.withLock { $0 }) / 1000) },
                zone: { TimeZone(secondsFromGMT: 0) ?? .autoupdatingCurrent },
                show: { [self] notice in notices.withLock { $0.append(notice) } })
        }

        func pass(_ milliseconds: UInt64) { time.withLock { $0 += milliseconds } }

        /// Mail and notes in turn; after headphones the player plays “Tone”.
        func teach(_ service: Predictions, rounds: Int = 6) throws {
            let (mail, notes, player) = (
                try BundleID(validating: "com.example.mail"), try BundleID(validating: "com.example.notes"),
                try BundleID(validating: "com.example.player")
            )
            for _ in 0..<rounds {
                for app in [mail, notes, mail, notes] {
                    pass(120_000)
                    service.used(app)
                }
                pass(3_600_000)
                service.happened(.headphones(connected: true, name: "Buds"))
                pass(60_000)
                service.used(player)
                service.record(media: "tone", name: "Tone", app: player)
                service.record(media: "other", name: "Other", app: player)
            }
            pass(7_200_000)
        }
    }

    @Test("after headphones one notice offers what was played after them, and its answer opens it (P-61)")
    func notice() async throws {
        let temporary = try TemporaryDirectory()
        let world = World(temporary.path)
        let service = world.service()
        try world.teach(service)
        world.notices.withLock { $0 = [] }
        service.happened(.headphones(connected: true, name: "Buds"))
        let notice = try #require(world.notices.withLock { $0 }.first)
        #expect(notice.title == "Headphones connected: Tone, in MonkeyPlayer")
        // Not twice in half an hour, and not for what is gone.
        service.happened(.headphones(connected: true, name: "Buds"))
        service.happened(.headphones(connected: false, name: "Buds"))
        #expect(world.notices.withLock { $0.count } == 1)
        let opened = try await service.answer(notice.key, accepts: true)
        #expect(opened && world.apps.opened.withLock { $0.map(\.id) } == ["tone"])
        await #expect(throws: BatonError.self) { try await service.answer(notice.key, accepts: true) }
    }

    @Test("what an app offers for headphones is offered without a history, unless it was declined (P-61)")
    func offered() async throws {
        let temporary = try TemporaryDirectory()
        let world = World(temporary.path)
        let service = world.service()
        let item = PredictionItem(kind: .media, app: "com.example.player", id: "tone")
        service.offers(
            PredictionOffers(candidates: [
                OfferedCandidate(item: item, name: "Tone", list: .relevant, place: 0, relevance: [.routine(7)]),
                OfferedCandidate(
                    item: PredictionItem(kind: .shortcut, app: "com.example.notes", id: "new"), name: "New note",
                    list: .suggested, place: 0),
                OfferedCandidate(
                    item: PredictionItem(kind: .shortcut, app: "com.example.gone", id: "x"), name: "Gone",
                    list: .suggested, place: 0),
            ]))
        #expect(service.list(limit: 9).media.isEmpty)
        #expect(service.list(limit: 9).shortcuts.map(\.title) == ["New note, in Notes"])
        service.happened(.headphones(connected: true, name: "Buds"))
        let notice = try #require(world.notices.withLock { $0 }.first)
        #expect(notice.title == "Headphones connected: Tone, in MonkeyPlayer" && notice.plays)
        #expect(notice.lines == ["Offered by MonkeyPlayer for just this."])
        #expect(service.list(limit: 9).media.map(\.title) == ["Tone, in MonkeyPlayer"])
        try await service.answer(notice.key, accepts: false)
        // Also after a restart the word of the app alone does not suffice any more.
        try await service.allow("com.example.nothing", true)
        let again = world.service()
        again.offers(
            PredictionOffers(candidates: [
                OfferedCandidate(item: item, name: "Tone", list: .relevant, place: 0, relevance: [.routine(7)])
            ]))
        world.pass(3_600_000)
        for one in [service, again] { one.happened(.headphones(connected: true, name: "Buds")) }
        #expect(world.notices.withLock { $0.count } == 1)
        // It was used twice since: now the person's habit says it.
        for _ in 0..<2 {
            service.record(media: "tone", name: "Tone", app: try BundleID(validating: "com.example.player"))
            world.pass(3_600_000)
            service.happened(.headphones(connected: true, name: "Buds"))
        }
        service.record(media: "tone", name: "Tone", app: try BundleID(validating: "com.example.player"))
        world.pass(3_600_000)
        world.notices.withLock { $0 = [] }
        service.happened(.headphones(connected: true, name: "Buds"))
        #expect(world.notices.withLock { $0.count } == 1)
    }

    @Test("three times Not now silence the context, also after a restart (P-61)")
    func refusals() async throws {
        let temporary = try TemporaryDirectory()
        let world = World(temporary.path)
        var service = world.service()
        try world.teach(service)
        for _ in 0..<3 {
            world.notices.withLock { $0 = [] }
            service.happened(.headphones(connected: true, name: "Buds"))
            let notice = try #require(world.notices.withLock { $0 }.first)
            try await service.answer(notice.key, accepts: false)
            world.pass(3_600_000)
        }
        // Anything that is written writes the choices.
        try await service.allow("com.example.nothing", true)
        service = world.service()
        world.notices.withLock { $0 = [] }
        service.happened(.headphones(connected: true, name: "Buds"))
        #expect(world.notices.withLock { $0.isEmpty })
        world.pass(31 * 86_400_000)
        service.happened(.headphones(connected: true, name: "Buds"))
        #expect(world.notices.withLock { $0.count } == 1)
    }

    @Test("what is likely survives a restart, and is forgotten by app and all of it (P-59)")
    func forgetting() async throws {
        let temporary = try TemporaryDirectory()
        let world = World(temporary.path)
        var service = world.service()
        try world.teach(service)
        try await service.allow("com.example.nothing", true)
        let before = service.list(limit: 9)
        #expect(before.apps.map(\.appName).contains("Mail"))
        #expect(before.media.map(\.title).contains("Tone, in MonkeyPlayer"))
        service = world.service()
        #expect(service.list(limit: 9).apps.map(\.appName) == before.apps.map(\.appName))
        let count = try await service.forget(.app("com.example.player"))
        #expect(count == 18)
        let file = try String(contentsOfFile: temporary.path + "/predictions.json", encoding: .utf8)
        #expect(!file.contains("player") && file.contains("mail"))
        #expect(service.list(limit: 9).media.isEmpty)
        try await service.forget(.all)
        #expect(world.service().list(limit: 9).apps.isEmpty)
    }

    @Test("an app that is turned off or gone is no candidate, and nothing is learned while it is off (P-59)")
    func turnedOff() async throws {
        let temporary = try TemporaryDirectory()
        let world = World(temporary.path)
        let service = world.service()
        try world.teach(service)
        try await service.allow("com.example.mail", false)
        #expect(!service.list(limit: 9).apps.map(\.appName).contains("Mail"))
        service.used(try BundleID(validating: "com.example.mail"))
        #expect(!service.list(limit: 9).apps.map(\.appName).contains("Mail"))
        await #expect(throws: BatonError.self) { try await service.allow("no bundle identifier", false) }
        world.apps.names.withLock { $0["com.example.notes"] = nil }
        await service.appsChanged()
        #expect(!service.list(limit: 9).apps.map(\.appName).contains("Notes"))
        #expect(throws: BatonError.self) { try service.explain("com.example.notes") }
        service.enable(false)
        let list = service.list(limit: 9)
        #expect(!list.isEnabled && list.apps.isEmpty && list.excluded == ["com.example.mail"])
    }

    @Test("why an app is likely is said in words, and so is why it is not (P-59)")
    func explaining() throws {
        let temporary = try TemporaryDirectory()
        let world = World(temporary.path)
        let service = world.service()
        try world.teach(service)
        service.used(try BundleID(validating: "com.example.notes"))
        let mail = try service.explain("mail")
        #expect(mail.subject == "Mail" && mail.healthy)
        #expect(mail.stages.contains { $0.name == "because" })
        let notes = try service.explain("com.example.notes")
        #expect(notes.stages.last?.finding == "It was used last, so it is not what comes next.")
        #expect(throws: BatonError.self) { try service.explain("Nothing") }
        let tone = try service.explain("Tone")
        #expect(tone.subject == "Tone, in MonkeyPlayer")
    }

    @Test("an app that tells a thousand times that it is in front is learned 30 times in a minute (P-59)")
    func floods() throws {
        let temporary = try TemporaryDirectory()
        let world = World(temporary.path)
        let service = world.service()
        let player = try BundleID(validating: "com.example.player")
        for number in 0..<1000 { service.record(media: "song \(number)", name: "", app: player) }
        #expect(service.list(limit: 50).media.count == 30)
    }

    @Test("files that are broken are no obstacle (P-59)")
    func broken() throws {
        let temporary = try TemporaryDirectory()
        try "nonsense".write(toFile: temporary.path + "/predictions.json", atomically: true, encoding: .utf8)
        let service = World(temporary.path).service()
        #expect(service.list(limit: 9).apps.isEmpty)
    }
}
