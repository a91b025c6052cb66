import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// How the programs end as processes, where no daemon is needed.
    @Suite(.timeLimit(.minutes(5))) struct CommandProcessTests {
        @Test(
            "An option that is malformed, or names what cannot be used, ends the daemon with 64 and a sentence",
            arguments: [
                (["--document-root", "docs=/no/such/folder"], "“/no/such/folder”"),
                (["--document-root", "docs=/etc/passwd"], "“/etc/passwd”"), (["--document-root", "docs"], "“docs”"),
                (["--site-roots", "/etc/passwd"], "--site-roots: “/etc/passwd”"),
                (["--site-roots", "/no/such/file"], "“/no/such/file”"), (["--site-host", "x"], "“x”"),
                (["--cloud-authorities", "/no/such/file"], "“/no/such/file”"),
                (["--payload-limit", "0"], "--payload-limit"), (["--home", ""], "--home"),
                (["--interface", "nope"], "There is no network interface “nope”."),
                (["--interface", "lo", "--interface", "nope"], "“nope”"), (["--port", "0"], "--port"),
                (["--port", "65535"], "--port"),
            ])
        func badOptions(_ arguments: [String], _ named: String) async throws {
            let folder = try TemporaryDirectory()
            // One that runs all the same is ended, with another status.
            let daemon = ["timeout", "20", try Products.path("batond"), "--home", folder.path]
            let process = try ChildProcess(daemon + arguments)
            let status = try await within(.seconds(30), "batond to end") { try await process.status() }
            try await process.errors.waitForEnd()
            #expect(status == 64)
            #expect(process.errors.all.joined().contains(named), "\(process.errors.all)")
        }

        @Test(
            "Output to a full disk is status 10 and a sentence; a reader that has gone is 141 and none",
            arguments: ["team list", "team list --json", "--help"])
        func unwrittenOutput(_ arguments: String) async throws {
            let folder = try TemporaryDirectory()
            for (output, expected) in [("exec >/dev/full", 10), ("exec > >(:); wait $!", 141)] {
                let script = "\(output); \"$0\" --home \"$1\" \(arguments); echo status $? >&2"
                let process = try ChildProcess(["bash", "-c", script, try Products.path("baton"), folder.path])
                _ = try await within(.seconds(30), "baton to end") { try await process.status() }
                try await process.errors.waitForEnd()
                let errors = process.errors.all
                #expect(errors.last == "status \(expected)", "\(errors)")
                #expect(errors.count == (expected == 10 ? 2 : 1), "\(errors)")
                #expect(errors.first?.contains("No space left on device") == (expected == 10), "\(errors)")
            }
        }
    }
}
