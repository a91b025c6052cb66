import BatonCore
import Testing
import Transfers

@testable import AirDrop

@Suite("The page that opens by itself")
struct ReceivedPageTests {
    private func question(_ links: [String], files: [String] = [], own: Bool = false) throws -> AirDropQuestion {
        AirDropQuestion(
            id: .random(), sender: "Phone",
            device: own ? try DeviceID(validating: String(repeating: "A", count: 26)) : nil,
            names: files, links: links, itemCount: links.count + files.count, bytes: nil)
    }

    @Test("Only a page that is all of what was sent opens: of 94 links none does, nor one beside a file")
    func alone() throws {
        #expect(ReceivedPage(try question(["https://example.com/"])) != nil)
        #expect(ReceivedPage(try question((1...94).map { "https://example.com/\($0)" })) == nil)
        #expect(ReceivedPage(try question(["https://example.com/"], files: ["photo.jpg"])) == nil)
        for link in ["tel:112", "file:///etc/passwd", "javascript:alert(1)", "https://user@example.com/"] {
            #expect(ReceivedPage(try question([link])) == nil, "\(link)")
        }
    }

    @Test(
        "Pages of this machine and of private networks never open, in whatever form they are written",
        arguments: [
            "http://127.0.0.1:8080/", "http://[::ffff:7f00:1]/", "http://0x7f.1/", "http://2130706433/",
            "http://0177.1/",
            "http://localhost/", "http://a.localhost/", "http://[::1]/", "http://0/", "http://%31%32%37.1/",
            "http://192.168.1.1/", "http://0xc0a80101/", "http://10.1/", "http://172.16.0.1/", "http://[fe80::1]/",
            "http://[fd00::1]/", "http://[::ffff:192.168.1.1]/", "http://169.254.169.254/latest", "http://100.64.0.1/",
            "http://router/", "http://fritz.local/", "http://printer.lan./", "http://nas.home.arpa/",
            "http://x.internal/",
            "http://256.1.1.1.1/", "http://[64:ff9b::7f00:1]/",
        ])
    func privatePages(link: String) async throws {
        guard let page = ReceivedPage(try question([link])) else { return }
        #expect(await !page.mayOpen { _ in ["93.184.215.14"] })
    }

    @Test("A name opens unless it leads to this machine or into a private network")
    func names() async throws {
        let page = try #require(ReceivedPage(try question(["https://example.com/page"])))
        #expect(await page.mayOpen { host in host == "example.com" ? ["93.184.215.14"] : ["127.0.0.1"] })
        for address in ["127.0.0.1", "::1", "192.168.1.1", "fd00::1", "0.0.0.0", "::ffff:10.0.0.1", "fe80::1%eth0"] {
            #expect(await !page.mayOpen { _ in ["93.184.215.14", address] }, "\(address)")
        }
        // Where names cannot be looked up, as behind a proxy, none is found to be private.
        #expect(await page.mayOpen { _ in [] })
        #expect(await ReceivedPage(try question(["http://93.184.215.14/"]))?.mayOpen { _ in [] } == true)
    }

    @Test("An own device may send a page of the own network, but none of its own machine")
    func ownDevice() async throws {
        let own = try #require(ReceivedPage(try question(["http://192.168.1.5:3000/"], own: true)))
        #expect(await own.mayOpen { _ in [] })
        let named = try #require(ReceivedPage(try question(["http://nas.example.com/"], own: true)))
        #expect(await named.mayOpen { _ in ["192.168.1.5"] })
        #expect(await !named.mayOpen { _ in ["127.0.0.1"] })
        let loopback = try #require(ReceivedPage(try question(["http://127.0.0.1:3000/"], own: true)))
        #expect(await !loopback.mayOpen { _ in [] })
    }
}
