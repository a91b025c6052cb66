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
            fixture.daemon.on(CloudControlMethods.getCloudStatus) { _ in
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

    @Test("Times of the cloud are named as milliseconds, and null where there is none")
    func times() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(CloudControlMethods.getCloudStatus) { _ in
            .with {
                $0.state = .waiting
                $0.url = "https://cloud.example:443"
                $0.lastConnected = 1_799_999_000_000
            }
        }
        #expect(await fixture.run("cloud", "status", "--json") == .success)
        let status = try fixture.json(fixture.output)
        #expect(status["connected_since_ms"] is NSNull && status["retry_time_ms"] is NSNull)
        #expect(status["last_connected_ms"] as? Int == 1_799_999_000_000)
    }

    @Test("Usage is told in words that fit the numbers; no limit is no limit of 0")
    func usage() async throws {
        let fixture = CommandLineFixture()
        fixture.daemon.on(CloudControlMethods.getCloudUsage) { _ in
            .with {
                $0.itemBytes = 1
                $0.otherBytes = 512
                $0.items = 1
                $0.zones = 1
            }
        }
        #expect(await fixture.run("cloud", "usage") == .success)
        #expect(
            fixture.output.text == """
                Used   513 bytes, no limit
                Items  1 in 1 zone, 1 byte
                Blobs  0, 0 bytes
                Other  512 bytes: answers that are remembered, and what is being removed

                """)
        #expect(await fixture.run("cloud", "usage", "--json") == .success)
        #expect(try fixture.json(fixture.output)["quota_bytes"] is NSNull)
        let other = CommandLineFixture()
        other.daemon.on(CloudControlMethods.getCloudUsage) { _ in
            .with {
                $0.itemBytes = (1 << 20) - 1
                $0.quotaBytes = 10 << 30
                $0.items = 5
                $0.zones = 2
            }
        }
        #expect(await other.run("cloud", "usage") == .success)
        #expect(other.output.text.hasPrefix("Used   1 MiB of 10 GiB\nItems  5 in 2 zones, 1 MiB\n"))
    }

    @Test("A login at an address of the machine itself warns that others look for it on themselves")
    func loopback() async {
        for (url, isWarned) in [
            ("https://localhost:8443", true), ("https://127.0.0.1:8443", true), ("https://[::1]:8443", true),
            ("https://cloud.example:443", false), ("https://[fe80::1]:8443", false),
        ] {
            let fixture = CommandLineFixture()
            fixture.daemon.on(CloudControlMethods.logInToCloud) { request in .with { $0.url = request.url } }
            #expect(await fixture.run("cloud", "login", url) == .success)
            #expect(fixture.errors.text.contains("leads every device to itself") == isWarned, "\(url)")
        }
    }

    @Test("A login by a name that resolves to the machine itself is warned about, whatever the name is")
    func ownNames() async {
        for (host, addresses, warning) in [
            ("box", ["127.0.1.1"], "leads every device to itself"),
            ("box.local", ["192.0.2.9", "::1"], "leads every device to itself"),
            ("box", ["192.0.2.9", "192.0.2.7"], "“box” is this machine."),
            ("box", ["192.0.2.7"], "log in again with https://192.0.2.7:8443."),
            ("box", ["2001:db8::7"], "log in again with https://[2001:db8::7]:8443."),
            ("192.0.2.7", ["192.0.2.7"], nil), ("[2001:db8::7]", ["2001:db8::7"], nil),
            ("cloud.example", ["192.0.2.9"], nil), ("unknown.example", [], nil),
        ] as [(String, [String], String?)] {
            var fixture = CommandLineFixture()
            fixture.hosts = [host.filter { $0 != "[" && $0 != "]" }: addresses]
            fixture.ownAddresses = ["192.0.2.7", "2001:db8::7", "127.0.0.1"]
            fixture.daemon.on(CloudControlMethods.logInToCloud) { request in .with { $0.url = request.url } }
            #expect(await fixture.run("cloud", "login", "https://\(host):8443") == .success)
            let text = fixture.errors.text
            #expect(warning.map { text.contains($0) } ?? text.isEmpty, "\(host) \(addresses): \(text)")
        }
        // As the system finds them.
        let (addresses, own) = await CommandContext.system().findHost("localhost")
        #expect(addresses.contains { $0 == "127.0.0.1" || $0 == "::1" } && own.contains("127.0.0.1"))
    }

    @Test("A change of the account's cloud tells whether the previous one notifies the other devices")
    func leaving() async throws {
        for (failure, text, remark) in [
            ("", "learn of it from https://old.example:443", ""),
            ("Nobody answers.", "on one that is not, log in too", "could not be notified"),
        ] {
            let fixture = CommandLineFixture()
            fixture.daemon.on(CloudControlMethods.logInToCloud) { request in
                .with {
                    $0.url = request.url
                    $0.left.url = "https://old.example:443"
                    $0.left.failureReason = failure.isEmpty ? "" : "cloud_unreachable"
                    $0.left.failure = failure
                }
            }
            #expect(await fixture.run("cloud", "login", "https://new.example:443") == .success)
            #expect(fixture.output.text.contains(text))
            #expect(remark.isEmpty ? fixture.errors.text.isEmpty : fixture.errors.text.contains(remark))
            #expect(await fixture.run("cloud", "login", "https://new.example:443", "--json") == .success)
            let left = try #require(try fixture.json(fixture.output)["left"] as? [String: Any])
            #expect(left["told"] as? Bool == failure.isEmpty)
        }
    }
}
