import AppLink
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// The frameworks' handling of the activity of a document that the app does not continue itself.
@Suite("Continuing documents", .timeLimit(.minutes(1)), .serialized) @MainActor struct DocumentContinuationTests {
    private final class Page: NSDocument {
        var text = ""
        let restored = Mailbox<String>()

        override func read(from data: Data, ofType typeName: String) throws {
            text = String(decoding: data, as: UTF8.self)
        }

        override func data(ofType typeName: String) throws -> Data { Data(text.utf8) }

        override func restoreUserActivityState(_ userActivity: NSUserActivity) {
            restored.send("\(text) at \(userActivity.userInfo?["selection"] as? Int ?? -1)")
        }
    }

    private let fixture: DocumentFixture

    init() throws {
        fixture = try DocumentFixture()
        // The controller is the process's: other tests have other types.
        NSDocumentController.shared.register(Page.self, forType: "com.example.page")
    }

    private var environment: DocumentEnvironment {
        var environment = fixture.environment
        environment.type = { _ in "com.example.page" }
        return environment
    }

    private func command(_ acceptance: String, _ url: URL) -> Baton_App_V1_AppCommand.OneOf_Kind {
        continueActivity(
            acceptance, type: "com.myCompany.myEditor.editing",
            userInfo: .dictionary([.string(NSUserActivityDocumentURLKey): .url(url), .string("selection"): .integer(3)])
        )
    }

    private static let handled = AttachedCommand.Result.continued(.with { $0.handled = true })

    @Test(
        "AppKit opens the document when the delegate has no continue, or it returns false (H-62, H-73)",
        arguments: [true, false])
    func appKit(declines: Bool) async throws {
        final class Declining: NSObject, NSApplicationDelegate {
            func application(
                _ application: NSApplication, continue userActivity: NSUserActivity,
                restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
            ) -> Bool { false }
        }
        final class Silent: NSObject, NSApplicationDelegate {}
        let url = fixture.url(declines ? "a.rtfd" : "b.rtfd")
        try Data("text".utf8).write(to: url)
        try await DocumentEnvironment.$scoped.withValue(environment) {
            try await withApp { app in
                let delegate: any NSApplicationDelegate = declines ? Declining() : Silent()
                let coordinator = ContinuationCoordinator(runtime: app.runtime)
                app.runtime.appKitApplication.delegate = delegate
                guard case .continueActivity(let message) = command("A", url) else { throw UnexpectedCall() }
                #expect(coordinator.continueActivity(message) == Self.handled)
                while NSDocumentController.shared.document(for: url) == nil { await Task.yield() }
                let document = try #require(NSDocumentController.shared.document(for: url) as? Page)
                #expect(try await document.restored.next() == "text at 3")
                #expect(!document.windowControllers.isEmpty)
                document.close()
                withExtendedLifetime(delegate) {}
            }
        }
    }

    @Test("A document that cannot be opened is told to the delegate; an activity of no document is not handled (H-62)")
    func failing() async throws {
        final class Listening: NSObject, NSApplicationDelegate {
            let failures = Mailbox<Int>()
            func application(
                _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String,
                error: any Error
            ) { failures.send((error as NSError).code) }
        }
        var environment = environment
        environment.makeAvailable = { url, waits in if waits { throw UbiquityErrors.notArrived(url) } }
        try await DocumentEnvironment.$scoped.withValue(environment) {
            try await withApp { app in
                let delegate = Listening()
                app.runtime.appKitApplication.delegate = delegate
                let coordinator = ContinuationCoordinator(runtime: app.runtime)
                guard case .continueActivity(let message) = command("A", fixture.url("none.rtfd")),
                    case .continueActivity(let foreign) = command(
                        "B", try #require(URL(string: "x-baton-document:unknown")))
                else { throw UnexpectedCall() }
                #expect(coordinator.continueActivity(message) == Self.handled)
                #expect(try await delegate.failures.next() == 4353)
                #expect(coordinator.continueActivity(foreign) == .continued(.with { $0.handled = false }))
            }
        }
    }

    @Test(
        "UIKit gives the app the document's URL, and the document that it opens there restores the state (H-62, H-73)")
    func uiKit() async throws {
        final class Restoring: UIDocument {
            let restored = Mailbox<Int>()
            override func load(fromContents contents: Any, ofType typeName: String?) throws {}
            override func contents(forType typeName: String) throws -> Any { Data() }
            override func restoreUserActivityState(_ activity: NSUserActivity) {
                restored.send(activity.userInfo?["selection"] as? Int ?? -1)
            }
        }
        final class Opening: UIResponder, UIApplicationDelegate {
            let documents = Mailbox<Restoring>()
            func application(
                _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
            ) -> Bool {
                let document = Restoring(fileURL: url)
                document.open { _ in self.documents.send(document) }
                return options[.openInPlace] as? Bool ?? false
            }
        }
        let url = fixture.url("c.rtfd")
        try Data("text".utf8).write(to: url)
        try await DocumentEnvironment.$scoped.withValue(environment) {
            try await withApp { app in
                let delegate = Opening()
                app.runtime.application.delegate = delegate
                let coordinator = ContinuationCoordinator(runtime: app.runtime)
                guard case .continueActivity(let message) = command("A", url) else { throw UnexpectedCall() }
                #expect(coordinator.continueActivity(message) == Self.handled)
                let document = try #require(try await delegate.documents.next())
                #expect(try await document.restored.next() == 3)
                #expect(await document.close())
            }
        }
    }

    @Test(
        "The editor's Info.plist has the source's document type word for word, and its activity type counts (H-59, H-60, S-15)"
    )
    func plist() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Examples/RichTextEditor/Info.plist").standardizedFileURL
        let content = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: path), options: [], format: nil)
        let info = try #require(content as? [String: Any])
        let types = try #require(info["CFBundleDocumentTypes"] as? [NSDictionary])
        #expect(
            types == [
                [
                    "CFBundleTypeName": "NSRTFDPboardType", "LSItemContentTypes": ["com.myCompany.rtfd"],
                    "NSUbiquitousDocumentUserActivityType": "com.myCompany.myEditor.editing",
                ]
            ])
        #expect(AppBundle(infoDictionary: info).activityTypes == ["com.myCompany.myEditor.editing"])
    }
}
