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

    @Test("at a terminal a line shows how far a backup or a restore is, with rate and time left")
    func progress() async {
        for (arguments, work, verb) in [
            (["backup", "now"], "backup", "Backing up"),
            (["backup", "restore", "latest", "--to", "/x"], "restore", "Restoring"),
        ] {
            var fixture = CommandLineFixture()
            fixture.terminal.isOutputInteractive = true
            // The work goes on until it was looked at twice.
            let (looks, look) = AsyncStream.makeStream(of: Void.self)
            @Sendable func wait() async {
                var count = 0
                for await _ in looks {
                    count += 1
                    if count == 2 { break }
                }
            }
            fixture.daemon.on(BackupMethods.backUp) { _ in
                await wait()
                return .init()
            }
            fixture.daemon.on(BackupMethods.restoreBackup) { _ in
                await wait()
                return .init()
            }
            fixture.daemon.on(BackupMethods.getBackupStatus) { _ in
                look.yield()
                return .with {
                    $0.work = work
                    ($0.workFiles, $0.workBytes, $0.workTotal) = (12, 1 << 19, 1 << 20)
                }
            }
            #expect(await fixture.run(arguments) == .success)
            let line = "\(verb): 12 files, █████░░░░░ 50 %  512 KiB of 1 MiB, "
            #expect(fixture.output.text.contains(line), "\(fixture.output.text)")
            #expect(fixture.output.text.contains(" left"))
        }
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
