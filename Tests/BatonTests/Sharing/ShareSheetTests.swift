import Foundation
import Testing

@testable import Baton

/// The share sheet: what is offered, and what becomes of the choice.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct ShareSheetTests {
    private nonisolated static let png =
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
                + "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==") ?? Data()

    private static let everything = SharingBench(
        programs: ["wl-copy", "lp", "xdg-email"], variables: ["WAYLAND_DISPLAY": "wayland-0"])

    private func temporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test("only activities that work with the items are offered; types are inferred from them (A-2, A-3, A-7)")
    func offers() async throws {
        let bench = SharingBench(
            programs: ["wl-copy", "lp", "xdg-email"], variables: ["WAYLAND_DISPLAY": "wayland-0"])
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(schemes: ["mailto", "sms"], documentApps: [("com.example.Viewer", "Viewer")])
            @MainActor func offered(_ items: Any...) async -> [String] {
                _ = await share(items)
                return bench.offered
            }
            #expect(await offered("Hello") == ["AirDrop", "Message", "Mail", "Copy", "Print", "Save to a Folder"])
            let page = try #require(URL(string: "https://example.com/"))
            #expect(await offered(page) == ["AirDrop", "Message", "Mail", "Copy"])
            let image = try #require(UIImage(data: Self.png))
            #expect(
                await offered(image)
                    == ["AirDrop", "Mail", "Open in Viewer", "Copy", "Print", "Save to a Folder"])
            #expect(
                await offered(URL(fileURLWithPath: "/tmp/a.zip"))
                    == ["AirDrop", "Mail", "Open in Viewer", "Copy", "Save to a Folder"])
            // A picture and a text: nothing copies both, and no app opens a text as a document.
            #expect(await offered(image, "Hello") == ["AirDrop", "Mail", "Print", "Save to a Folder"])
            // The classes of before Swift count as well.
            #expect(
                await offered(NSString(string: "Hello"))
                    == ["AirDrop", "Message", "Mail", "Copy", "Print", "Save to a Folder"])
            #expect(await offered(NSAttributedString(string: "Hello")).contains("Copy"))
        }
    }

    @Test("without programs, a display, handlers or a daemon's answer, the sheet offers what is left (A-3)")
    func offersLess() async throws {
        let bench = SharingBench(programs: ["wl-copy"])
        try await withApp(sharing: bench.tools) { app in
            _ = await share(["Hello"])
            #expect(bench.offered == ["AirDrop", "Save to a Folder"])
            let outcome = await share([NSNull()])
            #expect(outcome.error != nil && !outcome.isCompleted)
            #expect(bench.questions.count == 1)
        }
    }

    @Test("what is excluded is not offered (A-4)")
    func excluded() async throws {
        let bench = Self.everything
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(schemes: ["mailto", "sms"])
            _ = await share(["Hello"], excluding: [.mail, .copyToPasteboard, .airDrop, .init("com.example.other")])
            #expect(bench.offered == ["Message", "Print", "Save to a Folder"])
        }
    }

    @Test("AirDrop gets files, texts as files, and URLs; the sheet tells how it ended (A-1, A-4, A-5)")
    func airDrop() async throws {
        let bench = SharingBench()
        try await withApp(sharing: bench.tools) { app in
            let image = try #require(UIImage(data: Self.png))
            let page = try #require(URL(string: "https://example.com/"))
            app.daemon.airDrop(["choosing", "asking", "sending", "delivered"])
            bench.choose("AirDrop")
            let sent = await share([image, "Hello", page])
            #expect(sent.type == .airDrop && sent.isCompleted && sent.error == nil)
            #expect(
                app.daemon.opened == ["airdrop Image.png", "airdrop Text.txt: Hello", "airdrop https://example.com/"])

            app.daemon.airDrop(["choosing", "cancelled"])
            bench.choose("AirDrop")
            let cancelled = await share(["Hello"])
            #expect(cancelled.type == .airDrop && !cancelled.isCompleted && cancelled.error == nil)

            app.daemon.airDrop(["choosing", "asking", "declined"])
            bench.choose("AirDrop")
            let declined = await share(["Hello"])
            #expect(declined.type == .airDrop && !declined.isCompleted)
            #expect(declined.error?.localizedDescription == "Kitchen declined.")

            // The daemon dies in between.
            app.daemon.airDrop(["choosing"])
            bench.choose("AirDrop")
            let broken = await share(["Hello"])
            #expect(!broken.isCompleted && broken.error != nil)

            _ = await share(["Hello"], excluding: [.airDrop])
            #expect(bench.offered == ["Save to a Folder"])
        }
    }

    @Test(
        "a sheet that the person leaves ends without a choice; the handler is called once, after it is dismissed (A-6)")
    func cancelled() async throws {
        let bench = SharingBench()
        try await withApp(sharing: bench.tools) { _ in
            let outcome = await share(["Hello"])
            #expect(outcome.type == nil && !outcome.isCompleted && outcome.error == nil)

            let controller = UIActivityViewController(activityItems: ["Hello"], applicationActivities: nil)
            let host = UIViewController()
            let journal = Journal()
            controller.completionWithItemsHandler = { _, isCompleted, _, _ in
                journal.note("over \(isCompleted) \(host.presentedViewController == nil)")
            }
            // Listing 6-1 presents it modally; where there is room, it is in a popover (A-6).
            host.present(controller, animated: true) { journal.note("presented") }
            #expect(controller.popoverPresentationController?.presentedViewController === controller)
            #expect(host.presentedViewController === controller && controller.presentingViewController === host)
            host.dismiss(animated: true)
            #expect(journal.all == ["presented", "over false true"])
            #expect(controller.completionWithItemsHandler == nil)
        }
    }

    @Test("an app's activity is prepared with the items, performed, and ended by itself (A-3)")
    func applicationActivity() async throws {
        let bench = SharingBench()
        try await withApp(sharing: bench.tools) { _ in
            let activity = UploadActivity()
            bench.choose("Upload")
            let outcome = await share(["Hello", 7], [activity, UploadActivity(accepting: false)])
            #expect(bench.offered == ["Upload"])
            #expect(outcome.type == UploadActivity.type && outcome.isCompleted)
            #expect(activity.journal.all == ["can 2", "prepare Hello", "perform"])

            // One that shows a controller of its own.
            let shown = UploadActivity(controller: UIViewController())
            bench.choose("Upload")
            let second = await share(["Hello"], [shown])
            #expect(second.isCompleted && shown.journal.all == ["can 1", "prepare Hello", "appeared"])
        }
    }

    @Test("a source gives another item for each activity, a provider makes its own off the main thread (A-5)")
    func sources() async throws {
        let bench = SharingBench(programs: ["xclip"], variables: ["DISPLAY": ":0"])
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(schemes: ["mailto"])
            bench.choose("Copy")
            let provider = SlowProvider(placeholderItem: "")
            let copied = await share([TextSource(), provider])
            #expect(copied.type == .copyToPasteboard && copied.isCompleted, "\(copied)")
            #expect(
                bench.runs == [
                    .init(
                        program: "/usr/bin/xclip",
                        arguments: ["-selection", "clipboard", "-in", "-target", "UTF8_STRING"],
                        input: "for CopyToPasteboard\nmade for CopyToPasteboard")
                ])
            bench.choose("Mail")
            let mailed = await share([TextSource()])
            #expect(mailed.type == .mail && mailed.isCompleted)
            #expect(app.daemon.opened == ["mailto:?subject=S%C3%BCbject&body=for%20Mail"])
        }
    }

    @Test("data has the type that its source says, and no activity gets what it was not announced (A-3, A-5)")
    func dataSources() async throws {
        let bench = SharingBench(programs: ["wl-copy"], variables: ["WAYLAND_DISPLAY": "w"])
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(documentApps: [("com.example.Viewer", "Viewer")])
            bench.choose("Open in Viewer")
            let outcome = await share([DataSource(type: "public.plain-text", data: Data("text".utf8))])
            // Plain text is a text, and no document.
            #expect(outcome.type == nil)
            bench.choose("Open in Viewer")
            let opened = await share([DataSource(type: "com.adobe.pdf", data: Data("%PDF".utf8))])
            #expect(opened.type == .openInApp && opened.isCompleted)
            #expect(app.daemon.opened == ["com.example.Viewer Document.pdf: %PDF"])
        }
    }

    @Test("an item provider's best type is what is shared (A-5)")
    func itemProviders() async throws {
        let bench = SharingBench(programs: ["wl-copy"], variables: ["WAYLAND_DISPLAY": "w"])
        try await withApp(sharing: bench.tools) { _ in
            let provider = NSItemProvider()
            provider.suggestedName = "Picture"
            provider.registerDataRepresentation(forTypeIdentifier: "public.png") { completion in
                completion(Self.png, nil)
                completion(nil, nil)
                return nil
            }
            #expect(provider.hasItemConformingToTypeIdentifier("public.image"))
            #expect(!provider.hasItemConformingToTypeIdentifier("public.text"))
            bench.choose("Copy")
            let outcome = await share([provider])
            #expect(outcome.isCompleted)
            #expect(bench.runs.map(\.arguments) == [["--type", "image/png"]])
        }
    }

    @Test("an app that has not opened a document is named, and on a locked device the reason (A-15)")
    func notOpened() async throws {
        let bench = SharingBench()
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.txt")
        try Data("a".utf8).write(to: file)
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(documentApps: [("com.example.Viewer", "Viewer")])
            app.daemon.declineDocuments()
            for isAvailable in [true, false] {
                app.runtime.setProtectedData(isAvailable: isAvailable)
                bench.choose("Open in Viewer")
                let outcome = await share([file])
                #expect(
                    outcome.error?.localizedDescription
                        == (isAvailable
                            ? "Viewer was given “a.txt”, but did not open it."
                            : "This device is locked, so Viewer cannot read “a.txt”. Unlock it, and open it again."))
            }
        }
    }

    @Test("files are attached to a mail by the program for it; what fails is told with the activity's type (A-3)")
    func attachments() async throws {
        let bench = SharingBench(programs: ["xdg-email"])
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.txt")
        try Data("a".utf8).write(to: file)
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(schemes: ["mailto"])
            bench.choose("Mail")
            _ = await share([file, "--see \"this\"; $(reboot)"])
            #expect(
                bench.runs.map(\.arguments) == [
                    ["--utf8", "--body", "--see \"this\"; $(reboot)", "--attach", file.path]
                ])
        }
        // A program that a confined app starts could not read the file.
        let confined = SharingBench(programs: ["xdg-email"], isConfined: true)
        try await withApp(sharing: confined.tools) { app in
            app.daemon.offer(schemes: ["mailto"])
            _ = await share([file])
            #expect(!confined.offered.contains("Mail"))
        }
    }

    @Test("saving writes over nothing, and no name leads out of the folder")
    func saves() async throws {
        let bench = SharingBench()
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withApp(sharing: bench.tools) { _ in
            let provider = NSItemProvider(item: "Hello", typeIdentifier: "public.plain-text")
            provider.suggestedName = "../../../.e\u{202E}vil"
            for _ in 0..<2 {
                bench.choose("Save to a Folder")
                bench.answer { _ in .text(folder.path) }
                let outcome = await share([provider])
                #expect(outcome.type == .saveToFolder && outcome.isCompleted, "\(outcome)")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".txt") && !$0.hasPrefix(".") }, "\(names)")
            // A folder that does not take it.
            bench.choose("Save to a Folder")
            bench.answer { _ in .text("/proc/nowhere") }
            let failed = await share([provider])
            #expect(failed.type == .saveToFolder && !failed.isCompleted)
            #expect(failed.error?.localizedDescription.contains("/proc/nowhere") == true)
        }
    }
}

