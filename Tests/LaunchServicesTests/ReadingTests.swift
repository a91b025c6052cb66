import BatonTestSupport
import Files
import Foundation
import Testing

@testable import LaunchServices

/// A program that reads a document, in the kernel's sandbox.
@Suite(.timeLimit(.minutes(2))) struct ReadingTests {
    private static func read(
        _ script: String, of text: String, limit: Int = 1000
    ) async throws -> (
        text: String, failure: LaunchServices.ImportFailure?
    ) {
        let fixture = try await LaunchFixture(helper: try Products.path("batond"))
        try Data(text.utf8).write(to: URL(fileURLWithPath: fixture.temporary.file("document")))
        try Data("secret".utf8).write(to: URL(fileURLWithPath: fixture.temporary.file("secret")))
        let file = try DirectoryHandle(path: fixture.temporary.path).file("document")
        let script = "cd \(fixture.temporary.path) 2>/dev/null; document=\(SandboxPolicy.document); \(script)"
        let output = try await fixture.service.readDocument(file, with: "/bin/sh", ["-c", script], limit: limit)
        return (String(decoding: output.bytes, as: UTF8.self), output.failure)
    }

    // These need a kernel with Landlock, and fail without one.

    @Test(
        "A reader has its document, and neither other files, nor writing, nor other processes, and nothing that it says is an error's"
    )
    func confined() async throws {
        let script = """
            read line < $document && echo "document $line"
            read line && echo "input $line"
            read line < secret && echo "secret"
            (echo x) && echo "process"
            echo x >> $document && echo "written"
            echo x > /tmp/baton-reading-test && echo "elsewhere"
            echo complaint >&2
            """
        let output = try await Self.read(script, of: "one\ntwo\n")
        // A shell ends where it cannot make a process.
        #expect(output.text.hasPrefix("document one\ninput one\n") && output.failure == nil)
        for word in ["secret", "process", "written", "elsewhere", "complaint"] {
            #expect(!output.text.contains(word), "\(word)")
        }
        let rest = try await Self.read(
            "echo x >> $document && echo written; echo x > /tmp/baton-reading-test && echo elsewhere", of: "")
        #expect(rest.text.isEmpty)
    }

    @Test(
        "A reader that prints without end is ended, with what it printed until then; one that cannot be started is none"
    )
    func bounds() async throws {
        let endless = try await Self.read("while :; do echo x; done", of: "")
        #expect(endless.failure == .tooLong && endless.text.hasPrefix("x\nx\n"))
        let fixture = try await LaunchFixture(helper: try Products.path("batond"))
        try Data().write(to: URL(fileURLWithPath: fixture.temporary.file("document")))
        let file = try DirectoryHandle(path: fixture.temporary.path).file("document")
        await #expect(throws: LaunchServices.ImportFailure.notStarted) {
            _ = try await fixture.service.readDocument(file, with: "/nonexistent", [], limit: 10)
        }
        let bare = try await LaunchFixture()
        #expect(!bare.service.hasReaders && !bare.service.hasReaders(landlock: 1))
        #expect(fixture.service.hasReaders(landlock: 1) && !fixture.service.hasReaders(landlock: nil))
        await #expect(throws: LaunchServices.ImportFailure.noSandbox) {
            _ = try await bare.service.readDocument(file, with: "/bin/true", [], limit: 10)
        }
    }

    @Test("A program reads documents only where the sandbox lets it run: a file of the system's, whatever leads to it")
    func programs() throws {
        let folder = try TemporaryDirectory()
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: folder.file("own")))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("own"))
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "/bin/sh")
        let paths = ["/bin/sh", folder.file("link"), folder.file("own"), "/usr/bin", "/etc/passwd", "/usr/bin/none"]
        #expect(paths.map(LaunchServices.isReadingProgram) == [true, true, false, false, false, false])
    }

    @Test(
        "The time that a program waits for a processor does not count, up to a bound; one that hangs is ended as ever")
    func waiting() {
        func isOver(_ passed: Int, waited: Int) -> Bool {
            ImportLimits.isOver(.seconds(5), passed: .seconds(passed), waited: { .seconds(waited) })
        }
        #expect([isOver(4, waited: 0), isOver(5, waited: 0)] == [false, true])
        #expect([isOver(5, waited: 1), isOver(6, waited: 1)] == [false, true])
        #expect([isOver(19, waited: 19), isOver(20, waited: 20)] == [false, true])
        // The kernel says it, of each thread.
        #expect(ImportLimits.waited(getpid()) > .zero && ImportLimits.waited(-1) == .zero)
        #expect(ImportLimits.isBeyondProcessor(.signal(SIGXCPU)) && !ImportLimits.isBeyondProcessor(.signal(SIGKILL)))
    }
}
