import BatonCommands
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

struct CloudVerbTests {
    @Test("The status of a device that was revoked says that it was, also where its cloud is not known any more")
    func revoked() async throws {
        for url in ["https://cloud.example:443", ""] {
            let fixture = CommandLineFixture()
            fixture.daemon.on(CloudControlMethods.status) { _ in
                .with {
                    $0.state = .waiting
                    $0.url = url
                    $0.failureReason = "device_revoked"
                    $0.failure = "This device was revoked."
                }
            }
            #expect(await fixture.run("cloud", "status") == .success)
            #expect(fixture.output.text.contains("Why          This device was revoked.\n"))
            #expect(fixture.output.text.contains("Cloud        https") == !url.isEmpty)
            #expect(await fixture.run("cloud", "status", "--json") == .success)
            #expect(try fixture.json(fixture.output)["failure_reason"] as? String == "device_revoked")
        }
    }

    @Test("Who logs in at an address of the machine itself is warned that others look for it on themselves")
    func loopback() async {
        for (url, isWarned) in [
            ("https://localhost:8443", true), ("https://127.0.0.1:8443", true), ("https://[::1]:8443", true),
            ("https://cloud.example:443", false), ("https://[fe80::1]:8443", false),
        ] {
            let fixture = CommandLineFixture()
            fixture.daemon.on(CloudControlMethods.logIn) { request in .with { $0.url = request.url } }
            #expect(await fixture.run("cloud", "login", url) == .success)
            #expect(fixture.errors.text.contains("leads every device to itself") == isWarned, "\(url)")
        }
    }
}
