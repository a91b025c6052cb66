import BatonConcurrency
import BatonCore
import BatonTestSupport
import BatonTrust
import BatonWire
import Dispatch
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

@testable import LaunchServices

@Suite struct LaunchTests {
    func reason(_ body: () async throws -> Void) async -> String? {
        await #expect(throws: BatonError.self) { try await body() }?.reason
    }

    @Test func `an app runs in its container, in a session of its own, with the person's environment and its own log`()
        async throws
    {
        let fixture = try await LaunchFixture(environment: [
            "PATH": "/usr/bin:/bin", "LANG": "C", "HOME": "/h", "XDG_X": "x", "SECRET_TOKEN": "s", "LD_PRELOAD": "evil",
        ])
        let app = try await fixture.install(
            """
            pwd; echo "args:$*"; ps -o sid= -p $$ | tr -d ' ' | sed "s/^$$\\$/own session/"
            cat; env; echo problem >&2
            """)
        let events = fixture.service.events()
        let launched = try await fixture.service.launch(exampleID, arguments: ["a b", "c"], environment: ["MINE": "1"])
        #expect(!launched.wasRunning)
        #expect(await events.nextExit() == "Exited normally.")
        let log = try String(contentsOfFile: app.logPath, encoding: .utf8).split(separator: "\n").map(String.init)
        for line in [
            app.containerPath, "args:a b c", "MINE=1", "LANG=C", "HOME=\(app.containerPath)", "XDG_X=x", "problem",
            "CFFIXED_USER_HOME=\(app.containerPath)", "TMPDIR=\(app.containerPath)/tmp",
            "BATON_SOCKET=\(fixture.locations.socket)", "BATON_CONTAINER=\(app.containerPath)",
        ] {
            #expect(log.contains(line), "\(line)")
        }
        if access("/bin/ps", X_OK) == 0 { #expect(log.contains("own session")) }
        #expect(!log.contains { $0.contains("SECRET_TOKEN") || $0.contains("LD_PRELOAD") })
        #expect(fixture.recorder.all("launched").first?.fields["process_id"] == "\(launched.processID)")
        #expect(fixture.recorder.all("exited").first?.fields["exit_code"] == "0")
        #expect(fixture.service.lastExit(exampleID)?.description == "Exited normally.")
        #expect(fixture.service.runningProcess(exampleID) == nil)
    }

    @Test func `of many launches at once, one starts the app`() async throws {
        let fixture = try await LaunchFixture()
        try await fixture.install()
        let results = try await withThrowingTaskGroup(of: (Int32, Bool).self) { group in
            for _ in 0..<20 { group.addTask { try await fixture.service.launch(exampleID) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(results.map(\.0)).count == 1)
        #expect(results.count { !$0.1 } == 1)
        #expect(fixture.recorder.all("launched").count == 1)
        try await fixture.service.quit(exampleID)
        #expect(await reason { try await fixture.service.quit(exampleID) } == "app_not_running")
    }

    @Test func `a crash is noticed and told`() async throws {
        let fixture = try await LaunchFixture()
        try await fixture.install("kill -SEGV $$")
        let events = fixture.service.events()
        _ = try await fixture.service.launch(exampleID)
        #expect(await events.nextExit() == "Crashed: SIGSEGV.")
        #expect(fixture.recorder.all("crashed").first?.fields["signal"] == "11")
        #expect(fixture.service.lastExit(exampleID)?.description == "Crashed: SIGSEGV.")
    }

    @Test func `an app that is quit takes what it started along`() async throws {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install("sleep 1000 & echo $! > ready; wait")
        let pipe = fixture.pipe("ready", of: app)
        _ = try await fixture.service.launch(exampleID)
        let childID = try #require(Int32(await fixture.read(pipe)))
        let child = try #require(ProcessStamp(of: childID))
        let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
        let watch = ProcessWatch(child, on: .global()) { continuation.finish() }
        try await fixture.service.quit(exampleID)
        for await _ in ended {}
        #expect(!child.isAlive)
        withExtendedLifetime(watch) {}
    }

    @Test func `an app that will not end is killed`() async throws {
        let fixture = try await LaunchFixture(grace: .milliseconds(50))
        let app = try await fixture.install("trap '' TERM; echo > ready; while :; do sleep 1000; done")
        let pipe = fixture.pipe("ready", of: app)
        let processID = try await fixture.service.launch(exampleID).processID
        _ = await fixture.read(pipe)
        try await fixture.service.quit(exampleID)
        #expect(ProcessStamp(of: processID) == nil)
        #expect(fixture.service.lastExit(exampleID)?.description == "Ended when asked to (SIGKILL).")
    }

    @Test("H-4: an app that was tampered with after its installation is not launched")
    func tampering() async throws {
        let fixture = try await LaunchFixture()
        let events = fixture.service.events()
        let changes: [(InstalledApp) throws -> Void] = [
            { try "#!/bin/sh\necho evil\n".write(toFile: $0.executablePath, atomically: false, encoding: .utf8) },
            { try "x".write(toFile: $0.bundlePath + "/Resources/new", atomically: false, encoding: .utf8) },
            { unlink($0.bundlePath + "/Resources/a.txt") },
            {
                unlink($0.bundlePath + "/Resources/a.txt")
                symlink("/etc/passwd", $0.bundlePath + "/Resources/a.txt")
            },
            {
                // A whole other bundle of the same app and team.
                let other = try fixture.bundle("echo other")
                try FileManager.default.removeItem(atPath: $0.bundlePath)
                try FileManager.default.copyItem(atPath: other.path, toPath: $0.bundlePath)
            },
            { try FileManager.default.removeItem(atPath: $0.bundlePath) },
        ]
        for (number, change) in changes.enumerated() {
            let app = try await fixture.install("exit 0")
            // Verified, launched, and verified again: what was found right once is not right for ever.
            for _ in 0..<2 {
                _ = try await fixture.service.launch(exampleID)
                #expect(await events.nextExit() == "Exited normally.")
            }
            try change(app)
            let error = await #expect(throws: BatonError.self) { try await fixture.service.launch(exampleID) }
            #expect(["bundle_tampered", "file_not_found"].contains(error?.reason), "change \(number)")
        }
        #expect(fixture.recorder.all("launch_failed").count == changes.count)
    }

    @Test("H-4: what a shared mapping changed after a launch, which shows in no time stamp, is found at the next one")
    func changedThroughMapping() async throws {
        let fixture = try await LaunchFixture()
        let events = fixture.service.events()
        let app = try await fixture.install("exit 0")
        let mapping = try SharedMapping(app.bundlePath + "/Resources/a.txt")
        defer { mapping.end() }
        // From now on the page is written to without the file system's notice.
        mapping.write("a")
        let written = Date()
        // A file that was changed a moment ago is not trusted in any case.
        while Date().timeIntervalSince(written) < 0.1 { sched_yield() }
        _ = try await fixture.service.launch(exampleID)
        #expect(await events.nextExit() == "Exited normally.")
        mapping.write("b")
        #expect(await reason { _ = try await fixture.service.launch(exampleID) } == "bundle_tampered")
    }

    @Test func `what cannot be launched says so`() async throws {
        let fixture = try await LaunchFixture()
        #expect(await reason { _ = try await fixture.service.launch(exampleID) } == "app_not_installed")
        let bundle = try fixture.bundle()
        try bundle.write("\u{7F}ELF, and then nothing that can be run", to: "Example")
        try CodeSigner.sign(bundle.path, with: fixture.team)
        _ = try await fixture.service.install(path: bundle.path)
        let error = await #expect(throws: BatonError.self) { try await fixture.service.launch(exampleID) }
        #expect(error?.reason == "launch_failed")
        #expect(error?.message.contains("#!") == false)
        #expect(fixture.service.runningProcess(exampleID) == nil)
        for environment in [
            ["LD_PRELOAD": "x"], ["BATON_SOCKET": "x"], ["": "x"], ["A=B": "x"], ["1": "x"], ["A": "x\0"],
        ] {
            #expect(
                await reason { _ = try await fixture.service.launch(exampleID, environment: environment) }
                    == "launch_request_invalid")
        }
        for arguments in [["a\0b"], Array(repeating: "a", count: 300), [String(repeating: "a", count: 100_000)]] {
            #expect(
                await reason { _ = try await fixture.service.launch(exampleID, arguments: arguments) }
                    == "launch_request_invalid")
        }
    }

    @Test func `an app gets the limit of descriptors that the daemon was given, not the one it raised its own to`()
        async throws
    {
        var own = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &own)
        let limit = try #require(own.rlim_cur > 64 ? UInt64(own.rlim_cur) - 7 : nil)
        let fixture = try await LaunchFixture(descriptorLimit: limit)
        try await fixture.install()
        let processID = try await fixture.service.launch(exampleID).processID
        let limits = try String(contentsOfFile: "/proc/\(processID)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        let hard = own.rlim_max == rlim_t.max ? "unlimited" : "\(own.rlim_max)"
        #expect(line.split(separator: " ").dropFirst(3).prefix(2) == ["\(limit)", hard[...]])
        try await fixture.service.quit(exampleID)
    }

    @Test func `launching leaks no descriptors`() async throws {
        let fixture = try await LaunchFixture()
        try await fixture.install("exit 0")
        let events = fixture.service.events()
        var counts: [Int] = []
        for _ in 0..<60 {
            _ = try await fixture.service.launch(exampleID)
            _ = await events.nextExit()
            let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            counts.append(links.count { $0.hasPrefix(fixture.temporary.path) })
        }
        // Readers of the database and the last process come and go; a leak would show fifty times.
        #expect((counts.last ?? 0) < counts[10] + 20)
    }

    @Test func `a log that has grown is put aside at the next launch`() async throws {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install("echo new")
        try Data(count: Int(AppLog.limit) + 1).write(to: URL(fileURLWithPath: app.logPath))
        let events = fixture.service.events()
        _ = try await fixture.service.launch(exampleID)
        _ = await events.nextExit()
        #expect(try String(contentsOfFile: app.logPath, encoding: .utf8) == "new\n")
        #expect(FileManager.default.fileExists(atPath: app.logPath + ".1"))
    }
}

@Suite struct RunningAppTests {
    @Test func `an app goes on when the daemon ends, and the next daemon knows it and can end it`() async throws {
        let fixture = try await LaunchFixture()
        try await fixture.install()
        let processID = try await fixture.service.launch(exampleID).processID
        await fixture.service.launchQueue.run {}
        let next = try await LaunchFixture(continuing: fixture)
        #expect(next.service.runningProcess(exampleID) == processID)
        let again = try await next.service.launch(exampleID)
        #expect(again == (processID, true))
        let events = next.service.events()
        try await next.service.quit(exampleID)
        #expect(ProcessStamp(of: processID) == nil)
        #expect(await events.nextExit() == "Ended.")
    }

