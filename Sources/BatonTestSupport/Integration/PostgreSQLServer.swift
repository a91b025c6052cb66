import Foundation
import Synchronization

/// A PostgreSQL server of the tests' own: reached by a socket in its folder, ended and removed with the process of the
/// tests, whatever becomes of that.
///
/// `dev/setup --tests` installs it. A test that cannot start it fails.
package final class PostgreSQLServer: Sendable {
    private let script: ChildProcess
    package let folder: String
    private let last = Mutex(0)
    private let read = Mutex(0)

    /// The one that tests share: each has a schema of its own.
    package static let shared = Task { try await PostgreSQLServer() }

    /// Runs it, as another user when this one is root, which it refuses to be; stops and starts it by its input.
    private static let program = """
        set -u
        umask 022
        bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
        if [ -z "$bin" ] || ! [ -x "$bin/initdb" ]; then
            echo "PostgreSQL is missing. Install it by: dev/setup --tests" >&2
            exit 1
        fi
        folder=$(mktemp -d /tmp/baton-pg-XXXXXX)
        mkdir "$folder/small"
        if [ "$1" != 0 ]; then mount -t tmpfs -o "size=$1" tmpfs "$folder/small" || exit 1; fi
        as=
        if [ "$(id -u)" -eq 0 ]; then
            as="setpriv --reuid=postgres --regid=postgres --clear-groups"
            chown postgres "$folder" "$folder/small"
        fi
        trap '' INT TERM HUP
        start() {
            $as "$bin/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=400 \
                -c shared_buffers=64MB >>"$folder/log" 2>&1 </dev/null &
            server=$!
            until "$bin/pg_isready" -q -h "$folder" -U baton; do
                kill -0 $server 2>/dev/null || { cat "$folder/log" >&2; break; }
                sleep 0.05
            done
        }
        stop() { kill -"$1" $server 2>/dev/null; wait $server; }
        $as "$bin/initdb" -D "$folder/data" -A trust -U baton --no-sync -E UTF8 --locale=C >/dev/null || exit 1
        start
        echo "$folder"
        while read -r command argument; do
            case $command in start) start ;; stop) stop "$argument" ;; esac
            echo "done"
        done
        stop QUIT
        if [ "$1" != 0 ]; then umount "$folder/small"; fi
        rm -rf "$folder"
        """

    /// - Parameter smallDisk: the size of a file system of its own for what ``place(onSmallDisk:)`` asks for, as mount takes
    ///   it.
    package init(smallDisk: String? = nil) async throws {
        // Mounted where only the server sees it.
        let wrapper = smallDisk == nil ? [] : ["unshare", "--mount", "--propagation", "private"]
        let script = try ChildProcess(wrapper + ["/bin/sh", "-c", Self.program, "sh", smallDisk ?? "0"])
        self.script = script
        let line = try await within(.seconds(60), "PostgreSQL to start") {
            try await script.output.first { $0.hasPrefix("/tmp/") ? $0 : nil }
        }
        guard let line else {
            try? await script.errors.waitForEnd()
            throw IntegrationFailure("PostgreSQL cannot be started: \(script.errors.all.joined(separator: " "))")
        }
        folder = line.found
        read.withLock { $0 = line.next }
    }

    /// An empty place for one cloud: a schema, as a connection string of libpq.
    package func place(onSmallDisk isSmall: Bool = false) async throws -> String {
        let number = last.withLock { last in
            last += 1
            return last
        }
        let name = "cloud\(number)"
        try await query("CREATE SCHEMA \(name)")
        guard isSmall else { return location + "&options=-csearch_path%3D\(name)" }
        try await query("CREATE TABLESPACE small\(number) LOCATION '\(folder)/small'")
        return location + "&options=-csearch_path%3D\(name)%20-cdefault_tablespace%3Dsmall\(number)"
    }

    package var location: String { "postgresql://baton@/postgres?host=\(folder)" }

    /// The result of a statement, a line for each row.
    @discardableResult
    package func query(_ sql: String, in place: String? = nil) async throws -> [String] {
        let psql = try ChildProcess(["psql", "-X", "-q", "-A", "-t", "-c", sql, place ?? location])
        guard try await psql.status() == 0 else { throw IntegrationFailure("psql: \(psql.errors.all)") }
        try await psql.output.waitForEnd()
        return psql.output.all
    }

    /// - Parameter signal: INT for a fast stop, QUIT for one as if the machine had failed.
    package func stop(_ signal: String) async throws { try await tell("stop \(signal)") }
    package func start() async throws { try await tell("start") }

    /// Ends it before the tests end.
    package func end() async {
        script.closeInput()
        _ = try? await script.status()
    }

    private func tell(_ command: String) async throws {
        let position = script.output.all.count
        script.write(command)
        _ = try await within(.seconds(30), "PostgreSQL to \(command)") { [script] in
            try await script.output.expect(from: position) { $0 == "done" ? $0 : nil }
        }
    }
}
