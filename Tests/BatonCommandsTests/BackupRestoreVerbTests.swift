import BatonCommands
import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

/// `baton backup restore`
@Suite struct BackupRestoreVerbTests {
    private func fixture() -> CommandLineFixture {
        let fixture = CommandLineFixture()
        fixture.daemon.on(ControlMethods.listApps) { _ in
            .with {
                $0.apps = [("com.example.Notes", "Notes"), ("com.example.Maps", "Maps")].map { id, name in
                    .with {
                        $0.identity.bundleID = id
                        $0.name = name
                    }
                }
            }
        }
        fixture.daemon.on(BackupMethods.restoreBackup) { _ in .with { $0.place = "/home/ada/data" } }
        return fixture
    }

    @Test("the status says once that there is no target, and with one why the next backup waits (B-1)")
    func status() async {
        let fixture = CommandLineFixture()
        let none = "No target is set. “baton backup target DIR” sets a directory."
        fixture.daemon.on(BackupMethods.getBackupStatus) { _ in .with { $0.waits = none } }
        #expect(await fixture.run("backup", "status") == .success)
        #expect(fixture.output.text.components(separatedBy: "No target is set").count == 2)
        fixture.daemon.on(BackupMethods.getBackupStatus) { _ in
            .with {
                $0.target = "/disk"
                $0.targetName = "/disk"
                $0.waits = "The network is metered."
            }
        }
        #expect(await fixture.run("backup", "status") == .success)
        #expect(fixture.output.text.hasSuffix("Next: The network is metered.\n"))
    }

    @Test(
        "an app is meant by its name, and by its identifier also where it is not installed (B-4)",
        arguments: [
            ("Notes", "com.example.Notes"), ("com.example.Maps", "com.example.Maps"),
            ("com.example.Gone", "com.example.Gone"),
        ])
    func app(text: String, bundleID: String) async {
        let fixture = fixture()
        #expect(await fixture.run("backup", "restore", "latest", "--app", text) == .success)
        let requests = fixture.daemon.requests(of: Baton_Control_V1_RestoreBackupRequest.self)
        #expect(requests.map(\.bundleID) == [bundleID])
    }

    @Test("a name that no app has restores nothing (B-4)")
    func unknown() async {
        let fixture = fixture()
        #expect(await fixture.run("backup", "restore", "latest", "--app", "Nobody") != .success)
        #expect(fixture.daemon.requests(of: Baton_Control_V1_RestoreBackupRequest.self).isEmpty)
        #expect(fixture.errors.text.contains("Nobody"))
    }
}
