import BatonCore
import BatonTestSupport
import BatonWire
import Foundation
import SwiftProtobuf
import Synchronization
import Testing

/// Three devices with an app each that writes without end, two nodes of their cloud over one database, and what happens to them.
final class KilledHousehold: Sendable {
    static let names = ["A", "B", "C"]
    private static let balancerPort = 8443
    private static let bucket = "http://127.0.0.1:5000/cloud"
    private static let credentials = ["AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"]

    /// A write whose outcome an app reported: on the disk, or unknown.
    struct Entry: Sendable {
        var worker: String
        var isKept: Bool
        /// Milliseconds since 1970, before it was set and after it was kept.
        var begin: UInt64
        var end: UInt64
        var key: String
        var value: String
        /// The later of two writes of one worker is the greater.
        var place: [Int]
    }

    let household: TestHousehold
    private let database: PostgreSQLServer
    private let location: String
    private let balancer: CloudBalancer
    private let blobs: ChildProcess
    private let nodes: Mutex<[TestCloud]>
    private let workers: Mutex<[(process: ChildProcess, run: Int)]>
    private let finished = Mutex<[String]>([])

    /// Devices 0 to 2 of the household, with the cloud on machine 3.
    init(_ household: TestHousehold) async throws {
        self.household = household
        database = try await PostgreSQLServer()
        location = try await database.place()
        blobs = try await Self.blobServer(household)
        var nodes: [TestCloud] = []
        for index in 0..<2 { nodes.append(try await Self.node(index, household, location)) }
        self.nodes = Mutex(nodes)
        balancer = try await CloudBalancer(
            on: 3, of: household.namespaces, port: Self.balancerPort, ports: nodes.map(\.port),
            directory: household.directory)
        let first = household[0]
        _ = try await first.call(ControlMethods.createAccount, .with { $0.deviceName = first.name })
        let url = "https://\(household.namespaces.addresses[3]):\(Self.balancerPort)"
        try await first.baton("cloud", "login", url, "--fingerprint", nodes[0].fingerprint)
        for index in 1...2 { try await household.pair(first, with: household[index]) }
        workers = Mutex(
            try (0...2).map { (try Self.worker($0, 0, household), 0) })
    }

    /// An S3 server with an empty bucket: nodes must share one.
    private static func blobServer(_ household: TestHousehold) async throws -> ChildProcess {
        let program = Products.package + "/.build/moto/bin/moto_server"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw IntegrationFailure("moto, an S3 server, is missing. Install it by: dev/setup --tests")
        }
        let server = try ChildProcess(
            household.namespaces.command(on: 3, [program, "-H", "127.0.0.1", "-p", "5000"]),
            environment: ["PYTHONUNBUFFERED": "1"])
        _ = try await within(.seconds(60), "moto to start") {
            try await server.errors.expect { $0.contains("Running on http://") ? $0 : nil }
        }
        let made = try ChildProcess(
            household.namespaces.command(
                on: 3,
                [
                    "curl", "--silent", "--fail", "-X", "PUT", "http://127.0.0.1:5000/cloud", "-H",
                    "Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/s3/aws4_request",
                ]))
        guard try await made.status() == 0 else { throw IntegrationFailure("moto makes no bucket: \(made.errors.all)") }
        return server
    }

    /// Each shows the certificate of the first.
    private static func node(_ index: Int, _ household: TestHousehold, _ location: String) async throws -> TestCloud {
        let folder = "\(household.directory)/node"
        var arguments = ["--postgres", location, "--s3", bucket]
        if index > 0 {
            arguments += ["--certificate", "\(folder)0/certificate.pem", "--key", "\(folder)0/key.pem"]
        }
        return try await TestCloud(
            on: 3, of: household.namespaces, data: "\(folder)\(index)", port: 9001 + index,
            environment: credentials, arguments)
    }

    private static func worker(_ index: Int, _ run: Int, _ household: TestHousehold) throws -> ChildProcess {
        try ChildProcess(
            [try Products.path("KeyValueProbe"), "work", names[index], "\(run)"],
            environment: ["BATON_HOME": household[index].home])
    }

    func end() async {
        for worker in workers.withLock({ $0 }) { await worker.process.kill() }
        for node in nodes.withLock({ $0 }) { await node.process.kill() }
        await balancer.end()
        await blobs.kill()
        await database.end()
    }

    // MARK: Accidents of devices

    func killDaemon(_ index: Int, for time: Duration) async throws {
        try await household[index].kill()
        try await Task.sleep(for: time)  // sleeps: how long it is away is what is tried
        try await household[index].start()
    }

    func killWorker(_ index: Int) async throws {
        let (process, run) = workers.withLock { $0[index] }
        await process.kill()
        try await keep(process)
        let next = try Self.worker(index, run + 1, household)
        workers.withLock { $0[index] = (next, run + 1) }
    }

    func cut(_ index: Int, for time: Duration) async throws {
        try await household.cut(household[index])
        try await Task.sleep(for: time)  // sleeps: how long it is away is what is tried
        try await household.restore(household[index])
    }

    // MARK: Accidents of the cloud

    func killNode(_ index: Int, for time: Duration) async throws {
        await nodes.withLock { $0[index] }.process.kill()
        try await Task.sleep(for: time)  // sleeps: how long it is away is what is tried
        let node = try await Self.node(index, household, location)
        nodes.withLock { $0[index] = node }
    }

    func killDatabase(for time: Duration) async throws {
        try await database.stop("QUIT")
        try await Task.sleep(for: time)  // sleeps: how long it is away is what is tried
        try await database.start()
    }

    // MARK: The end

    private func keep(_ worker: ChildProcess) async throws {
        try await worker.output.waitForEnd()
        let lines = worker.output.all
        finished.withLock { $0 += lines }
    }

    /// Lets the apps come to their end.
    /// - Returns: everything that any of them said.
    func finish() async throws -> [String] {
        for worker in workers.withLock({ $0 }) {
            worker.process.closeInput()
            _ = try await within(.seconds(60), "the app to end") { try await worker.process.status() }
            try await keep(worker.process)
        }
        return finished.withLock { $0 }
    }

    static func entries(_ lines: [String]) -> [Entry] {
        lines.compactMap { line in
            let parts = line.split(separator: "\t").map(String.init)
            guard parts.count == 5, parts[0] == "kept" || parts[0] == "unsure", let begin = UInt64(parts[1]),
                let end = UInt64(parts[2])
            else { return nil }
            let value = parts[4].split(separator: " ")
            return Entry(
                worker: String(value[0]), isKept: parts[0] == "kept", begin: begin, end: end, key: parts[3],
                value: parts[4],
                place: value.dropFirst().compactMap { Int($0) })
        }
    }

    func verifyCloud() async throws {
        for node in nodes.withLock({ $0 }) { await node.process.end() }
        let verification = try ChildProcess(
            household.namespaces.command(
                on: 3,
                [try Products.path("baton-cloud"), "verify", "--postgres", location, "--s3", Self.bucket]),
            environment: Self.credentials)
        let status = try await verification.status()
        #expect(status == 0, "\(verification.output.all) \(verification.errors.all)")
    }
}
