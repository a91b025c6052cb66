import Foundation
import Testing

@testable import Baton

/// Files that travel without a share sheet (A-16).
@MainActor
@Suite(.timeLimit(.minutes(1))) struct DocumentControllerTests {
    /// `note.txt` in a folder of its own.
    private func makeFile() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("note.txt")
        try Data("Hello".utf8).write(to: file)
        return file
    }

    private final class Delegate: NSObject, UIDocumentInteractionControllerDelegate, UIDocumentPickerDelegate {
        let events = Mailbox<String>()

        func documentInteractionControllerWillPresentOpenInMenu(_ controller: UIDocumentInteractionController) {
            events.send("menu")
        }
        func documentInteractionControllerDidDismissOpenInMenu(_ controller: UIDocumentInteractionController) {
            events.send("menu gone")
        }
        func documentInteractionController(
            _ controller: UIDocumentInteractionController, willBeginSendingToApplication application: String?
        ) { events.send("to \(application ?? "")") }
        func documentInteractionController(
            _ controller: UIDocumentInteractionController, didEndSendingToApplication application: String?
        ) { events.send("sent") }
        func documentInteractionControllerDidDismissOptionsMenu(_ controller: UIDocumentInteractionController) {
            events.send("options gone")
        }
        // As Apple declares it: with an optional controller the app's method would not be the protocol's.
        func documentInteractionControllerViewControllerForPreview(
            _ controller: UIDocumentInteractionController
        ) -> UIViewController { UIViewController() }
        func documentInteractionControllerWillBeginPreview(_ controller: UIDocumentInteractionController) {
            events.send("preview")
        }
        func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]) {
            events.send("picked " + urls.map(\.lastPathComponent).joined(separator: " "))
        }
        func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) { events.send("cancelled") }

        func next(_ count: Int) async throws -> [String] {
            var all: [String] = []
            for _ in 0..<count { all.append(try await events.next() ?? "") }
            return all
        }
    }

    @Test("the delegate hears that a file is about to be previewed, and nothing is previewed without one")
    func preview() async throws {
        let bench = SharingBench()
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        try await withApp(sharing: bench.tools) { app in
            let delegate = Delegate()
            let controller = UIDocumentInteractionController(url: file)
            controller.delegate = delegate
            #expect(controller.presentPreview(animated: true))
            let events = try await delegate.next(1)
            #expect(events == ["preview"])
            #expect(!UIDocumentInteractionController().presentPreview(animated: true))
        }
    }

    @Test(
        "the document menu lists the apps for the file's type, and hands over a copy with the annotation (A-11, A-16)")
    func openIn() async throws {
        let bench = SharingBench()
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        try await withApp(sharing: bench.tools) { app in
            let controller = UIDocumentInteractionController(url: file)
            let delegate = Delegate()
            controller.delegate = delegate
            controller.annotation = ["page": 3]
            // No app opens it: nothing is shown.
            #expect(!controller.presentOpenInMenu(from: .zero, in: UIViewController(), animated: true))
            app.daemon.offer(documentApps: [("com.example.A", "A"), ("com.example.B", "B")])
            bench.choose("B")
            #expect(controller.presentOpenInMenu(from: .zero, in: UIViewController(), animated: true))
            let told1 = try await delegate.next(4)
            #expect(told1 == ["menu", "menu gone", "to com.example.B", "sent"])
            #expect(app.daemon.opened == ["com.example.B note.txt: Hello +annotation"])
            #expect(bench.offered == ["A", "B"])
            #expect(controller.presentOptionsMenu(from: .zero, in: UIViewController(), animated: true))
            let told2 = try await delegate.next(1)
            #expect(told2 == ["options gone"])
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("a confined app's picker has the daemon copy the file, and a copy that it may change leaves the Inbox (A-16)")
    func confinedPicker() async throws {
        let bench = SharingBench(variables: ["BATON_CONTAINER": "/nowhere"], isConfined: true)
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        // As the daemon leaves it in the Inbox.
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
        try await withApp(sharing: bench.tools) { _ in
            let host = UIViewController()
            let delegate = Delegate()
            for asCopy in [false, true] {
                bench.answer { _ in .text(file.path) }
                let picker = UIDocumentPickerViewController(forOpeningContentTypes: [.plainText, .png], asCopy: asCopy)
                picker.delegate = delegate
                host.present(picker, animated: true)
                let told = try await delegate.next(1)
                #expect(told == ["picked note.txt"])
                #expect(FileManager.default.fileExists(atPath: file.path) == !asCopy)
            }
            #expect(
                bench.questions.map(\.inboxTypes) == [
                    ["public.plain-text", "public.png"], ["public.plain-text", "public.png"],
                ])
            #expect(bench.questions.allSatisfy { $0.kind == .openFile && $0.suggestion.isEmpty })
        }
    }

    @Test("a picker takes files of its types only, asks again for others, and exports without writing over (A-16)")
    func picker() async throws {
        let bench = SharingBench()
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        try await withApp(sharing: bench.tools) { _ in
            let host = UIViewController()
            let delegate = Delegate()
            @MainActor func present(_ picker: UIDocumentPickerViewController) {
                picker.delegate = delegate
                host.present(picker, animated: true)
            }
            bench.answer { _ in .text("/nonexistent.txt") }
            bench.answer { _ in .text("/proc/self/status") }
            bench.answer { _ in .text(file.path) }
            present(UIDocumentPickerViewController(forOpeningContentTypes: [.plainText], asCopy: true))
            let told3 = try await delegate.next(1)
            #expect(told3 == ["picked note.txt"])
            #expect(bench.questions.count == 3)
            #expect(host.presentedViewController == nil)
            present(UIDocumentPickerViewController(forOpeningContentTypes: [.png]))
            let told4 = try await delegate.next(1)
            #expect(told4 == ["cancelled"])
            let folder = file.deletingLastPathComponent().path
            bench.answer { _ in .text(folder) }
            present(UIDocumentPickerViewController(forExporting: [file], asCopy: true))
            let told5 = try await delegate.next(1)
            #expect(told5 == ["picked note-1.txt"])
        }
    }
}
