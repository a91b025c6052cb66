import BatonWire
import SwiftProtobuf
import Testing

@testable import BatonCommands

@Suite("Results of a search as people see them")
struct SearchVerbTests {
    private func shown(
        _ path: String, origin: String = "iCloud Drive", snippet: String = "", title: String = "README"
    ) async -> String {
        var fixture = CommandLineFixture()
        fixture.environment["HOME"] = "/home/ann"
        fixture.daemon.on(SearchMethods.search) { _ in
            .with {
                $0.results = [
                    .with {
                        $0.source = .document
                        $0.title = title
                        $0.origin = origin
                        $0.path = path
                        $0.snippet = snippet
                    }
                ]
            }
        }
        #expect(await fixture.run("search", "readme") == .success)
        return fixture.output.text
    }

    @Test("A document is shown with the folder in which it lies")
    func folders() async {
        let container = "/home/ann/.local/share/baton/documents/AAAA/iCloud.baton.Drive/Documents"
        #expect(await shown("\(container)/work/2026/README").contains("    iCloud Drive/work/2026 · "))
        #expect(await shown("\(container)/README").contains("    iCloud Drive · "))
        #expect(
            await shown("/home/ann/Photos/Sea/README", origin: "folder Photos").contains(
                "folder Photos · ~/Photos/Sea · "))
        #expect(await shown("/media/disk/README", origin: "folder Disk").contains("folder Disk · /media/disk · "))
        #expect(await shown("README", origin: "folder Disk").contains("folder Disk · / · "))
        #expect(await shown("", origin: "Reader").contains("    Reader · "))
    }

    @Test("A place where a word may be parted is not shown, and other signs that steer a terminal are escaped")
    func softHyphens() async {
        let text = await shown("", snippet: "Donau\u{AD}dampf\u{200B}schiff\u{202E}", title: "Schiff\u{AD}fahrt")
        #expect(text.contains("Donaudampfschiff\\u{202E}") && text.contains("Schifffahrt"))
    }

    @Test("A search for nothing says what to write")
    func nothing() async {
        for query in ["", "  "] {
            let fixture = CommandLineFixture()
            #expect(await fixture.run("search", query) == .usage)
            #expect(fixture.errors.text.contains("Write what to search for"))
        }
    }
}
