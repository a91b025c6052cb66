import BatonCore
import BatonTestSupport
import BatonTrust
import Foundation
import Testing

@testable import LaunchServices

/// The permissions of a confined app, tried by the kernel. As a user without privileges, since the superuser may write what is
/// not writable.
@Suite struct SandboxTests {
    /// Folders of an app that belong to a user without privileges.
    private struct Folders {
        static let user = "65534"
        let temporary: TemporaryDirectory
        var container: String { temporary.file("container") }
        var inbox: String { temporary.file("inbox") }
        var elsewhere: String { temporary.file("elsewhere") }
        var bundle: String { temporary.file("Example.app") }

        init() throws {
            temporary = try TemporaryDirectory()
            for path in [container + "/Documents", inbox, elsewhere, bundle] {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            }
            for path in [inbox + "/note.txt", inbox + "/other.txt", elsewhere + "/secret", bundle + "/file"] {
                try Data("text".utf8).write(to: URL(fileURLWithPath: path))
            }
            try FileManager.default.createSymbolicLink(
                atPath: container + "/Documents/Inbox", withDestinationPath: inbox)
            chmod(inbox + "/note.txt", 0o444)
        }

        func policy(_ change: (inout SandboxEntitlements) -> Void = { _ in }) -> SandboxPolicy {
            var entitlements = SandboxEntitlements()
            change(&entitlements)
            return SandboxPolicy(
                bundle: bundle, container: container, inbox: inbox, entitlements: entitlements, home: nil, display: nil)
        }

        /// Runs a script by the helper.
        /// - Returns: what it prints.
        func run(_ script: String, _ policy: SandboxPolicy) async throws -> [String] {
            var command = [try Products.path("batond")]
            command += ConfinedLaunch.arguments(policy, executable: "/bin/sh", arguments: ["-c", script])
            if geteuid() == 0 {
                let owner = try ChildProcess(["chown", "-R", "\(Self.user):\(Self.user)", temporary.path])
                #expect(try await owner.status() == 0)
                command = ["setpriv", "--reuid", Self.user, "--regid", Self.user, "--clear-groups"] + command
            }
            let child = try ChildProcess(command, directory: container)
            child.closeInput()
            return try await within(.seconds(20), "the confined script") {
                _ = try await child.status()
                try await child.output.waitForEnd()
                return child.output.all
            }
        }

        /// Prints the letters of those of these commands that succeed.
        func allowed(_ commands: KeyValuePairs<String, String>, _ policy: SandboxPolicy) async throws -> String {
            let script = commands.map { "(\($0.value)) >/dev/null 2>&1 && echo \($0.key)" }.joined(separator: "\n")
            return try await run(script, policy).joined()
        }
    }