    @Test func `notes of processes that ended, of another start of the machine, or damaged, are dropped`() async throws
    {
        let fixture = try await LaunchFixture()
        try await fixture.install()
        let files = fixture.service.runningFiles
        let own = try #require(ProcessStamp(of: getpid()))
        let directory = fixture.locations.runtime + "/processes/"
        for text in [
            "", "x", "\(getpid()) \(own.startTime + 1) \(ProcessStamp.bootID())",
            "\(getpid()) \(own.startTime) other-boot",
            "-1 0 \(ProcessStamp.bootID())", String(repeating: "1", count: 150),
        ] {
            try text.write(toFile: directory + "com.example.Example", atomically: false, encoding: .utf8)
            #expect(try files.stillRunning().running.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: directory + "com.example.Example"))
        }
        try files.write(exampleID, own)
        #expect(try files.stillRunning().running == [exampleID: own])
    }

    @Test func `an app that was started by hand counts as running until its process ends`() async throws {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sleep")
        process.arguments = ["1000"]
        try process.run()
        let events = fixture.service.events()
        fixture.service.noteRunning(app.identity, processID: process.processIdentifier)
        #expect(fixture.service.runningProcess(exampleID) == process.processIdentifier)
        #expect(try await fixture.service.launch(exampleID) == (process.processIdentifier, true))
        // It lost its connection, and still runs.
        fixture.service.noteEnded(app.identity, processID: process.processIdentifier)
        #expect(fixture.service.runningProcess(exampleID) == process.processIdentifier)
        // Foundation starts processes with the signals blocked that its threads block.
        kill(process.processIdentifier, SIGKILL)
        #expect(await events.nextExit() == "Ended.")
        #expect(fixture.service.runningProcess(app.identity) == nil)
    }

