import BatonCloud
import BatonTestSupport
import Testing

/// A client of other code in another language, made of the documents and of Protocol/ alone: Tests/Support/cloud_client.
///
/// Needs Debian's `protobuf-compiler`, `python3-protobuf` and `python3-cryptography`, so the distribution's own Python.
@Suite("A client generated for Python", .serialized) struct PythonClientTests {
    /// It checks the server's answers itself: a line for each check, `ok NAME` or `FAIL NAME: why`.
    @Test("It does all that a device does; bad input gets its code and its sentence, and changes nothing")
    func checks() async throws {
        let folder = try TemporaryDirectory()
        try await CloudProcess.with(data: folder.file("data")) { server in
            try await CloudProcess.with(data: folder.file("other"), ["--quota", "200000"]) { other in
                let servers = [server, other].flatMap { ["https://\($0.authority)", $0.fingerprint.hexadecimal] }
                let client = try ChildProcess(
                    ["/usr/bin/python3", Products.package + "/Tests/Support/cloud_client", "--verbose"] + servers)
                let status: Int32
                do {
                    status = try await within(.seconds(300), "the client to end") { try await client.status() }
                } catch {
                    await client.kill()
                    let said = (client.output.all.suffix(5) + client.errors.all).joined(separator: "\n")
                    throw IntegrationFailure("\(error). It said last:\n\(said)")
                }
                try await client.output.waitForEnd()
                try await client.errors.waitForEnd()
                let failures = client.output.all.filter { $0.hasPrefix("FAIL ") }
                #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
                #expect(status == 0, "\(client.errors.all.joined(separator: "\n"))")
                // One that checks nothing has not passed.
                let passed = client.output.all.count { $0.hasPrefix("ok ") }
                #expect(passed >= 400, "only \(passed) checks were made")
            }
        }
    }
}
