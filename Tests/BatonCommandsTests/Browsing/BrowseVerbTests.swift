import BatonCommands
import BatonCore
import BatonTestSupport
import BatonWire
import Crypto
import Foundation
import SwiftProtobuf
import Testing

@Suite(.timeLimit(.minutes(1))) struct BrowseVerbTests {
    private static func attaching(_ commands: Baton_App_V1_AppCommand...) -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.onStream(AttachmentMethods.attach) { [daemon = fixture.daemon] _ in
            #expect(daemon.claim == AppClaim(bundleID: "org.baton.browser"))
            return AsyncThrowingStream { stream in
                stream.yield(.with { $0.attached.sessionID = "S" })
                for command in commands { stream.yield(command) }
            }
        }
        fixture.daemon.on(AttachmentMethods.completeCommand) { _ in .init() }
        return fixture
    }

    // H-96
    @Test(
        "Only addresses of the web are offered (H-96)",
        arguments: ["ftp://a.example/", "example", "mailto:a@example.com", "https://"])
    func refused(_ url: String) async {
        let fixture = CommandLineFixture()
        #expect(await fixture.run("browse", url) == .usage)
        #expect(fixture.errors.text.contains("baton: "))
    }

    @Test("An address as people type it is a page of https")
    func completes() {
        for (typed, page) in [
            ("swift.org", "https://swift.org"), ("example.org:8080/a?b", "https://example.org:8080/a?b"),
            ("http://example.org", "http://example.org"), ("mailto:a@example.org", "mailto:a@example.org"),
            ("a@example.org", "a@example.org"), ("notes", "notes"), ("tel:112.5", "tel:112.5"),
        ] {
            #expect(BrowsedPage.completed(typed) == page)
        }
    }

    @Test(
        "A page that leads every device to itself is refused",
        arguments: ["http://localhost:8080", "http://[::1]/", "localhost:8080"])
    func ownPage(_ url: String) async {
        let fixture = Self.attaching()
        #expect(await fixture.run("browse", url) == .usage)
        #expect(fixture.errors.text.contains("leads every device to itself"))
        #expect(fixture.daemon.requests(of: Baton_App_V1_AttachRequest.self).isEmpty)
    }

    @Test("Without a daemon it ends with 3")
    func noDaemon() async {
        var fixture = CommandLineFixture()
        fixture.isDaemonRunning = false
        #expect(await fixture.run("browse", "https://example.com/") == .daemonNotRunning)
    }

    @Test("A page is offered, brought up to date when it is asked for, and who continued it is said")
    func continued() async throws {
        let fixture = CommandLineFixture()
        let (commands, commanding) = AsyncThrowingStream.makeStream(of: Baton_App_V1_AppCommand.self)
        commanding.yield(.with { $0.attached.sessionID = "S" })
        fixture.daemon.onStream(AttachmentMethods.attach) { _ in commands }
        fixture.daemon.on(ActivityMethods.updateActivity) { request in
            commanding.yield(
                .with {
                    $0.commandID = 1
                    $0.saveActivity.activityID = request.activity.activityID
                })
            commanding.yield(
                .with {
                    $0.commandID = 2
                    $0.wasContinued = .with {
                        $0.activityID = request.activity.activityID
                        $0.device = "Kitchen"
                    }
                })
            return .init()
        }
        fixture.daemon.on(AttachmentMethods.completeCommand) { _ in .init() }
        fixture.daemon.on(ControlMethods.getStatus) { _ in Self.status(connected: 2, known: 3) }
        #expect(await fixture.run("browse", "https://example.com/", "--title", "A page", "--once") == .success)
        #expect(fixture.errors.text.isEmpty)
        #expect(
            fixture.output.text == """
                Offered to your other devices: “A page”
                Continued on Kitchen: “A page”

                """)
        let saved = try #require(
            fixture.daemon.requests(of: Baton_App_V1_CompleteCommandRequest.self).first { $0.commandID == 1 })
        #expect(saved.payload.description_p.webpageURL == "https://example.com/")
        #expect(saved.payload.userInfo.dictionary.entries.isEmpty)
    }

    private static func status(
        account: String = "ACCOUNT", revoked: Bool = false, connected: UInt32 = 0, known: UInt32 = 0
    ) -> Baton_Control_V1_GetStatusResponse {
        .with {
            $0.accountID = account
            $0.revoked = revoked
            $0.devicesConnected = connected
            $0.devicesKnown = known
        }
    }

    @Test(
        "Where nobody hears of the page, it says so, why, and what to do",
        arguments: [
            (status(account: ""), "baton account create"), (status(revoked: true), "was revoked"),
            (status(), "baton pair"), (status(known: 2), "baton explain device"),
        ])
    func nobody(_ status: Baton_Control_V1_GetStatusResponse, advice: String) async throws {
        for isJSON in [false, true] {
            let fixture = CommandLineFixture()
            let (commands, commanding) = AsyncThrowingStream.makeStream(of: Baton_App_V1_AppCommand.self)
            commanding.yield(.with { $0.attached.sessionID = "S" })
            fixture.daemon.onStream(AttachmentMethods.attach) { _ in commands }
            fixture.daemon.on(ActivityMethods.updateActivity) { _ in .init() }
            fixture.daemon.on(AttachmentMethods.completeCommand) { _ in .init() }
            let daemon = fixture.daemon
            fixture.daemon.on(ControlMethods.getStatus) { _ in
                let update = daemon.requests(of: Baton_App_V1_UpdateActivityRequest.self).first
                commanding.yield(
                    .with {
                        $0.wasContinued = .with {
                            $0.activityID = update?.activity.activityID ?? ""
                            $0.device = "Kitchen"
                        }
                    })
                return status
            }
            let json = isJSON ? ["--json"] : []
            #expect(await fixture.run(["browse", "https://example.com/", "--once"] + json) == .success)
            let first = try #require(fixture.output.text.split(separator: "\n").first)
            if isJSON {
                let event = try #require(
                    try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
                #expect(event["event"] as? String == "offered" && event["devices_connected"] as? Int == 0)
                #expect((event["message"] as? String)?.contains(advice) == true)
            } else {
                #expect(first == "Offered, but to no device yet: https://example.com/")
                #expect(fixture.errors.text.contains(advice))
            }
        }
    }

    @Test("A refusal of the daemon ends the command with its reason")
    func refusedByDaemon() async {
        let fixture = Self.attaching()
        fixture.daemon.on(ActivityMethods.updateActivity) { _ in
            throw BatonError(.invalidArgument, reason: "invalid_webpage_url", "Not this one.")
        }
        fixture.daemon.on(ActivityMethods.invalidateActivity) { _ in .init() }
        #expect(await fixture.run("browse", "https://example.com/") == .usage)
        #expect(fixture.errors.text.contains("Not this one."))
    }

    // MARK: Installing

    private struct Files {
        let folder: TemporaryDirectory
        var fixture = CommandLineFixture()

        init(_ folders: String...) throws {
            folder = try TemporaryDirectory()
            for path in folders {
                try FileManager.default.createDirectory(
                    atPath: folder.file(path), withIntermediateDirectories: true)
            }
            fixture.environment = ["HOME": folder.path, "BATON_HOME": folder.file("it's home")]
        }

        func manifest(_ path: String) throws -> [String: Any] {
            let data = try Data(contentsOf: URL(fileURLWithPath: folder.file(path)))
            return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        }
    }

    private static let chromium = ".config/chromium/NativeMessagingHosts/org.baton.browser_extension.json"
    private static let firefox = ".mozilla/native-messaging-hosts/org.baton.browser_extension.json"

    @Test("Installing writes what each browser needs, for Baton's extension alone, and once")
    func installs() async throws {
        let files = try Files(".config/chromium", ".mozilla")
        #expect(await files.fixture.run("browse", "install", "--json") == .success)
        let chromium = try files.manifest(Self.chromium)
        #expect(chromium["allowed_origins"] as? [String] == [BrowserCaller.chromiumOrigin])
        #expect(chromium["allowed_extensions"] == nil && chromium["type"] as? String == "stdio")
        #expect(chromium["name"] as? String == BrowserCaller.hostName)
        #expect(try files.manifest(Self.firefox)["allowed_extensions"] as? [String] == [BrowserCaller.geckoID])
        let program = try #require(chromium["path"] as? String)
        #expect(FileManager.default.isExecutableFile(atPath: program))
        let script = try String(contentsOfFile: program, encoding: .utf8)
        #expect(script.contains(#"browse host --home '\#(files.folder.path)/it'\''s home' -- "$@""#))

        #expect(await files.fixture.run("browse", "install") == .success)
        #expect(files.fixture.output.text.contains("Chromium: installed already"))
        let left = try FileManager.default.contentsOfDirectory(
            atPath: files.folder.file(".config/chromium/NativeMessagingHosts"))
        #expect(left == ["org.baton.browser_extension.json"])

        #expect(await files.fixture.run("browse", "install", "--remove", "--browser", "firefox") == .success)
        #expect(FileManager.default.fileExists(atPath: program))
        #expect(await files.fixture.run("browse", "install", "--remove") == .success)
        #expect(!FileManager.default.fileExists(atPath: files.folder.file(Self.chromium)))
        #expect(!FileManager.default.fileExists(atPath: program))
    }

    @Test("A browser that was never started is installed for by its name only, and an unknown one not at all")
    func namesBrowsers() async throws {
        let files = try Files()
        #expect(await files.fixture.run("browse", "install") == .notFound)
        #expect(await files.fixture.run("browse", "install", "--browser", "netscape") == .usage)
        #expect(await files.fixture.run("browse", "install", "--browser", "chromium") == .success)
        #expect(FileManager.default.fileExists(atPath: files.folder.file(Self.chromium)))
    }

    @Test("An extension that is not Baton's is turned away at once")
    func stranger() async {
        let fixture = CommandLineFixture()
        #expect(
            await fixture.run("browse", "host", "--", "chrome-extension://abcdefghijklmnopabcdefghijklmnop/") == .denied
        )
        #expect(fixture.errors.text.contains("Only Baton's own browser extension"))
        #expect(fixture.output.text.isEmpty && fixture.bytes.written.isEmpty)
        #expect(await fixture.run("browse", "host") == .denied)
    }

    @Test("The extension's manifest has the identifiers that the host serves, and asks for no more than it needs")
    func manifest() throws {
        let folder = Products.package + "/Extension"
        let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/manifest.json"))
        let manifest = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let text = manifest["key"] as? String
        let key = try #require(Data(base64Encoded: text ?? ""))
        let id = SHA256.hash(data: key).prefix(16).flatMap { [$0 >> 4, $0 & 15] }
            .map { Character(UnicodeScalar(UInt8(ascii: "a") + $0)) }
        #expect(String(id) == BrowserCaller.chromiumID)
        let gecko = (manifest["browser_specific_settings"] as? [String: [String: String]])?["gecko"]
        #expect(gecko?["id"] == BrowserCaller.geckoID)
        #expect(manifest["permissions"] as? [String] == ["nativeMessaging", "scripting", "storage", "tabs"])
        #expect(manifest["host_permissions"] as? [String] == ["http://*/*", "https://*/*"])
        // Scripts run in pages only once the person switches that on.
        #expect(manifest["content_scripts"] == nil)
        #expect(manifest["incognito"] as? String == "not_allowed")
        let background = try String(contentsOfFile: folder + "/background.js", encoding: .utf8)
        #expect(background.contains("\"\(BrowserCaller.hostName)\""))
        for name in ["background.js", "content.js", "popup.js"] {
            let script = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            for way in ["innerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("] {
                #expect(!script.contains(way))
            }
        }
    }
}
