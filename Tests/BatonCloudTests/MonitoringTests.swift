import BatonClient
import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import Logging
import SwiftProtobuf
import Synchronization
import Testing

@testable import BatonCloud

/// The operator's view: numbers and log lines, without any personal data.
@Suite("Monitoring the cloud", .serialized) struct MonitoringTests {
    @Test("Calls, writes, subscribers and failures of storage are counted and logged, and nobody is named")
    func wholeServer() async throws {
        let folder = try TemporaryDirectory()
        let arguments = ["--log-level", "trace", "--log-format", "json"]
        let account = try TestAccount()
        let device = try account.admit()
        let content = Data("what a blob holds".utf8) + Data(repeating: 5, count: 400_000)
        let hash = BlobHash(of: content)
        let server = try await CloudProcess(data: folder.file("data"), arguments)
        defer { server.process.send(SIGKILL) }
        let client = try CloudClient(server, account)
        try await client.register()
        let other = try CloudClient(server, account, device)
        try await other.register()
        var events = try await other.subscribe().makeAsyncIterator()
        try await client.put(1, "first words")
        _ = try await events.next()
        _ = try await client.call(ZoneMethods.writeItems, CloudClient.batch([(1, "other words", 7)]))
        #expect(try await client.putBlob(content, as: hash).status == 200)
        await expectRefusal("unknown_zone", .notFound) { try await client.pull(zone: 9) }
        // A disk that loses bytes.
        let root = folder.file("data/blobs/blobs")
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let name = try #require(names.first { $0.hasSuffix(hash.hexadecimal) })
        try Data("less".utf8).write(to: URL(fileURLWithPath: root + "/" + name))
        for _ in 0..<3 { #expect(try await client.curl("/v1/blobs/\(hash.hexadecimal)").status == 500) }

        let counters = [
            #"baton_cloud_calls_total{method="WriteItems",code="ok"} 2"#,
            #"baton_cloud_calls_total{method="FetchChanges",code="not_found"} 1"#,
            #"baton_cloud_calls_total{method="GetBlob",code="data_loss"} 3"#,
            #"baton_cloud_call_seconds_count{method="WriteItems"} 2"#,
            #"baton_cloud_writes_total{outcome="written"} 1"#, #"baton_cloud_writes_total{outcome="conflict"} 1"#,
            "baton_cloud_written_items_total 1", "baton_cloud_written_bytes_total 11", "baton_cloud_events_total 1",
            "baton_cloud_subscriptions 1", #"baton_cloud_storage_errors_total{reason="blob_damaged"} 3"#,
            #"baton_cloud_storage_errors_total{reason="disk_full"} 0"#,
            #"baton_cloud_blob_bytes_total{direction="in"} 400017"#,
        ]
        // A call is counted when its answer is on its way, so that a caller may ask before.
        let last = Mutex("")
        var isWaiting = true
        defer { if isWaiting { Issue.record("The last answer was \(last.withLock { $0 })") } }
        let metrics = try await within(.seconds(20), "the counters \(counters)") {
            while true {
                let text = String(decoding: try await client.curl("/metrics").body, as: UTF8.self)
                last.withLock { $0 = text }
                let found = Set(text.split(separator: "\n").map(String.init))
                if counters.allSatisfy(found.contains) { return text }
                try Task.checkCancellation()
            }
        }
        isWaiting = false
        server.process.send(SIGTERM)
        client.http.closeIdleConnections()
        other.http.closeIdleConnections()
        _ = try await within(.seconds(20), "the server to stop") { try await server.process.status() }
        try await server.process.errors.waitForEnd()
        let log = server.process.errors.all
        let lines = try log.map { try JSONDecoder().decode([String: String].self, from: Data($0.utf8)) }
        let troubles = lines.filter { $0["message"] == "The storage failed" }
        #expect(troubles.map { $0["reason"] } == ["blob_damaged"], "once in a while: \(troubles)")
        #expect(lines.contains { $0["message"] == "Ready" && $0["level"] == "notice" && $0["time"] != nil })

        // The server's own address belongs to no person.
        let text = log.filter { !$0.contains("listening on") }.joined(separator: "\n") + metrics
        let names32 = [CloudClient.name(1), CloudClient.name(9), hash.bytes]
        for secret in [
            account.id.rawValue, device.id.rawValue, account.first.id.rawValue, "words", "127.0.0.1",
            client.bearer ?? "no bearer",
        ] + names32.map(\.hexadecimal) + names32.map({ $0.base64EncodedString() }) {
            #expect(!text.contains(secret), "“\(secret)” is in what operators see")
        }
    }

    @Test("A keep-alive to a subscriber is counted as no event")
    func keepAlives() {
        let metrics = CloudMetrics()
        for event in [Subscription.Event.membership, .keepAlive, .keepAlive] { metrics.count(event) }
        #expect(metrics.page.split(separator: "\n").contains("baton_cloud_events_total 1"), "\(metrics.page)")
    }

    @Test("Metrics are for callers from this machine, unless all may read them")
    func audience() async throws {
        for host in ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"] {
            #expect(MetricsAudience.local.includes(host), "\(host)")
        }
        for host in ["192.0.2.1", "fd77::1", "fe80::1%eth0", "::ffff:192.0.2.1", "1.127.0.0", nil] {
            #expect(!MetricsAudience.local.includes(host), "\(host ?? "unknown")")
            #expect(MetricsAudience.all.includes(host), "\(host ?? "unknown")")
        }
        let folder = try TemporaryDirectory()
        for arguments in [[String](), ["--metrics", "all"]] {
            try await CloudProcess.with(data: folder.file("data"), arguments) { server in
                let client = try CloudClient(server, try TestAccount())
                #expect(try await client.curl("/metrics").status == 200)
                // A proxy on this machine passes on what others ask.
                for field in [
                    "Forwarded: for=192.0.2.1", "X-Forwarded-For: 192.0.2.1", "x-real-ip: ::1", "Via: 1.1 proxy",
                ] {
                    let answer = try await client.curl("/metrics", ["--header", field])
                    #expect(answer.status == (arguments.isEmpty ? 403 : 200), "\(field)")
                }
            }
        }
    }

