import BatonTestSupport
import Foundation
import Testing

extension Integration {
    /// Real programs at work inside a container while it syncs: the other device finds what they made, whole (D-5, D-36).
    @Suite(.serialized, .timeLimit(.minutes(5))) struct DocumentProgramsTests {
        /// Runs a program in a folder to its end.
        @discardableResult
        private func run(_ command: String..., in folder: String, limit: Duration = .seconds(30)) async throws -> String
        {
            let process = try ChildProcess(
                command,
                environment: [
                    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "GIT_AUTHOR_NAME": "A",
                    "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
                    "GIT_COMMITTER_EMAIL": "a@example.com",
                ], directory: folder)
            process.closeInput()
            let status = try await within(limit, command.joined(separator: " ")) { try await process.status() }
            try await process.output.waitForEnd()
            try await process.errors.waitForEnd()
            let text = (process.output.all + process.errors.all).joined(separator: "\n")
            guard status == 0 else { throw IntegrationFailure("\(command) ended with \(status): \(text)") }
            return text
        }

        @Test(
            "git commits, packs and checks out in a container, on both devices by turns; each finds the repository whole (D-5)"
        )
        func git() async throws {
            try await DocumentPair.with { pair in
                try await run("git", "init", "--initial-branch", "main", "repository", in: pair.one.documents)
                for round in 0..<4 {
                    let (container, other) = round % 2 == 0 ? (pair.one, pair.other) : (pair.other, pair.one)
                    let folder = container.path("repository")
                    for number in 0..<3 {
                        try container.write("\(round) \(number)\n", to: "repository/\(number).txt")
                        try await run("git", "add", "--all", in: folder)
                        try await run("git", "commit", "--quiet", "--message", "\(round) \(number)", in: folder)
                    }
                    try await run("git", "checkout", "--quiet", "-b", "branch-\(round)", "HEAD~1", in: folder)
                    try await run("git", "checkout", "--quiet", "main", in: folder)
                    if round == 2 { try await run("git", "gc", "--quiet", "--prune=now", in: folder) }
                    try await pair.areEqual()
                    let there = other.path("repository")
                    try await run("git", "fsck", "--full", "--strict", in: there)
                    #expect(try await run("git", "status", "--porcelain", in: there) == "")
                    #expect(
                        try await run("git", "rev-list", "--count", "--all", in: there) == "\(3 * (round + 1))")
                }
                #expect(!pair.one.tree.keys.contains { $0.contains("(conflict") })
            }
        }

        @Test("the other device never sees a database of sqlite3 in the midst of a transaction (D-5)")
        func sqlite() async throws {
            try await DocumentPair.with { pair in
                let copy = pair.household.directory + "/copy.db"
                for round in 1...6 {
                    let (container, other) = round % 2 == 1 ? (pair.one, pair.other) : (pair.other, pair.one)
                    var script = "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 20;"
                    script += "CREATE TABLE IF NOT EXISTS t (n INTEGER PRIMARY KEY, text TEXT);"
                    for number in 0..<60 {
                        script += "BEGIN; INSERT INTO t (text) VALUES (hex(randomblob(1500)));"
                        script += "INSERT INTO t (text) VALUES ('\(round) \(number)'); COMMIT;"
                    }
                    try await run("sqlite3", "data.db", script, in: container.documents)
                    try await other.device.until("round \(round) to come") {
                        // The file is whole at any time.
                        guard let bytes = other.read("data.db") else { return false }
                        try bytes.write(to: URL(fileURLWithPath: copy))
                        let count = try await run(
                            "sqlite3", "-readonly", "file:\(copy)?immutable=1",
                            "PRAGMA integrity_check; SELECT count(*) FROM t;", in: "/")
                        guard count.hasPrefix("ok\n") else { throw IntegrationFailure("damaged: \(count)") }
                        return count == "ok\n\(round * 120)"
                    }
                    try await pair.areEqual()
                }
                #expect(pair.one.tree.keys.sorted() == ["data.db"])
            }
        }

        /// sqlite3 that keeps a database open.
        private final class OpenDatabase {
            let process: ChildProcess

            init(_ container: TestContainer) async throws {
                process = try ChildProcess(["sqlite3", "-batch", "kept.db"], directory: container.documents)
                process.write("PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t (text);")
            }

            func insert(_ count: Int, _ text: String) async throws {
                for number in 0..<count {
                    process.write("INSERT INTO t VALUES ('\(text) \(number) ' || hex(randomblob(1500)));")
                }
                process.write("SELECT 'done \(text)';")
                _ = try #require(try await process.output.first { $0 == "done \(text)" ? true : nil })
            }

            func close() async throws {
                process.closeInput()
                _ = try await process.status()
            }
        }

        @Test(
            "a database that an app keeps open is sent whole, and two devices' changes of it are a conflict of whole databases (D-5)"
        )
        func keptOpen() async throws {
            try await DocumentPair.with { pair in
                let copy = pair.household.directory + "/copy.db"
                @Sendable func rows(_ bytes: Data?) async throws -> String {
                    guard let bytes else { return "none" }
                    try bytes.write(to: URL(fileURLWithPath: copy))
                    return try await run(
                        "sqlite3", "-readonly", "file:\(copy)?immutable=1",
                        "PRAGMA integrity_check; SELECT count(*) FROM t;", in: "/")
                }
                let first = try await OpenDatabase(pair.one)
                try await first.insert(40, "one")
                // No program has closed it.
                try await pair.other.device.until("the open database to come") {
                    try await rows(pair.other.read("kept.db")) == "ok\n40"
                }
                try await first.insert(5, "more")
                try await pair.other.device.until("what was written since") {
                    try await rows(pair.other.read("kept.db")) == "ok\n45"
                }
                #expect(pair.other.tree.keys.sorted() == ["kept.db"])
                let second = try await OpenDatabase(pair.other)
                try await pair.apart(.cutOff) {
                    try await first.insert(10, "here")
                    try await second.insert(20, "there")
                }
                try await pair.one.device.until("the conflict") {
                    try await pair.one.items()["Documents/kept.db"]?.conflicts == 1
                }
                try await first.close()
                try await second.close()
                try await pair.areEqual()
                for container in pair.both {
                    #expect(try await container.items()["Documents/kept.db"]?.conflicts == 1)
                    #expect(container.tree.keys.sorted() == ["kept.db"])
                    #expect(["ok\n55", "ok\n65"].contains(try await rows(container.read("kept.db"))))
                }
            }
        }