    @Test func `an app in development is listed while it is attached, beside an installed one of the same name`()
        async throws
    {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install()
        let identity = AppIdentity(bundleID: exampleID, team: .development)
        let development = DevelopmentApp(
            identity: identity, name: "Dev", version: "1", activityTypes: [ActivityType(unchecked: "com.example.a")])
        fixture.service.noteRunning(identity, processID: getpid())
        #expect(fixture.service.developmentApps() == [identity])
        #expect(fixture.service.runningProcess(identity) == getpid())
        #expect(fixture.service.runningProcess(exampleID) == nil)
        let list = LaunchServicesHarness(fixture.service, developmentApps: { [development] }).list().apps
        #expect(list[1].name == "Dev" && list[1].version == "1" && list[1].activityTypes == ["com.example.a"])
        #expect(list.map(\.installed) == [true, false])
        #expect(list.map(\.running) == [false, true])
        #expect(list[0].identity.teamID == app.identity.team.id.rawValue)
        fixture.service.noteEnded(identity, processID: getpid())
        #expect(fixture.service.developmentApps().isEmpty)
        #expect(LaunchServicesHarness(fixture.service).list().apps.count == 1)
    }

    @Test func `an app in development that runs is not ended, and the answer says why`() async throws {
        let fixture = try await LaunchFixture()
        let identity = AppIdentity(bundleID: exampleID, team: .development)
        fixture.service.noteRunning(identity, processID: getpid())
        let error = await #expect(throws: BatonError.self) { try await fixture.service.quit(exampleID) }
        #expect(error?.reason == "app_not_launched_here" && error?.message.contains("\(getpid())") == true)
        fixture.service.noteEnded(identity, processID: getpid())
        let later = await #expect(throws: BatonError.self) { try await fixture.service.quit(exampleID) }
        #expect(later?.reason == "app_not_installed")
    }