    @Test("an import extension reads one folder and writes nowhere, and the helper is told that it is one")
    func importer() throws {
        let policy = SandboxPolicy(importing: "/import/1", bundle: "/Example.app")
        #expect(policy.isImporter && !policy.rules.contains { [.write, .inbox].contains($0.access) })
        #expect(
            policy.rules.contains(.init("/import/1", .read)) && policy.rules.contains(.init("/Example.app", .execute)))
        #expect(SandboxPolicy(arguments: policy.arguments) == policy)
        #expect(SandboxPolicy(arguments: ["r:/etc"])?.isImporter == false)
        #expect(SandboxPolicy(arguments: ["import"]) == nil)
        #expect(SandboxPolicy(arguments: SandboxPolicy.reading.arguments) == .reading)
    }

    // These need a kernel with Landlock, and fail without one.

    @Test("A-12: the Inbox is read and emptied, and nothing in it is written, moved out or added")
    func inbox() async throws {
        let folders = try Folders()
        let path = folders.container + "/Documents/Inbox"
        let documents = folders.container + "/Documents"
        let move = "import os; os.rename('\(path)/other.txt', '\(documents)/moved.txt')"
        let allowed = try await folders.allowed(
            [
                "r": "cat \(path)/note.txt", "l": "ls \(path)", "w": "echo x >> \(path)/other.txt",
                "t": ": > \(path)/other.txt", "m": "chmod 644 \(path)/note.txt && echo x > \(path)/note.txt",
                "n": "touch \(path)/new.txt", "d": "mkdir \(path)/new", "s": "ln -s x \(path)/link",
                "h": "ln \(path)/other.txt \(documents)/hard.txt", "c": "cp \(path)/note.txt \(documents)/copy.txt",
                "e": "chmod 644 \(documents)/copy.txt && echo x >> \(documents)/copy.txt",
                "p": "python3 -c \"\(move)\"",
                "x": "rm -f \(path)/note.txt",
            ], folders.policy())
        #expect(allowed == "rlcex")
        #expect(try String(contentsOfFile: folders.inbox + "/other.txt", encoding: .utf8) == "text")
    }

    @Test("an app sees its container, its bundle and the system read-only, and nothing else")
    func files() async throws {
        let folders = try Folders()
        let (container, bundle, elsewhere) = (folders.container, folders.bundle, folders.elsewhere)
        let commands: KeyValuePairs = [
            "a": "echo x > \(container)/file && mkdir \(container)/d && mv \(container)/file \(container)/d",
            "b": "cat \(bundle)/file", "c": "echo x > \(bundle)/file", "d": "cat \(elsewhere)/secret",
            "e": "ls \(elsewhere)", "f": "echo x > \(elsewhere)/new", "g": "cat /etc/passwd", "h": "ls /usr/bin",
            "i": "touch /tmp/baton-sandbox-test", "j": "echo x > /dev/null", "k": "head -c1 /dev/urandom",
            "l": "ls /tmp", "m": "cp /bin/true \(container)/true && \(container)/true", "n": "cat /proc/self/status",
            "o": "ln -s \(elsewhere) \(container)/out && cat \(container)/out/secret", "p": "kill -0 $PPID",
        ]
        let version = Landlock.version ?? 0
        #expect(try await folders.allowed(commands, folders.policy()) == (version >= 6 ? "abghjkn" : "abghjknp"))
        let entitled = folders.policy { $0.readOnlyPaths = [elsewhere] }
        let both: KeyValuePairs = ["d": "cat \(elsewhere)/secret", "f": "echo x > \(elsewhere)/new"]
        #expect(try await folders.allowed(both, entitled) == "d")
        let writing = folders.policy { $0.readWritePaths = [elsewhere] }
        #expect(try await folders.allowed(both, writing) == "df")
        let open = folders.policy { $0.isUnconfined = true }
        #expect(try await folders.allowed(both, open) == "df")
    }

    @Test func `an app changes neither limits nor priority nor processors of a process that is not its own`()
        async throws
    {
        let folders = try Folders()
        let user = Folders.user
        let asUser = geteuid() == 0 ? ["setpriv", "--reuid", user, "--regid", user, "--clear-groups"] : []
        let other = try ChildProcess(asUser + ["sleep", "60"])
        defer { other.send(SIGKILL) }
        let id = other.processID
        let foreign: KeyValuePairs = [
            "a": "prlimit --pid \(id) --cpu=100", "b": "renice -n 19 -p \(id)", "c": "ionice -c 3 -p \(id)",
            "d": "taskset -p 1 \(id)", "e": "chrt -i -p 0 \(id)", "f": "ionice -c 3 -u $(id -u)",
            "g": "python3 -c \"import os; os.setpriority(os.PRIO_USER, os.getuid(), 19)\"",
            "h": "python3 -c \"import os; os.sched_setparam(\(id), os.sched_param(0))\"",
            "i": "python3 -c \"import os; os.kill(-1, 0)\"",
        ]
        let own: KeyValuePairs = [
            "r": "prlimit --cpu=100 true", "s": "nice -n 5 true", "t": "ionice -c 3 true", "u": "taskset 1 true",
            "v": "chrt -i 0 true", "w": "ulimit -n 100", "x": "sleep 60 & kill $!", "y": "renice -n 5 -p $$",
        ]
        for (commands, expected) in [(foreign, ""), (own, "rstuvwxy")] {
            #expect(try await folders.allowed(commands, folders.policy()) == expected)
        }
        // The same without a sandbox succeeds, so it is the filter that refuses.
        let open = folders.policy { $0.isUnconfined = true }
        #expect(try await folders.allowed(["a": "prlimit --pid \(id) --cpu=100"], open) == "a")
        #expect(try await folders.allowed(["b": "renice -n 19 -p \(id)"], open) == "b")
    }

    @Test func `privileges cannot be gained, and every descendant is known as one`() async throws {
        let folders = try Folders()
        let own = try #require(
            try String(contentsOfFile: "/proc/self/status", encoding: .utf8).status("Seccomp_filters"))
        let lines = try await folders.run(
            "grep -E '^(NoNewPrivs|Seccomp_filters):' /proc/self/status; setsid sh -c 'cat /proc/self/status'",
            folders.policy())
        #expect(lines.contains("NoNewPrivs:\t1"))
        let count = try #require(Int(own))
        #expect(lines.count { $0 == "Seccomp_filters:\t\(count + 1)" } == 2)
        #expect(ConfinementMark.isOn(getpid()) == false)
    }

    @Test(
        "a descendant of an app that a former daemon launched is known, also where that had fewer filters itself",
        arguments: [
            (0, Int.max, [false, true, true]), (5, .max, [false, false, false]), (5, 1, [false, true, true]),
            (0, 6, [false, true, true]),
        ])
    func formerDaemons(own: Int, fewest: Int, expected: [Bool]) {
        #expect([0, 1, 5].map { ConfinementMark.isMarked($0, own: own, fewest: fewest) } == expected)
        #expect(ConfinementMark.isMarked(6, own: own, fewest: fewest))
    }

    @Test func `the fewest filters of an app are noted for daemons until the machine starts again`() throws {
        let folder = try TemporaryDirectory()
        let record = ConfinementRecord(folder.path, boot: "one")
        #expect(try record.read() == nil)
        try record.write(3)
        #expect(try record.read() == 3)
        #expect(try ConfinementRecord(folder.path, boot: "two").read() == nil)
        // The same machine, in another container.
        #expect(try ConfinementRecord(folder.path, boot: "one", processes: "pid:[1]").read() == nil)
        for damaged in ["", "x one", "0 one", "3"] {
            try Data(damaged.utf8).write(to: URL(fileURLWithPath: folder.path + "/filters"))
            #expect(try record.read() == 1)
        }
    }

    @Test func `an app is launched confined, with its container for a home, and its failure to start is told`()
        async throws
    {
        let fixture = try await LaunchFixture(
            environment: ["PATH": "/usr/bin:/bin", "HOME": "/h", "DISPLAY": ":7", "XDG_CONFIG_HOME": "/h/.config"],
            helper: try Products.path("batond"))
        let app = try await fixture.install("pwd; env; grep NoNewPrivs /proc/self/status; cat; echo end")
        let events = fixture.service.events()
        _ = try await fixture.service.launch(exampleID)
        #expect(await events.nextExit() == "Exited normally.")
        let log = try String(contentsOfFile: app.logPath, encoding: .utf8).split(separator: "\n").map(String.init)
        for line in [
            app.containerPath, "HOME=\(app.containerPath)", "XAUTHORITY=/h/.Xauthority", "NoNewPrivs:\t1", "end",
            "XDG_CONFIG_HOME=\(app.containerPath)/Library/Preferences",
        ] {
            #expect(log.contains(line), "\(line)")
        }
        let inert = try BundleFixture(in: fixture.temporary.file("inert"), bundleID: "com.example.Inert")
            .signed(by: fixture.team)
        let id = try await fixture.service.install(path: inert.path).app.bundleID
        let error = await #expect(throws: BatonError.self) { _ = try await fixture.service.launch(id) }
        #expect(error?.reason == "launch_failed")
        #expect(fixture.service.runningProcess(id) == nil)
    }

    @Test func `the Inbox of an app is a link out of its container, which is made again, and goes with its data`()
        async throws
    {
        let fixture = try await LaunchFixture()
        let app = try await fixture.install()
        let link = app.containerPath + "/Documents/Inbox"
        let inbox = fixture.service.inbox(of: exampleID)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == inbox)
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc")
        try await fixture.install()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == inbox)
        try await fixture.service.uninstall(exampleID, keepData: false)
        #expect(!FileManager.default.fileExists(atPath: inbox))
    }

    @Test
    func `a path that an app asks for is dropped where the app could make a link of it, and where it is too much`() {
        var entitlements = SandboxEntitlements()
        entitlements.readWritePaths = ["/srv/a", "/srv/a/link", "/data/c/link", "/"]
        entitlements.readOnlyPaths = ["/proc/1", "/srv/ab"]
        entitlements.homeReadOnlyPaths = ["/Music", "/../x"]
        let policy = SandboxPolicy(
            bundle: "/b", container: "/data/c", inbox: "/i", entitlements: entitlements, home: "/h", display: nil)
        let plain = SandboxPolicy(
            bundle: "/b", container: "/data/c", inbox: "/i", entitlements: SandboxEntitlements(), home: "/h",
            display: nil)
        let more = Set(policy.rules).subtracting(plain.rules)
        #expect(more == [.init("/srv/a", .write), .init("/srv/ab", .read), .init("/h/Music", .read)])
    }

    @Test func `a policy survives its way through arguments, and other arguments are no policy`() {
        let policy = SandboxPolicy(
            bundle: "/b c", container: "/ö:\n", inbox: "/i", entitlements: SandboxEntitlements(), home: "/h",
            display: "/h/.X")
        #expect(SandboxPolicy(arguments: policy.arguments) == policy)
        for bad in [["q:/etc"], ["/etc"], [""], ["r"]] { #expect(SandboxPolicy(arguments: bad) == nil) }
    }
}

extension String {
    /// A line of `/proc/<pid>/status`.
    fileprivate func status(_ key: String) -> String? {
        split(separator: "\n").first { $0.hasPrefix(key + ":") }?.split(separator: "\t").last.map(String.init)
    }
}