private final class UploadActivity: UIActivity {
    nonisolated static let type = ActivityType("com.example.upload")
    let journal = Journal()
    private let accepts: Bool
    private let controller: UIViewController?

    init(accepting accepts: Bool = true, controller: UIViewController? = nil) {
        self.accepts = accepts
        self.controller = controller
        super.init()
    }

    override var activityType: ActivityType? { Self.type }
    override var activityTitle: String? { "Upload" }

    override func canPerform(withActivityItems activityItems: [Any]) -> Bool {
        journal.note("can \(activityItems.count)")
        return accepts
    }

    override func prepare(withActivityItems activityItems: [Any]) {
        journal.note("prepare \(activityItems.first ?? "")")
    }

    override var activityViewController: UIViewController? {
        guard controller != nil else { return nil }
        let shown = ShownController()
        shown.appeared = { [self] in
            journal.note("appeared")
            activityDidFinish(true)
        }
        return shown
    }

    override func perform() {
        journal.note("perform")
        // Later, and twice.
        Task {
            activityDidFinish(true)
            activityDidFinish(false)
        }
    }
}

private final class ShownController: UIViewController {
    var appeared: (() -> Void)?
    override func viewDidAppear(_ animated: Bool) { appeared?() }
}

private final class TextSource: NSObject, UIActivityItemSource {
    func activityViewControllerPlaceholderItem(_ activityViewController: UIActivityViewController) -> Any { "" }