    @Test(
        "how an app ended is known after a restart of the daemon, until the app is uninstalled",
        arguments: [
            ("exit 3", "Ended with code 3.", true), ("exit 0", "Exited normally.", false),
            ("kill -SEGV $$", "Crashed: SIGSEGV.", true),
        ])
    func lastExit(script: String, description: String, isFailure: Bool) async throws {
        let fixture = try await LaunchFixture()
        try await fixture.install(script)
        let events = fixture.service.events()
        _ = try await fixture.service.launch(exampleID)
        _ = await events.nextExit()
        await fixture.service.launchQueue.run {}
        let next = try await LaunchFixture(continuing: fixture)
        let exit = try #require(next.service.lastExit(exampleID))
        #expect(exit.description == description && exit.isFailure == isFailure)
        #expect(abs(exit.time.timeIntervalSinceNow) < 60)
        try await next.service.uninstall(exampleID, keepData: false)
        #expect(next.service.lastExit(exampleID) == nil)
        #expect(try await LaunchFixture(continuing: fixture).service.lastExit(exampleID)?.description == nil)
    }

    @Test func `a bundle that was tampered with since it was installed is found without a launch`() async throws {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install()
        #expect(await fixture.service.verification(of: app) == nil)
        try "b".write(toFile: app.bundlePath + "/Resources/a.txt", atomically: false, encoding: .utf8)
        #expect(await fixture.service.verification(of: app)?.reason == "bundle_tampered")
    }

    @Test func `a process that does not exist is not noted`() async throws {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install()
        for processID: Int32 in [0, -1, .max] { fixture.service.noteRunning(app.identity, processID: processID) }
        #expect(fixture.service.runningProcess(exampleID) == nil)
    }

    @Test func `the command line's calls are checked and answered`() async throws {
        let fixture = try await LaunchFixture()
        // Whether the app was still there when others were asked to forget it, before the answer.
        let left = Mutex<[Bool]>([])
        let harness = LaunchServicesHarness(
            fixture.service,
            uninstalled: { left.withLock { $0.append(fixture.service.app(exampleID) != nil) } })
        let path = try fixture.bundle(activityTypes: ["com.example.b", "com.example.a"]).path
        let installed = try await harness.install(.with { $0.path = path })
        #expect(installed.app.activityTypes == ["com.example.a", "com.example.b"])
        #expect(installed.app.installed)
        #expect(installed.replacedVersion.isEmpty)
        let launched = try await harness.launch(.with { $0.bundleID = "com.example.Example" })
        #expect(launched.processID > 0)
        #expect(harness.list().apps.first?.processID == launched.processID)
        _ = try await harness.quit(.with { $0.bundleID = "com.example.Example" })
        #expect(harness.list().apps.first?.lastExit.isEmpty == false)
        _ = try await harness.uninstall(.with { $0.bundleID = "com.example.Example" })
        #expect(harness.list().apps.isEmpty)
        #expect(left.withLock { $0 } == [false])
        for id in ["", "../x", "a b", String(repeating: "x", count: 200)] {
            let error = await #expect(throws: BatonError.self) { try await harness.launch(.with { $0.bundleID = id }) }
            #expect(error?.reason == "invalid_identifier")
        }
    }
}

@Suite struct ProcessTableTests {
    let app = AppIdentity(bundleID: exampleID, team: .development)
    func stamp(_ processID: Int32) -> ProcessStamp { ProcessStamp(processID: processID, startTime: UInt64(processID)) }

    @Test func `the first process counts, the next one after it`() {
        var table = ProcessTable()
        let news = [stamp(1), stamp(2), stamp(1)].map { table.started(app, $0, .noted) }
        #expect(news == [true, true, false])
        #expect(table.current(app)?.stamp == stamp(1))
        let ends = [3, 1].map { table.ended(app, processID: $0, by: .noted)?.isStopping }
        #expect(ends == [nil, false])
        #expect(table.current(app)?.stamp == stamp(2))
        let asked = table.stopping(app)
        #expect(asked.map(\.stamp) == [stamp(2)])
        let last = table.ended(app, processID: 2, by: .noted)
        #expect(last?.isStopping == true)
        #expect(table.runningApps.isEmpty)
    }

    @Test func `of a process that was launched, its parent alone tells how it ended`() {
        var table = ProcessTable()
        // It attached before its launch was reported.
        let news = [ProcessTable.Origin.noted, .launched].map { table.started(app, stamp(1), $0) }
        #expect(news == [true, false])
        let ends = [ProcessTable.Origin.noted, .launched, .launched].map {
            table.ended(app, processID: 1, by: $0) != nil
        }
        #expect(ends == [false, true, false])
    }
}
