import Baton
import Foundation
import Testing

/// The share sheet under AppKit's names.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct SharingServiceTests {
    private final class Listener: NSSharingServiceDelegate, NSSharingServicePickerDelegate {
        let (events, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(20))
        var proposed: [String] = []
        var own: NSSharingService?

        private func note(_ text: String) { continuation.yield(text) }

        func sharingService(_ sharingService: NSSharingService, willShareItems items: [Any]) {
            note("will \(items.count)")
        }
        func sharingService(_ sharingService: NSSharingService, didShareItems items: [Any]) {
            note("did \(items.count)")
        }
        func sharingService(
            _ sharingService: NSSharingService, didFailToShareItems items: [Any], error: any Error
        ) { note("failed") }

        func sharingServicePicker(
            _ sharingServicePicker: NSSharingServicePicker, sharingServicesForItems items: [Any],
            proposedSharingServices proposedServices: [NSSharingService]
        ) -> [NSSharingService] {
            proposed = proposedServices.map(\.title)
            return proposedServices + (own.map { [$0] } ?? [])
        }

        func sharingServicePicker(
            _ sharingServicePicker: NSSharingServicePicker, delegateFor sharingService: NSSharingService
        ) -> (any NSSharingServiceDelegate)? { self }

        func sharingServicePicker(_ sharingServicePicker: NSSharingServicePicker, didChoose service: NSSharingService?)
        {
            note("chose \(service?.title ?? "nothing")")
        }

        /// As many as follow.
        func next(_ count: Int) async -> [String] {
            var iterator = events.makeAsyncIterator()
            var found: [String] = []
            while found.count < count, let event = await iterator.next(isolation: #isolation) { found.append(event) }
            return found
        }
    }

    private static let tools: Set<String> = ["wl-copy", "lp", "xdg-email"]

    @Test("a service by its name sends a mail to its recipients with its subject, and tells its delegate (A-5)")
    func mail() async throws {
        let bench = SharingBench(programs: Self.tools)
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(schemes: ["mailto", "sms"])
            let listener = Listener()
            let service = try #require(NSSharingService(named: .composeEmail))
            service.delegate = listener
            (service.recipients, service.subject) = (["a@example.com"], "Both")
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
            try Data("text".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            #expect(service.canPerform(withItems: [file]) && !service.canPerform(withItems: [NSNull()]))
            service.perform(withItems: [file])
            #expect(await listener.next(2) == ["will 1", "did 1"])
            let run = try #require(bench.runs.first)
            #expect(run.program.hasSuffix("xdg-email"))
            #expect(run.arguments.suffix(2) == ["--", "mailto:a@example.com"] && run.arguments.contains("Both"))
            #expect(service.attachmentFileURLs == [file])
            #expect(service.permanentLink == nil && service.accountName == nil)
            for name: NSSharingService.Name in [
                .init("com.example.none"), .addToSafariReadingList, .addToIPhoto, .useAsDesktopPicture, .cloudSharing,
            ] { #expect(NSSharingService(named: name) == nil, "\(name.rawValue)") }
            service.perform(withItems: [NSNull()])
            #expect(await listener.next(2) == ["will 1", "failed"])
        }
    }

    @Test("the services for some items are those that work with them here and now (A-3)")
    func services() async throws {
        let bench = SharingBench(programs: Self.tools, variables: ["WAYLAND_DISPLAY": "wayland-0"])
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(schemes: ["mailto", "sms"])
            let titles = NSSharingService.sharingServices(forItems: ["Hello"]).map(\.title)
            #expect(titles == ["AirDrop", "Message", "Mail", "Copy", "Print", "Save to a Folder"])
        }
    }

    @Test("a picker asks the person, lets its delegate add a service, and performs the chosen one (A-2, A-6)")
    func picker() async throws {
        let bench = SharingBench(programs: Self.tools)
        try await withApp(sharing: bench.tools) { app in
            app.daemon.offer(schemes: ["mailto"], documentApps: [("com.example.Viewer", "Viewer")])
            let listener = Listener()
            let image = try #require(
                UIImage(
                    data: Data(
                        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
                            + "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==") ?? Data()))
            var isDone = false
            listener.own = NSSharingService(title: "Own", image: image, alternateImage: nil) { isDone = true }
            let picker = NSSharingServicePicker(items: [image])
            picker.delegate = listener
            bench.choose("Own")
            picker.show()
            #expect(await listener.next(3) == ["chose Own", "will 1", "did 1"])
            #expect(isDone && listener.proposed.contains("Open in Viewer") && bench.offered.last == "Own")
            let again = NSSharingServicePicker(items: ["Hello"])
            again.delegate = listener
            again.show()
            #expect(await listener.next(1) == ["chose nothing"])
        }
    }
}