        @Test("a tree that rsync makes, with modes, times and links, is on the other device what it was (D-5)")
        func rsync() async throws {
            try await DocumentPair.with { pair in
                let source = pair.household.directory + "/source"
                let script = """
                    mkdir -p '\(source)/deep/er' && cd '\(source)'
                    for n in $(seq 40); do printf "$n" > $n.txt; head -c $((n * 700)) /dev/urandom > deep/$n.bin; done
                    chmod 444 1.txt && chmod 755 2.txt && chmod 600 3.txt && chmod 750 deep/er
                    touch -d '1999-12-31 23:59:58.123456789' 4.txt && touch -d '2040-01-01' deep/5.bin
                    ln -s 1.txt link && ln -s /nowhere/at/all broken && ln -s deep folder && : > empty
                    ln 6.txt deep/er/six && mkdir 'a folder with  spaces' && : > 'a folder with  spaces/\u{FC}\u{1F600}'
                    """
                try await run("sh", "-c", script, in: "/")
                @Sendable func compare(_ container: TestContainer) async throws -> String {
                    // Folders have the times of what happens in them. A file may vanish (24) while it is compared.
                    let command = """
                        rsync --archive --checksum --delete --omit-dir-times --dry-run --itemize-changes "$@" || [ $? = 24 ]
                        """
                    return try await run("sh", "-c", command, "sh", "\(source)/", container.path("tree/"), in: "/")
                }
                for (container, other) in [(pair.one, pair.other), (pair.other, pair.one)] {
                    try await run(
                        "rsync", "--archive", "--delete", "\(source)/", container.path("tree/"), in: "/")
                    try await other.device.until("the tree to come") { try await compare(other) == "" }
                    #expect(try await compare(container) == "")
                    let change = """
                        cd '\(source)' && rm -r deep/1?.bin 7.txt && mv 8.txt deep/8.moved && echo more >> 9.txt
                        chmod 700 10.txt && touch -d '2001-02-03 04:05:06' 11.txt && ln -sfn deep/er link
                        rm 12.txt && mkdir 12.txt && echo inner > 12.txt/inner; rm -rf deep/er && echo file > deep/er
                        """
                    if container.device.machine == 0 {
                        try await run("sh", "-c", change, in: "/")
                        try await run(
                            "rsync", "--archive", "--delete", "\(source)/", container.path("tree/"), in: "/")
                        try await other.device.until("the changes to come") { try await compare(other) == "" }
                        try other.remove("tree")
                        try await pair.areEqual()
                    }
                }
                try await pair.areEqual()
            }
        }

        /// Opens a file again and again, and says what is not a whole version of it.
        private static let reader = """
            sys, os = __import__("sys"), __import__("os")
            path, stop = sys.argv[1], sys.argv[2]
            reads = faults = 0
            while not os.path.exists(stop):
                try:
                    with open(path, "rb") as file:
                        text = file.read().decode()
                except OSError as error:
                    text = str(error)
                lines = text.split("\\n")
                reads += 1
                if len(lines) != 402 or lines[0] != lines[400] or lines[401]:
                    faults += 1
                    if faults < 5:
                        print("fault", len(lines), lines[0][:100], flush=True)
            print("reads", reads, "faults", faults, flush=True)
            """

        @Test(
            "while an editor saves again and again, the file is never missing and never half written on the other device (D-5, D-36)",
            arguments: ["rename", "truncate"])
        func editor(way: String) async throws {
            try await DocumentPair.with { pair in
                func version(_ number: Int) -> String {
                    let line = "version \(number)\n"
                    return line + String(repeating: "text of \(number)\n", count: 399) + line
                }
                try pair.one.write(version(0), to: "draft.txt")
                try await pair.other.until("draft.txt", is: version(0))
                let stop = pair.household.directory + "/stop"
                let reader = try ChildProcess(["python3", "-c", Self.reader, pair.other.path("draft.txt"), stop])
                let last = way == "rename" ? 60 : 8
                let path = pair.one.path("draft.txt")
                for number in 1...last {
                    try version(number).write(
                        toFile: pair.household.directory + "/next", atomically: false, encoding: .utf8)
                    let script =
                        way == "rename"
                        ? "cat next > '\(path).new' && sync '\(path).new' && mv '\(path).new' '\(path)' && sleep 0.04"
                        : "{ head -c 2000 next; sleep 0.2; tail -c +2001 next; } > '\(path)'; sleep 0.1"
                    try await run("sh", "-c", script, in: pair.household.directory)
                }
                try await pair.other.until("draft.txt", is: version(last))
                try Data().write(to: URL(fileURLWithPath: stop))
                _ = try await within(.seconds(30), "the reader to end") { try await reader.status() }
                try await reader.output.waitForEnd()
                let said = reader.output.all
                #expect(said.last?.hasSuffix(" faults 0") == true && said.count == 1, "\(said)")
                try await pair.areEqual()
                #expect(pair.other.tree.keys.sorted() == ["draft.txt"])
            }
        }
    }
}
