import BatonCore
import BatonStore
import BatonTestSupport
import Files
import Foundation
import LaunchServices
import Logging
import Synchronization
import Testing

@testable import BatonDaemon

/// The readers of documents as the daemon runs them: `pdftotext` and its own program, in the kernel's sandbox.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentReadersTests {
    private final class Recorder: EventRecorder {
        let reasons = Mutex<[String]>([])

        func record(_ category: String, _ event: String, _ message: String, _ fields: [String: String]) {
            reasons.withLock { $0.append(fields["reason"] ?? "") }
        }
    }

    private struct Fixture {
        let directory: TemporaryDirectory
        let samples: SampleDocuments
        let recorder = Recorder()
        let readers: DocumentReaders

        init(path: String = "/usr/bin:/bin") async throws {
            directory = try TemporaryDirectory()
            samples = try await SampleDocuments()
            let locations = try Locations(home: directory.file("home"), environment: [:], workingDirectory: "/")
            try SecureDirectory.prepareAll(locations)
            let apps = try await LaunchServices(
                locations: locations,
                database: try DaemonDatabase(path: locations.database, migrations: LaunchServices.migrations),
                recorder: recorder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                settings: .init(environment: ["PATH": path], helper: try Products.path("batond")))
            readers = DocumentReaders(apps, path: path, recorder: recorder)
            readers.look()
        }

        func attributes(_ name: String) async throws -> [String: PropertyValue]? {
            let path = samples.path(name) as NSString
            let file = try DirectoryHandle(path: path.deletingLastPathComponent).file(path.lastPathComponent)
            return try await readers.attributes(of: file, named: path.lastPathComponent)
        }

        func text(_ name: String) async throws -> String? {
            guard case .string(let text) = try await attributes(name)?["textContent"] else { return nil }
            return text
        }
    }

    @Test(
        "PDF, office and mail files are read by a process of their own, and a PDF file only where pdftotext is installed"
    )
    func reads() async throws {
        let fixture = try await Fixture()
        let tides = try #require(try await fixture.attributes("Tides.pdf"))
        #expect(tides["textContent"] == .string("The kittiwake returns") && tides["title"] == .string("Tide tables"))
        #expect(tides["authorNames"] == .array([.string("Max Pilot")]))
        #expect(try await fixture.text("Letter.docx")?.contains("The pelican lands") == true)
        #expect(try await fixture.text("Notes.odt") == "First sighting Second")
        #expect(try await fixture.text("Post.eml")?.hasPrefix("The guillemot") == true)
        let names = ["a.pdf", "a.ODT", "a.eml", "a.txt", "pdf"]
        #expect(names.map { fixture.readers.version(for: $0) != nil } == [true, true, true, false, false])
        let bare = try await Fixture(path: "/nonexistent")
        #expect(names.map { bare.readers.version(for: $0) != nil } == [false, true, true, false, false])
        #expect(fixture.recorder.reasons.withLock { $0.isEmpty })
    }

    @Test(
        "A document that ends its reader is found by its name and by what was read until then, is not tried again under any name, and holds up no other"
    )
    func hostile() async throws {
        let fixture = try await Fixture()
        let endless = try #require(try await fixture.attributes("hostile/Endless.pdf"))
        guard case .string(let text)? = endless["textContent"] else { throw CocoaError(.fileReadUnknown) }
        #expect(text.hasPrefix("The razorbill dives") && endless["title"] == .string("Tide tables"))
        #expect(try await fixture.attributes("hostile/Locked.pdf") == nil)
        #expect(fixture.recorder.reasons.withLock { $0 } == ["too_slow", "no_answer"])
        try FileManager.default.moveItem(
            atPath: fixture.samples.path("hostile/Endless.pdf"), toPath: fixture.samples.path("Other.pdf"))
        #expect(try await fixture.attributes("Other.pdf") == endless)
        for name in ["Zeros", "Tags", "Parts", "Short", "Sealed", "Locked"] {
            #expect(try await fixture.attributes("hostile/\(name).docx") == nil, "\(name)")
        }
        #expect(fixture.recorder.reasons.withLock { $0.count } == 2)
        #expect(try await fixture.text("Tides.pdf") == "The kittiwake returns")
    }
}
