import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

extension Integration {
    /// An app with a document class of UIKit's, as it is installed: real processes and daemons.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentAppTests {
        private static let app = "com.example.writer"
        private static let (type, activity) = ("com.example.writer.list", "com.example.writer.editing")

        /// All that its `Info.plist` says of Handoff is the activity type of its document type.
        private static var bundle: TestBundle {
            var bundle = TestBundle.probe(app, types: [])
            bundle.ubiquityContainers = ["iCloud.\(app)"]
            bundle.info = [
                "CFBundleDocumentTypes": [
                    [
                        "CFBundleTypeName": "List", "LSItemContentTypes": [type],
                        "NSUbiquitousDocumentUserActivityType": activity,
                    ]
                ],
                "UTExportedTypeDeclarations": [
                    [
                        "UTTypeIdentifier": type, "UTTypeConformsTo": ["public.data"],
                        "UTTypeTagSpecification": ["public.filename-extension": ["probelist"]],
                    ]
                ],
            ]
            return bundle
        }

        /// The app on a device, not launched yet.
        private static func writer(on device: TestDevice) throws -> TestApp {
            let writer = try TestApp(app, on: device)
            try writer.write("documents", to: "form")
            return writer
        }

        @Test(
            "a document of parts is saved as data of its type, loaded on the other device, offered and opened there by itself, and an object beside it restores the selection; what cannot be read is an error (D-15, D-16, D-37, H-54, H-61, H-63, H-73)"
        )
        func continued() async throws {
            try await TestHousehold.with(3) { household in
                try await TestCloud.with(on: 2, of: household) { cloud in
                    try await household[0].baton("cloud", "login", cloud.url, "--fingerprint", cloud.fingerprint)
                    for index in 0..<2 { try await CloudAccessTests.isConnected(household[index]) }
                    try await household.install(Self.bundle, on: Array(household.devices.prefix(2)))
                    try await Self.writeAndContinue(household)
                }
            }
        }

        private static func writeAndContinue(_ household: TestHousehold) async throws {
            let (one, other) = (try writer(on: household[0]), try writer(on: household[1]))
            try await one.launch()
            let container = try await one.events.first("container")["path"] ?? ""
            #expect(container.hasPrefix("/"))
            try one.tell(["do": "new", "title": "letter.probelist", "bytes": 100_000])
            let path = try #require(try await one.events.first("created", ["saved": "true"])["path"])
            #expect(path == container + "/letter.probelist")
            #expect(try await one.events.first("contents")["type"] == type)
            for line in ["Grüße 🐒", "second"] {
                let start = one.events.count
                try one.tell(["do": "write", "title": line])
                try await one.events.first("saved", from: start, ["saved": "true"])
            }
            try one.tell(["do": "select", "number": 7])
            try await one.events.first("selected")
            let saved = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(saved.starts(with: Data("bplist".utf8)))

            let there = path.replacing(household[0].home, with: household[1].home)
            try await household[1].until("the document to come") {
                FileManager.default.contents(atPath: there) == saved
            }
            let offer = try await household[1].offer(ofType: activity)
            #expect(offer.app.bundleID == app && offer.offer.activity.title == "letter")
            #expect(try await household[1].baton("continue", offer.offerID).status == 0)
            let loaded = try await other.events.first("loaded")
            #expect(loaded["type"] == type && loaded["title"] == "letter.probelist")
            #expect(loaded["lines"] == "Grüße 🐒|second")
            #expect(loaded["bytes"] == "100000" && loaded["isWhole"] == "true")
            let restored = try await other.events.first("restored")
            #expect(restored["selection"] == "7" && restored["path"] == there)
            // It is offered back from there, and ends with the document.
            _ = try await household[0].offer(ofType: activity)

            // Not in a form that the class reads.
            let bad = container + "/bad.probelist"
            try Data("no list".utf8).write(to: URL(fileURLWithPath: bad))
            let start = one.events.count
            try one.tell(["do": "open", "title": "bad.probelist"])
            try await one.events.first("opened", from: start, ["path": bad, "open": "false"])
            try await one.events.first("documentError", from: start)
            #expect(!one.events.all.dropFirst(start).contains { $0["event"] == "loaded" })
        }

        @Test("what was not saved yet is saved when the app is quit (D-22)")
        func quit() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                try await household.install(Self.bundle)
                let writer = try Self.writer(on: device)
                try await writer.launch()
                try await writer.events.first("container")
                try writer.tell(["do": "new", "title": "letter.probelist"])
                let path = try #require(try await writer.events.first("created", ["saved": "true"])["path"])
                try writer.tell(["do": "edit", "title": "typed and not saved"])
                try await writer.events.first("edited")
                try await device.baton("quit", Self.app)
                let saved = try #require(FileManager.default.contents(atPath: path))
                #expect(saved.range(of: Data("typed and not saved".utf8)) != nil)
            }
        }

        @Test(
            "the document's activity is observed and used from any thread, and goes and comes as the document is moved out of iCloud and into it (D-23, H-64)"
        )
        func follows() async throws {
            try await TestHousehold.with(1, paired: false) { household in
                let device = household[0]
                _ = try await device.call(ControlMethods.createAccount, .with { $0.deviceName = device.name })
                try await household.install(Self.bundle)
                let writer = try Self.writer(on: device)
                try FileManager.default.createDirectory(
                    atPath: device.container(of: Self.app) + "/Documents", withIntermediateDirectories: true)
                try await writer.launch()
                let container = try await writer.events.first("container")["path"] ?? ""
                try writer.tell(["do": "new", "title": "letter.probelist"])
                try await writer.events.first("created", ["saved": "true"])
                try await writer.events.first("activity", ["type": Self.activity])
                try writer.tell(["do": "thread"])
                try await writer.events.first("thread", ["main": "false", "type": Self.activity])

                var start = writer.events.count
                try writer.tell(["do": "leave"])
                let outside = device.container(of: Self.app) + "/Documents/letter.probelist"
                let moved = try await writer.events.first("moved", from: start)
                #expect(moved["path"]?.hasSuffix("/Documents/letter.probelist") == true)
                try await writer.events.first("activity", from: start, ["type": "none"])
                #expect(FileManager.default.fileExists(atPath: outside))
                #expect(!FileManager.default.fileExists(atPath: container + "/letter.probelist"))

                start = writer.events.count
                try writer.tell(["do": "enter"])
                try await writer.events.first("moved", from: start, ["path": container + "/letter.probelist"])
                try await writer.events.first("activity", from: start, ["type": Self.activity])
                #expect(FileManager.default.fileExists(atPath: container + "/letter.probelist"))
                start = writer.events.count
                try writer.tell(["do": "close"])
                try await writer.events.first("closed", from: start, ["closed": "true"])
                try await writer.events.first("activity", from: start, ["type": "none"])
            }
        }
    }
}
