import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// The system's own notices, on a desktop and where there is none (H-10, H-13, H-68, H-74).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct NoticeTests {
        private static let type = "com.example.probe.note"
        private static let probe = "com.example.probe"

        private struct Scene: Sendable {
            var household: TestHousehold
            var origin: TestApp
            var receiver: TestApp
            /// The receiver's desktop.
            var desktop: NotificationServer
        }

        /// Devices with the probe, running on the first; the second has a desktop.
        private func withDesktop(_ count: Int = 2, _ body: (Scene) async throws -> Void) async throws {
            let bus = try await SessionBus()
            do {
                let desktop = try await NotificationServer(on: bus)
                try await TestHousehold.with(count) { household in
                    household[1].use(bus)
                    try await household[1].restart()
                    for device in household.devices where device !== household[1] {
                        try await household[1].isConnected(to: device)
                        try await device.isConnected(to: household[1])
                    }
                    var bundle = TestBundle.probe(Self.probe, types: [Self.type])
                    bundle.hasIcon = true
                    try await household.install(bundle)
                    let origin = try TestApp(Self.probe, on: household[0])
                    let receiver = try TestApp(Self.probe, on: household[1])
                    try await origin.launch()
                    try await body(
                        Scene(household: household, origin: origin, receiver: receiver, desktop: desktop))
                }
                await desktop.end()
                await bus.end()
            } catch {
                await bus.end()
                throw error
            }
        }

        @Test(
            "an activity there is a notification here, whose button continues it in the app, launched for it (H-10, H-13)"
        )
        func button() async throws {
            try await withDesktop { scene in
                try scene.origin.make("one", type: Self.type, title: "One & <b>only</b>", ["number": 5])
                let (event, next) = try await scene.desktop.first("notify")
                #expect(event.summary == "probe from Device A")
                #expect(event.body == "One &amp; &lt;b&gt;only&lt;/b&gt;\nprobe continues it here.")
                #expect(event.actions?.contains("Continue") == true)
                #expect(event.icon?.hasSuffix("/Icon.png") == true)
                #expect(FileManager.default.fileExists(atPath: event.icon ?? ""))
                scene.desktop.invoke(try #require(event.id))
                try await scene.receiver.events.first("continue", ["number": "5"])
                try await scene.origin.events.first("wasContinued")
                try await scene.desktop.first("close", from: next) { $0.id == event.id }
            }
        }

        @Test("an activity that another device continues, or that ends, loses its notification (H-10)")
        func elsewhere() async throws {
            try await withDesktop(3) { scene in
                try scene.origin.make("one", type: Self.type, title: "One")
                var (event, next) = try await scene.desktop.first("notify")
                let offer = try await scene.household[2].offer(ofType: Self.type)
                _ = try await scene.household[2].continue(offer.offerID)
                next = try await scene.desktop.first("close", from: next) { [id = event.id] in $0.id == id }.next

                try scene.origin.make("two", type: Self.type, title: "Two")
                (event, next) = try await scene.desktop.first("notify", from: next)
                try scene.origin.tell(["do": "invalidate", "id": "two"])
                try await scene.desktop.first("close", from: next) { [id = event.id] in $0.id == id }
            }
        }

        @Test(
            "an app whose willContinue returns false: the system says that something comes, until continue returned (H-68)"
        )
        func progress() async throws {
            try await withDesktop { scene in
                try await scene.receiver.launch()
                let hold = scene.household[1].container(of: Self.probe) + "/hold"
                #expect(mkfifo(hold, 0o600) == 0)
                // For both, so that opening does not wait.
                let release = try FileHandle(forUpdating: URL(fileURLWithPath: hold))
                defer { try? release.close() }
                try await scene.receiver.behave("hold-quietly")
                try scene.origin.make("one", type: Self.type, title: "One")
                let offer = try await scene.household[1].offer(ofType: Self.type)
                async let events = scene.household[1].continue(offer.offerID)
                let (event, next) = try await scene.desktop.first("notify") {
                    $0.summary?.hasPrefix("Continuing") == true
                }
                #expect(event.summary == "Continuing from Device A …")
                #expect(event.body == "probe: One")
                #expect(event.actions == [])
                try release.write(contentsOf: Data([1]))
                try await scene.desktop.first("close", from: next) { $0.id == event.id }
                #expect(try await events.last?.step == .acknowledged)
            }
        }

        @Test(
            "an app without didFail: the system tells the error's sentence; an app with it tells it itself (H-74)"
        )
        func failure() async throws {
            try await withDesktop { scene in
                try FileManager.default.createDirectory(
                    atPath: scene.household[1].container(of: Self.probe), withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                let quiet = scene.household[1].container(of: Self.probe) + "/quiet"
                try Data().write(to: URL(fileURLWithPath: quiet))
                try await scene.receiver.launch()
                try await scene.origin.behave("crash-on-save")
                try scene.origin.make("one", type: Self.type, title: "One")
                let offer = try await scene.household[1].offer(ofType: Self.type)
                #expect(try await scene.household[1].continue(offer.offerID).errorCode == 4608)
                let (event, next) = try await scene.desktop.first("notify") {
                    $0.summary?.hasPrefix("Could not") == true
                }
                #expect(event.summary == "Could not continue from Device A")
                #expect(event.body?.hasPrefix("probe: One\nThe app on the other device ended") == true)
                #expect(event.hints?["category"] == "transfer.error")

                // The same again, with an app that hears of failures.
                try await scene.household[1].baton("quit", Self.probe)
                try FileManager.default.removeItem(atPath: quiet)
                try await scene.receiver.launch()
                try await scene.origin.launch()
                try await scene.origin.behave("crash-on-save")
                try scene.origin.make("two", type: Self.type, title: "Two")
                let second = try await scene.household[1].offer(ofType: Self.type, title: "Two")
                #expect(try await scene.household[1].continue(second.offerID).errorCode == 4608)
                try await scene.receiver.events.first("didFail")
                // A notice that comes after it would have come.
                try await scene.origin.launch()
                try scene.origin.make("three", type: Self.type, title: "Three")
                try await scene.desktop.first("notify", from: next) { $0.body?.hasPrefix("Three") == true }
                #expect(scene.desktop.events.count { $0.summary?.hasPrefix("Could not") == true } == 1)
            }
        }

        @Test("without a desktop “baton notices” shows the same, and the setting says what is told (H-10, H-68)")
        func commandLine() async throws {
            try await TestHousehold.with(2) { household in
                try await household.install(.probe(Self.probe, types: [Self.type]))
                let origin = try TestApp(Self.probe, on: household[0])
                try await origin.launch()
                let notices = try household[1].startBaton(["notices"])
                try origin.make("one", type: Self.type, title: "One")
                struct Notice: Decodable, Sendable {
                    var kind: String
                    var notice_id: UInt64
                    var title: String?
                    var body: String?
                    var offer_id: String?
                }
                @Sendable func next(
                    _ kind: String, where matches: @escaping @Sendable (Notice) -> Bool = { _ in true }
                ) async throws -> Notice {
                    let lines = notices.output
                    return try await within(.seconds(20), "a notice: \(kind)") {
                        let found = try await lines.first { line -> Notice? in
                            let notice = try JSONDecoder().decode(Notice.self, from: Data(line.utf8))
                            return notice.kind == kind && matches(notice) ? notice : nil
                        }
                        guard let found else { throw IntegrationFailure("baton notices ended.") }
                        return found.found
                    }
                }
                let notice = try await next("offer")
                #expect(notice.title == "probe from Device A")
                #expect(notice.body == "One\nprobe continues it here.")
                #expect(notice.offer_id == (try await household[1].offer(ofType: Self.type)).offerID)
                try await household[1].baton("settings", "set", "notifications", "offers-off")
                #expect(try await next("withdrawn").notice_id == notice.notice_id)
                try await household[1].baton("settings", "set", "notifications", "loud", expecting: 2)

                // How a continuation goes is shown all the same, by an app whose willContinue returns false.
                let receiver = try TestApp(Self.probe, on: household[1])
                try await receiver.launch()
                let hold = household[1].container(of: Self.probe) + "/hold"
                #expect(mkfifo(hold, 0o600) == 0)
                // For both, so that opening does not wait.
                let release = try FileHandle(forUpdating: URL(fileURLWithPath: hold))
                defer { try? release.close() }
                try await receiver.behave("hold-quietly")
                try origin.make("two", type: Self.type, title: "Two")
                let offer = try await household[1].offer(ofType: Self.type, title: "Two")
                async let events = household[1].continue(offer.offerID)
                let continuing = try await next("continuing")
                #expect(continuing.title == "Continuing from Device A …")
                #expect(continuing.body == "probe: Two")
                try release.write(contentsOf: Data([1]))
                _ = try await next("withdrawn") { $0.notice_id == continuing.notice_id }
                #expect(try await events.last?.step == .acknowledged)
            }
        }
    }
}
