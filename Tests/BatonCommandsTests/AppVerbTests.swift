import BatonCommands
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

struct AppVerbTests {
    private func fixture(_ names: [(name: String, bundle: String)]) -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = names.map { app in
                    .with {
                        $0.name = app.name
                        $0.identity = .with { $0.bundleID = app.bundle }
                        $0.installed = true
                    }
                }
            }
        }
        fixture.daemon.on(ControlMethods.launchApp) { _ in .with { $0.processID = 42 } }
        fixture.daemon.on(ControlMethods.uninstallApp) { _ in .init() }
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in .init() }
        return fixture
    }

    @Test("An app is found by its bundle identifier, or by its name if only one has it")
    func findsApps() async {
        let fixture = fixture([("Reader", "com.example.Reader"), ("Twin", "com.a"), ("Twin", "com.b")])
        #expect(await fixture.run("launch", "com.b") == .success)
        #expect(await fixture.run("launch", "reader") == .success)
        #expect(await fixture.run("launch", "Twin") == .usage)
        #expect(await fixture.run("launch", "Nothing") == .notFound)
        let launched = fixture.daemon.requests(of: Baton_Control_V1_LaunchAppRequest.self).map(\.bundleID)
        #expect(launched == ["com.b", "com.example.Reader"])
    }

    @Test("An app's variables and arguments reach it as they are, options of baton's included")
    func handsOnArguments() async {
        let fixture = fixture([("Reader", "com.example.Reader")])
        let status = await fixture.run(
            "launch", "Reader", "--env", "A=1=2", "--env", "B=", "--", "--json", "file")
        #expect(status == .success)
        let request = fixture.daemon.requests(of: Baton_Control_V1_LaunchAppRequest.self).first
        #expect(request?.arguments == ["--json", "file"])
        #expect(request?.environment == ["A": "1=2", "B": ""])
        #expect(fixture.output.text == "Started com.example.Reader as process 42.\n")
    }

    @Test("An app is installed from where the person is")
    func installs() async throws {
        let fixture = fixture([])
        fixture.daemon.on(ControlMethods.installApp) { request in
            #expect(request.path == "/somewhere/Apps/Reader.app")
            return .with {
                $0.app = .with { $0.name = "Reader" }
                $0.replacedVersion = "1"
            }
        }
        #expect(await fixture.run("install", "./build/../Apps/Reader.app", "--json") == .success)
        #expect(try fixture.json(fixture.output)["replaced_version"] as? String == "1")
    }

    @Test("What an app asks for beyond its container is told and asked, or wants --yes")
    func installAsks() async {
        var fixture = fixture([])
        fixture.daemon.on(ControlMethods.installApp) { request in
            .with {
                $0.app.name = "Reader"
                let wanted = ["read /srv", "unconfined", "write ~/Music"]
                if request.acceptedAccess != wanted { $0.wantedAccess = wanted }
            }
        }
        #expect(await fixture.run("install", "Reader.app") == .usage)
        fixture.terminal.isInputInteractive = true
        fixture.input = ["n"]
        #expect(await fixture.run("install", "Reader.app") == .canceled)
        let asked = fixture.errors.text
        for text in ["without the sandbox", "reads /srv", "reads and changes ~/Music"] { #expect(asked.contains(text)) }
        let requests = fixture.daemon.requests(of: Baton_Control_V1_InstallAppRequest.self)
        let accepted = requests.map(\.acceptedAccess).filter { !$0.isEmpty }
        #expect(accepted.isEmpty)
        fixture.input = ["y"]
        #expect(await fixture.run("install", "Reader.app") == .success)
        #expect(await fixture.run("install", "Reader.app", "--yes") == .success)
    }

    @Test("After an installation each scheme that another app opens too is named, with the command that chooses")
    func rivals() async throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: folder.file("Reader.app"), withIntermediateDirectories: true)
        let info: [String: Any] = [
            "CFBundleURLTypes": [["CFBundleURLSchemes": ["Todo", "reader"]], ["CFBundleURLSchemes": ["no scheme"]]]
        ]
        try PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0)
            .write(to: URL(fileURLWithPath: folder.file("Reader.app/Info.plist")))
        var fixture = fixture([])
        fixture.workingDirectory = folder.path
        fixture.daemon.on(ControlMethods.installApp) { _ in
            .with {
                $0.app.name = "Reader"
                $0.app.identity.bundleID = "com.example.Reader"
            }
        }
        fixture.daemon.on(ControlMethods.listHandlers) { request in
            .with { answer in
                if request.url == "todo:" {
                    answer.handlers.append(
                        .with {
                            $0.bundleID = "com.acme.todo"
                            $0.name = "To-do"
                        })
                }
                answer.handlers.append(
                    .with {
                        $0.bundleID = "com.example.Reader"
                        $0.name = "Reader"
                    })
            }
        }
        #expect(await fixture.run("install", "Reader.app") == .success)
        let told = "“To-do” (com.acme.todo) opens todo: too. Now “To-do” is used; to choose the other: "
        #expect(fixture.errors.text.contains(told + "baton default scheme todo com.example.Reader\n"))
        #expect(!fixture.errors.text.contains("reader:"))
        #expect(
            fixture.daemon.requests(of: Baton_Control_V1_ListHandlersRequest.self).map(\.url) == ["reader:", "todo:"])
    }

    @Test("Removing an app with its data asks, or wants --yes")
    func uninstallAsks() async {
        var fixture = fixture([("Reader", "com.example.Reader")])
        #expect(await fixture.run("uninstall", "Reader") == .usage)
        fixture.terminal.isInputInteractive = true
        fixture.input = ["n"]
        #expect(await fixture.run("uninstall", "Reader") == .canceled)
        #expect(fixture.daemon.requests(of: Baton_Control_V1_UninstallAppRequest.self).isEmpty)
        #expect(await fixture.run("uninstall", "Reader", "--keep-data") == .success)
        fixture.input = ["yes"]
        #expect(await fixture.run("uninstall", "Reader") == .success)
        let requests = fixture.daemon.requests(of: Baton_Control_V1_UninstallAppRequest.self)
        #expect(requests.map(\.keepData) == [true, false])
    }

    @Test("Removing an app says first which documents in iCloud remain, and what is not sent yet (D-35)")
    func uninstallWarns() async throws {
        var fixture = fixture([("Reader", "com.example.Reader"), ("Other", "com.example.Other")])
        fixture.daemon.on(DocumentsMethods.listContainers) { _ in
            .with {
                $0.containers = [
                    .with {
                        $0.identifier = "iCloud.com.example.Reader"
                        $0.path = "/data/Reader"
                        $0.apps = ["com.example.Reader"]
                        ($0.items, $0.bytes, $0.toUpload, $0.enabled) = (4, 3_000, 2, true)
                    }
                ]
            }
        }
        fixture.terminal.isInputInteractive = true
        fixture.input = ["n"]
        #expect(await fixture.run("uninstall", "Reader") == .canceled)
        let asked = fixture.output.text + fixture.errors.text
        #expect(asked.contains("3 items") && asked.contains("2 of them have not been sent"))
        #expect(await fixture.run("uninstall", "Reader", "--yes") == .success)
        #expect(fixture.output.text.contains("remain: on your other devices"))
        let before = fixture.output.text.count
        #expect(await fixture.run("uninstall", "Other", "--yes") == .success)
        #expect(!fixture.output.text.dropFirst(before).contains("remain"))
    }
}