    @Test("A readiness check is answered in time, also while the storage hangs, and one look is enough")
    func hanging() async throws {
        let looks = Mutex(0)
        let storage = AsyncStream.makeStream(of: Void.self)
        let check = ReadinessCheck(deadline: .milliseconds(50)) {
            looks.withLock { $0 += 1 }
            for await _ in storage.stream {}
            return nil
        }
        for _ in 0..<3 { await expectRefusal("storage_slow", .unavailable) { try await check.result() } }
        try await within(.seconds(60), "the look to begin") { while looks.withLock({ $0 }) == 0 { await Task.yield() } }
        #expect(looks.withLock { $0 } == 1)
        storage.continuation.finish()
        // It answers again. A slow machine may have to ask more than once.
        try await within(.seconds(60), "the storage to answer") {
            while true {
                do {
                    _ = try await check.result()
                    return
                } catch {}
            }
        }
    }

    @Test("A failure that goes on is told once in a while, with how many there were")
    func troubles() {
        let lines = Mutex<[[String: String]]>([])
        var handler = JSONLogHandler()
        handler.write = { line in
            let fields = try? JSONDecoder().decode([String: String].self, from: line)
            lines.withLock { $0.append(fields ?? [:]) }
        }
        let time = Mutex(ContinuousClock.now)
        let troubles = StorageHealth(logger: Logger(label: "test") { [handler] _ in handler }) {
            time.withLock { $0 }
        }
        let failure = SQLFailure(state: "53100", message: "could not extend file: Key (name)=(secret)")
        for _ in 0..<5 { troubles.hear(failure.meaning) }
        troubles.hear(SQLFailure(message: "connection to “db” lost").meaning)
        troubles.hear(StoreRules.unknownZone)
        time.withLock { $0 = $0.advanced(by: .seconds(11)) }
        troubles.hear(failure.meaning)
        let told = lines.withLock { $0 }
        #expect(told.map { $0["reason"] } == ["disk_full", "database_unavailable", "disk_full"])
        #expect(told.map { $0["count"] } == ["1", "1", "5"])
        #expect(told.map { $0["detail"] } == ["SQLSTATE 53100", "no connection", "SQLSTATE 53100"])
        #expect(!"\(told)".contains("secret"))

        // Each of several databases is reported separately.
        for database in [2, 3, 2] { troubles.hear(SQLFailure(message: "lost").of(database: database).meaning) }
        let named = lines.withLock { $0.suffix(from: told.count) }
        #expect(named.map { $0["database"] } == ["2", "3"])
        let metrics = CloudMetrics(troubles: troubles)
        metrics.hear(SQLFailure(message: "lost").of(database: 2).meaning)
        let line = #"baton_cloud_database_errors_total{database="2",reason="database_unavailable"} 1"#
        #expect(metrics.page.split(separator: "\n").contains(Substring(line)), "\(metrics.page)")
    }
}
