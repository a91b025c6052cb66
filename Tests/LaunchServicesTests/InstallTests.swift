import BatonCore
import BatonStore
import BatonTestSupport
import BatonTrust
import Files
import Foundation
import GRDB
import Synchronization
import Testing

@testable import LaunchServices

@Suite struct InstallTests {
    func reason(_ body: () async throws -> Void) async -> String? {
        await #expect(throws: BatonError.self) { try await body() }?.reason
    }

    @Test("H-4, H-6: a signed app is installed with its types and its container, and known after a restart")
    func install() async throws {
        let fixture = try await LaunchFixture()
        let bundle = try fixture.bundle(activityTypes: ["com.example.a", "com.example.b"])
        let (app, replaced, wasEnded) = try await fixture.service.install(path: bundle.path)
        #expect(replaced == nil && !wasEnded)
        #expect(app.identity == AppIdentity(bundleID: exampleID, team: fixture.team.identity))
        #expect(app.activityTypes.map(\.rawValue).sorted() == ["com.example.a", "com.example.b"])
        #expect(fixture.service.apps() == [app])
        #expect(fixture.service.app(forExecutable: app.executablePath) == app)
        #expect(fixture.service.app(forExecutable: app.executablePath + " (deleted)") == app)
        #expect(fixture.service.app(forExecutable: "/bin/sh") == nil)
        for directory in ["Documents", "Documents/Inbox", "Library", "Library/Caches", "tmp"] {
            var isDirectory: ObjCBool = false
            #expect(
                FileManager.default.fileExists(atPath: app.containerPath + "/" + directory, isDirectory: &isDirectory))
            #expect(isDirectory.boolValue)
        }
        #expect(try CodeVerifier.verify(app.bundlePath).digest == app.digest)
        let next = try await LaunchFixture(continuing: fixture)
        let restored = try #require(next.service.app(exampleID))
        #expect(restored.bundlePath == app.bundlePath)
        #expect(restored.activityTypes == app.activityTypes)
        #expect(restored.identity == app.identity)
        #expect(restored.digest == app.digest)
        #expect(next.service.app(forExecutable: app.executablePath) == restored)
    }

    @Test("H-4: an unsigned or tampered bundle is refused at install, and nothing of it stays")
    func refused() async throws {
        let fixture = try await LaunchFixture()
        let unsigned = try BundleFixture(in: fixture.temporary.file("source"))
        #expect(await reason { _ = try await fixture.service.install(path: unsigned.path) } == "bundle_unsigned")
        let tampered = try fixture.bundle()
        try tampered.write("evil", to: "Resources/a.txt")
        #expect(await reason { _ = try await fixture.service.install(path: tampered.path) } == "bundle_tampered")
        #expect(await reason { _ = try await fixture.service.install(path: "relative.app") } == "path_not_absolute")
        #expect(fixture.service.apps().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.locations.applications).isEmpty)
        #expect(fixture.recorder.all("install_refused").count == 3)
    }

    @Test func `a bundle that changes between its verification and its copy is not installed`() async throws {
        let source = Mutex<BundleFixture?>(nil)
        let fixture = try await LaunchFixture { step in
            if step == .verified { try? source.withLock { $0 }?.write("e", to: "Resources/a.txt") }
        }
        let bundle = try fixture.bundle()
        source.withLock { $0 = bundle }
        #expect(await reason { _ = try await fixture.service.install(path: bundle.path) } == "bundle_tampered")
        #expect(fixture.service.apps().isEmpty)
        let home = fixture.locations.applications + "/com.example.Example"
        #expect((try? FileManager.default.contentsOfDirectory(atPath: home)) ?? [] == [])
    }

    @Test("H-5: the titles that an app keeps to survive a restart, and go with the version that had them")
    func activityTitles() async throws {
        let fixture = try await LaunchFixture()
        let type = ActivityType(unchecked: "com.example.note")
        func bundle(_ version: String, _ titles: [String]) throws -> BundleFixture {
            try BundleFixture(
                in: fixture.temporary.file("titles"), version: version, activityTypes: [type.rawValue],
                info: ["BatonUserActivityTitles": [type.rawValue: titles]]
            ).signed(by: fixture.team)
        }
        _ = try await fixture.service.install(path: try bundle("1", ["One", "Two"]).path)
        let restarted = try await LaunchFixture(continuing: fixture)
        #expect(restarted.service.app(exampleID)?.activityTitles == [type: ["One", "Two"]])
        _ = try await restarted.service.install(path: try bundle("2", ["Three"]).path)
        let again = try await LaunchFixture(continuing: fixture)
        #expect(again.service.app(exampleID)?.activityTitles == [type: ["Three"]])
    }

    @Test func `an upgrade replaces the files, keeps the data, and ends the app that runs`() async throws {
        let fixture = try await LaunchFixture()
        let old = try await fixture.install(version: "1.9")
        try "kept".write(toFile: old.containerPath + "/Documents/x", atomically: true, encoding: .utf8)
        let events = fixture.service.events()
        let processID = try await fixture.service.launch(exampleID).processID
        let (new, replaced, wasEnded) = try await fixture.service.install(
            path: try fixture.bundle(version: "1.10").path)
        #expect(replaced == "1.9" && wasEnded)
        #expect(ProcessStamp(of: processID) == nil)
        #expect(await events.nextExit()?.contains("when asked to") == true)
        #expect(!FileManager.default.fileExists(atPath: old.bundlePath))
        #expect(fixture.service.app(forExecutable: old.executablePath) == nil)
        #expect(fixture.service.app(exampleID) == new)
        #expect(try String(contentsOfFile: new.containerPath + "/Documents/x", encoding: .utf8) == "kept")
        #expect(fixture.recorder.all("upgraded").count == 1)
        #expect(fixture.recorder.all("crashed").isEmpty)
    }

    @Test
    func `an app that asks for more than its container is installed once that is accepted, and upgraded with no more`()
        async throws
    {
        let fixture = try await LaunchFixture()
        func bundle(_ version: String, _ paths: [String]) throws -> String {
            try BundleFixture(
                in: fixture.temporary.file("source"), version: version,
                entitlements: ["com.apple.security.temporary-exception.files.absolute-path.read-only": paths]
            ).signed(by: fixture.team).path
        }
        let first = try bundle("1", ["/srv/a"])
        for accepted in [[], ["unconfined"], ["read /srv"]] as [Set<String>] {
            let refusal = await #expect(throws: UnacceptedAccess.self) {
                try await fixture.service.install(path: first, accepting: accepted)
            }
            #expect(refusal?.wanted == ["read /srv/a"])
        }
        #expect(fixture.service.apps().isEmpty)
        _ = try await fixture.service.install(path: first, accepting: ["read /srv/a"])
        _ = try await fixture.service.install(path: try bundle("2", ["/srv/a"]))
        let more = try bundle("3", ["/srv/a", "/srv/b"])
        let refusal = await #expect(throws: UnacceptedAccess.self) { try await fixture.service.install(path: more) }
        #expect(refusal?.wanted == ["read /srv/b"])
        #expect(fixture.service.app(exampleID)?.build == "2")
    }

    @Test func `an older version is refused, the same one is installed again`() async throws {
        let fixture = try await LaunchFixture()
        try await fixture.install(version: "1.10")
        let older = try fixture.bundle(version: "1.9")
        #expect(await reason { _ = try await fixture.service.install(path: older.path) } == "app_downgrade")
        let same = try await fixture.service.install(path: try fixture.bundle(version: "1.10.0").path)
        #expect(same.replacedVersion == "1.10")
        #expect(fixture.service.apps().count == 1)
    }

    @Test("H-3: another team cannot take over an app, nor the data that was kept of one")
    func otherTeam() async throws {
        let fixture = try await LaunchFixture()
        let other = try TeamKey(name: "Other")
        let app = try await fixture.install()
        let foreign = try fixture.bundle(version: "2", team: other)
        #expect(await reason { _ = try await fixture.service.install(path: foreign.path) } == "team_changed")
        try await fixture.service.uninstall(exampleID, keepData: true)
        #expect(FileManager.default.fileExists(atPath: app.containerPath))
        #expect(await reason { _ = try await fixture.service.install(path: foreign.path) } == "team_changed")
        // The app's own team finds its data again.
        try await fixture.install()
        try await fixture.service.uninstall(exampleID, keepData: true)
        // Uninstalling what is not installed removes the data.
        try await fixture.service.uninstall(exampleID, keepData: false)
        #expect(!FileManager.default.fileExists(atPath: app.containerPath))
        let again = try fixture.bundle(version: "2", team: other)
        #expect(try await fixture.service.install(path: again.path).app.identity.team == other.identity)
    }

    @Test("H-3, B-1: data that comes from a backup is found by the app of its own team only")
    func restoredData() async throws {
        let fixture = try await LaunchFixture()
        let (service, other) = (fixture.service, try TeamKey(name: "Other"))
        func installForeign() async throws {
            _ = try await service.install(path: try fixture.bundle(version: "2", team: other).path)
        }
        try await service.claimContainer(of: exampleID, for: fixture.team.identity)
        #expect(await reason { try await installForeign() } == "team_changed")
        #expect(
            await reason { try await service.claimContainer(of: exampleID, for: other.identity) } == "team_changed")
        try await fixture.install()
        try await service.claimContainer(of: exampleID, for: fixture.team.identity)
        #expect(
            await reason { try await service.claimContainer(of: exampleID, for: other.identity) } == "team_changed")
        // A person may give the data up.
        try await service.uninstall(exampleID, keepData: false)
        try await service.claimContainer(of: exampleID, for: other.identity)
        try await installForeign()
    }

    @Test func `uninstalling ends the app and removes it, its data and its log`() async throws {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install()
        let processID = try await fixture.service.launch(exampleID).processID
        try await fixture.service.uninstall(exampleID, keepData: false)
        #expect(ProcessStamp(of: processID) == nil)
        for path in [app.bundlePath, app.containerPath, app.logPath] {
            #expect(!FileManager.default.fileExists(atPath: path), "\(path)")
        }
        #expect(fixture.service.apps().isEmpty)
        #expect(await reason { try await fixture.service.uninstall(exampleID, keepData: false) } == "app_not_installed")
        #expect(try await LaunchFixture(continuing: fixture).service.apps().isEmpty)
    }

    /// At each step the whole home is copied, as a crash there would leave it, and a daemon started on the copy.
    @Test(arguments: InstallStep.allCases)
    func `a crash at any step of an upgrade leaves the old or the new version, working`(step: InstallStep) async throws
    {
        let crash = Mutex<(from: String, to: String)?>(nil)
        let fixture = try await LaunchFixture { reached in
            guard reached == step, let crash = crash.withLock({ $0 }) else { return }
            try? FileManager.default.copyItem(atPath: crash.from, toPath: crash.to)
        }
        try await fixture.install("exit 1", version: "1")
        let image = fixture.temporary.file("image")
        crash.withLock { $0 = (fixture.temporary.file("home"), image) }
        let bundle = try fixture.bundle("exit 2", version: "2")
        _ = try await fixture.service.install(path: bundle.path)

        let after = try await LaunchFixture(continuing: fixture, home: image)
        let app = try #require(after.service.app(exampleID))
        let isNew = [.registered, .oldRemoved].contains(step)
        #expect(app.version == (isNew ? "2" : "1"))
        #expect(throws: Never.self) { try CodeVerifier.verify(app.bundlePath) }
        let events = after.service.events()
        _ = try await after.service.launch(exampleID)
        #expect(await events.nextExit() == "Ended with code \(isNew ? 2 : 1).")
        // Nothing is left of the other version.
        let directory = after.locations.applications + "/com.example.Example"
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count == 1)
        // And the interrupted upgrade can be made up for.
        #expect(try await after.service.install(path: bundle.path).app.version == "2")
    }

    @Test func `an uninstallation that was interrupted is finished at the next start`() async throws {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install()
        // As far as the database and no further.
        try await fixture.service.registry.unregister(exampleID, keepData: false)
        let next = try await LaunchFixture(continuing: fixture)
        #expect(next.service.apps().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: app.bundlePath))
        #expect(!FileManager.default.fileExists(atPath: app.containerPath))
        #expect(try await next.service.registry.doomedContainers().isEmpty)
    }

    /// An app whose log is a directory, as one could make it that runs with its user's rights: its removal fails.
    private func makeUnremovable(_ app: InstalledApp) throws {
        try? FileManager.default.removeItem(atPath: app.logPath)
        try FileManager.default.createDirectory(atPath: app.logPath, withIntermediateDirectories: false)
    }

    @Test("What one app left and nobody can remove keeps neither the daemon from starting nor other apps away")
    func unremovable() async throws {
        let fixture = try await LaunchFixture()
        let other = try await fixture.service.install(
            path: try fixture.bundle(bundleID: "com.example.other").path
        ).app
        let app = try await fixture.install()
        try makeUnremovable(app)
        try await fixture.service.uninstall(exampleID, keepData: false)
        #expect(fixture.recorder.all("removal_postponed").first?.fields["bundle_id"] == exampleID.rawValue)
        // A note of a process that is none, a bundle's directory that is none, and a row that holds nonsense.
        let note = fixture.locations.runtime + "/processes/com.example.other"
        try FileManager.default.createDirectory(atPath: note, withIntermediateDirectories: true)
        try await fixture.service.registry.database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO installed_app
                    SELECT 'com.example.damaged', x'00', name, version, build, activity_types, bundle, executable, digest,
                        installed, associated_domains, key_value_store, key_value_profile, claims,
                        traits
                    FROM installed_app
                    """)
            try db.execute(sql: "INSERT INTO app_container VALUES ('com.example.damaged', x'00', 0)")
        }
        let damagedID = BundleID(unchecked: "com.example.damaged")

        let next = try await LaunchFixture(continuing: fixture)
        #expect(next.service.apps().map(\.bundleID) == [other.bundleID])
        let events = next.service.events()
        _ = try await next.service.launch(other.bundleID)
        try await next.service.quit(other.bundleID)
        _ = await events.nextExit()
        #expect(next.recorder.all("removal_postponed").first?.fields["bundle_id"] == exampleID.rawValue)
        #expect(next.recorder.all("process_note_unreadable").count == 1)
        #expect(next.recorder.all("registration_damaged").first?.fields["bundle_id"] == damagedID.rawValue)
        // The advice of the record's sentence works.
        try await next.service.uninstall(damagedID, keepData: false)
        // Tried again at each start, until it can be done.
        rmdir(app.logPath)
        rmdir(note)
        let last = try await LaunchFixture(continuing: fixture)
        #expect(try await last.service.registry.doomedContainers().isEmpty)
        for event in ["removal_postponed", "process_note_unreadable", "registration_damaged"] {
            #expect(last.recorder.all(event).isEmpty, "\(event)")
        }
    }

    @Test("H-3: data that could not be removed is never another team's")
    func doomedData() async throws {
        let fixture = try await LaunchFixture()
        let other = try TeamKey(name: "Other")
        let app = try await fixture.install()
        try makeUnremovable(app)
        try await fixture.service.uninstall(exampleID, keepData: false)
        // As when the container itself had not been removable.
        try FileManager.default.createDirectory(atPath: app.containerPath, withIntermediateDirectories: true)
        let secret = app.containerPath + "/secret"
        try "s".write(toFile: secret, atomically: true, encoding: .utf8)
        let foreign = try fixture.bundle(team: other)
        #expect(await reason { _ = try await fixture.service.install(path: foreign.path) } == "container_not_removed")
        #expect(fixture.service.apps().isEmpty)
        #expect(
            await reason { try await fixture.service.uninstall(exampleID, keepData: false) } == "container_not_removed")
        rmdir(app.logPath)
        try FileManager.default.createDirectory(atPath: app.containerPath, withIntermediateDirectories: true)
        try "s".write(toFile: secret, atomically: true, encoding: .utf8)
        let installed = try await fixture.service.install(path: foreign.path).app
        #expect(installed.identity.team == other.identity)
        #expect(!FileManager.default.fileExists(atPath: secret))
    }

    @Test func `what an app nested deeper than paths and stacks go is removed with it`() async throws {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install()
        // Two branches, one of which holds a directory that its owner closed.
        for branch in ["a", "b"] {
            var handle = try DirectoryHandle(path: app.containerPath).makeDirectory(branch, mode: 0o700)
            for level in 0..<2000 {
                handle = try handle.makeDirectory("a long name for a directory", mode: 0o700)
                if level == 1000 { _ = try handle.createFile("file", mode: 0o600) }
            }
            if branch == "b" { fchmod(handle.descriptor, 0) }
        }
        try await fixture.service.uninstall(exampleID, keepData: false)
        #expect(!FileManager.default.fileExists(atPath: app.containerPath))
        #expect(try await fixture.service.registry.doomedContainers().isEmpty)
    }

    @Test func `of leftovers that cannot be removed the others are`() async throws {
        // A mount point, in this thread's own view of the file system, which only root may make.
        try #require(geteuid() == 0, "This test mounts, and must run as root.")
        let fixture = try await LaunchFixture()
        let applications = fixture.locations.applications
        for path in ["a/busy", "a/free", "b/free"] {
            try FileManager.default.createDirectory(
                atPath: applications + "/" + path, withIntermediateDirectories: true)
        }
        let files = fixture.service.files
        let (removed, failures) = try await withPrivateMount(over: applications + "/a/busy") {
            try files.removeLeftovers(keeping: [])
        }
        #expect(removed == 2)
        #expect(failures.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: applications) == ["a"])
    }

    private func withPrivateMount<Value: Sendable>(
        over path: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        // By name, since the Glibc module leaves them out.
                        typealias Unshare = @convention(c) (Int32) -> Int32
                        typealias Mount =
                            @convention(c) (
                                UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt,
                                UnsafeRawPointer?
                            ) -> Int32
                        let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
                        let mount = unsafeBitCast(try #require(dlsym(nil, "mount")), to: Mount.self)
                        // CLONE_NEWNS; then MS_REC | MS_PRIVATE, and MS_BIND.
                        try #require(unshare(0x20000) == 0)
                        try #require(mount(nil, "/", nil, 0x4000 | 0x40000, nil) == 0)
                        try #require(mount(path, path, nil, 0x1000, nil) == 0)
                        return try body()
                    })
            }
        }
    }

    @Test func `a script cannot be an app`() async throws {
        let fixture = try await LaunchFixture()
        let bundle = try fixture.bundle()
        for (text, word) in [("#!/bin/sh\nexit 0\n", "a script"), ("", "not a program"), ("#", "not a program")] {
            try bundle.write(text, to: "Example")
            let error = #expect(throws: BatonError.self) { try CodeSigner.sign(bundle.path, with: fixture.team) }
            #expect(error?.reason == "executable_not_a_program")
            #expect(error?.message.contains(word) == true)
        }
    }

    @Test func `an installation that fails at any step leaves nothing`() async throws {
        let applications = Mutex("")
        let failing = Mutex<InstallStep?>(nil)
        let fixture = try await LaunchFixture { step in
            guard step == failing.withLock({ $0 }) else { return }
            // The copy is damaged under the daemon's hands.
            let home = applications.withLock { $0 } + "/com.example.Example"
            for unique in (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? [] {
                try? "x".write(
                    toFile: "\(home)/\(unique)/Example.app/Resources/a.txt", atomically: false, encoding: .utf8)
            }
        }
        applications.withLock { $0 = fixture.locations.applications }
        failing.withLock { $0 = .copied }
        let bundle = try fixture.bundle()
        #expect(await reason { _ = try await fixture.service.install(path: bundle.path) } == "bundle_tampered")
        for directory in [fixture.locations.applications, fixture.locations.containers] {
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty, "\(directory)")
        }
        failing.withLock { $0 = nil }
        _ = try await fixture.service.install(path: bundle.path)
    }

    @Test func `apps are installed side by side`() async throws {
        let fixture = try await LaunchFixture()
        var paths: [String] = []
        for number in 0..<10 {
            let bundle = try BundleFixture(
                in: fixture.temporary.file("source\(number)"), bundleID: "com.example.n\(number)"
            ).signed(by: fixture.team)
            paths.append(bundle.path)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for path in paths { group.addTask { _ = try await fixture.service.install(path: path) } }
            try await group.waitForAll()
        }
        #expect(fixture.service.apps().map(\.bundleID.rawValue) == (0..<10).map { "com.example.n\($0)" })
    }

    // In the quiet lane, since it measures time.
    @Test func `a thousand installed apps are found at once`() async throws {
        let fixture = try await LaunchFixture()
        for number in 0..<1000 {
            let id = try BundleID(validating: "com.example.app\(number)")
            try await fixture.service.registry.register(
                .init(
                    identity: AppIdentity(bundleID: id, team: fixture.team.identity), name: "App \(number)",
                    version: "1", build: "1", activityTypes: [ActivityType(unchecked: "com.example.t\(number)")],
                    bundle: "\(id)/x/App.app", executable: "App", digest: [], installed: Date()))
        }
        let next = try await LaunchFixture(continuing: fixture)
        #expect(next.service.apps().count == 1000)
        let start = ContinuousClock.now
        for number in 0..<1000 {
            let path = next.locations.applications + "/com.example.app\(number)/x/App.app/App"
            #expect(next.service.app(forExecutable: path)?.name == "App \(number)")
        }
        // A scan of all of them each time would take seconds.
        #expect(ContinuousClock.now - start < .seconds(1))
    }
}