    func activityViewController(
        _ activityViewController: UIActivityViewController, itemForActivityType activityType: UIActivity.ActivityType?
    ) -> Any? { "for \(activityType?.rawValue.split(separator: ".").last ?? "none")" }

    func activityViewController(
        _ activityViewController: UIActivityViewController,
        subjectForActivityType activityType: UIActivity.ActivityType?
    ) -> String { "Sübject" }
}

private final class DataSource: NSObject, UIActivityItemSource {
    private let type: String
    private let data: Data

    init(type: String, data: Data) {
        self.type = type
        self.data = data
        super.init()
    }

    func activityViewControllerPlaceholderItem(_ activityViewController: UIActivityViewController) -> Any { Data() }

    func activityViewController(
        _ activityViewController: UIActivityViewController, itemForActivityType activityType: UIActivity.ActivityType?
    ) -> Any? { data }

    func activityViewController(
        _ activityViewController: UIActivityViewController,
        dataTypeIdentifierForActivityType activityType: UIActivity.ActivityType?
    ) -> String { type }
}

private final class SlowProvider: UIActivityItemProvider, @unchecked Sendable {
    override var item: Any {
        isOnMainQueue ? "on main" : "made for \(activityType?.rawValue.split(separator: ".").last ?? "none")"
    }
}
