import BatonCore
import BatonStore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import People

/// The lists of what apps could do next (P-61).
@Suite(.timeLimit(.minutes(1))) struct OfferedShortcutTests {
    private static let chat = ReachingApp(identity: FakePeopleApps.chat, name: "Chat", types: [])

    private static func media(_ identifier: String, _ title: String) -> Baton_App_V1_OfferedShortcut {
        .with {
            $0.intent.className = "INPlayMediaIntent"
            $0.intent.parameters = .init(attributes: [
                "mediaItems": .array([
                    .dictionary([
                        .string("identifier"): .string(identifier), .string("title"): .string(title),
                        .string("type"): .integer(1),
                    ])
                ])
            ])
        }
    }

    private static func activity(_ type: String, _ title: String) -> Baton_App_V1_OfferedShortcut {
        .with {
            $0.activity.description_p.activityType = type
            $0.activity.description_p.title = title
            $0.activity.description_p.supportsContinuationStreams = true
        }
    }

    @Test("what apps offer is read, done once by their own activity or intent, and gone with the app (P-61)")
    func offers() async throws {
        let folder = try TemporaryDirectory()
        let database = try DaemonDatabase(path: folder.file("db.sqlite"), migrations: PeopleService.migrations)
        let apps = FakePeopleApps()
        apps.set([Self.chat])
        let service = PeopleService(
            database: database, contacts: FakeContacts(all: []), apps: apps, recorder: NullEventRecorder())
        try await service.offer(
            .with {
                $0.list = .suggested
                $0.shortcuts = [
                    Self.activity("com.example.order", "Order soup"), Self.activity("not a type", "Bad"),
                    .with { $0.intent.className = "INStartCallIntent" }, .init(),
                ]
            }, from: FakePeopleApps.chat)
        try await service.offer(
            .with {
                $0.list = .upcomingMedia
                $0.shortcuts = [Self.media("song", "Tone"), Self.activity("com.example.order", "No medium")]
                $0.predictionModes = [1: 1, 2: 0]
            }, from: FakePeopleApps.chat)
        var (offered, only) = try await service.shortcuts()
        #expect(Set(offered.map(\.title)) == ["Order soup", "Start a call", "Tone"])
        #expect(only == [FakePeopleApps.chat: [1]])
        let soup = try #require(offered.first { $0.title == "Order soup" })
        #expect(try await service.perform(shortcut: soup.identifier, of: FakePeopleApps.chat.bundleID) == true)
        let first = try #require(apps.delivered.first)
        #expect(first.payload.description_p.activityType == "com.example.order")
        #expect(
            !first.payload.description_p.supportsContinuationStreams && !first.payload.description_p.activityID.isEmpty)
        #expect(try await service.perform(shortcut: "song", of: FakePeopleApps.chat.bundleID) == true)
        #expect(apps.delivered.last?.payload.description_p.activityType == "INPlayMediaIntent")
        #expect(apps.delivered.last?.interaction.intent.className == "INPlayMediaIntent")
        #expect(try await service.perform(shortcut: "other", of: FakePeopleApps.chat.bundleID) == nil)

        // An empty list removes; too long a one is refused, and nothing changes.
        try await service.offer(.with { $0.list = .suggested }, from: FakePeopleApps.chat)
        await #expect(throws: BatonError.self) {
            try await service.offer(
                .with {
                    $0.list = .suggested
                    $0.shortcuts = Array(repeating: Self.media("x", "x"), count: 101)
                }, from: FakePeopleApps.chat)
        }
        await #expect(throws: BatonError.self) { try await service.offer(.init(), from: FakePeopleApps.chat) }
        (offered, only) = try await service.shortcuts()
        #expect(offered.map(\.title) == ["Tone"])
        apps.set([])
        #expect(try await service.shortcuts().offered.isEmpty)
        try database.close()
    }
}
