import BackupFormat
import BatonCore
import BatonTestSupport
import Crypto
import Foundation
import Synchronization
import Testing

@testable import Backup

/// Keys without an account.
struct FixedKeys: BackupKeys {
    let account: AccountID
    let device: DeviceID?
    /// Revoked devices, and since when.
    var revoked: [DeviceID: UInt64] = [:]
    let gearKey = (0..<2048).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 7) }
    private static let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))

    init(_ device: String? = "B") throws {
        account = try #require(AccountID(rawValue: String(repeating: "A", count: 26)))
        self.device = device.flatMap { DeviceID(rawValue: String(repeating: $0, count: 26)) }
    }

    func seal(_ content: [UInt8], name: String) throws(BatonError) -> [UInt8] {
        guard let box = try? ChaChaPoly.seal(content, using: Self.key, authenticating: Array(name.utf8)) else {
            throw Self.failure
        }
        return Array(box.combined)
    }

    func open(_ sealed: [UInt8], name: String) throws(BatonError) -> [UInt8] {
        guard let box = try? ChaChaPoly.SealedBox(combined: sealed),
            let content = try? ChaChaPoly.open(box, using: Self.key, authenticating: Array(name.utf8))
        else { throw Self.failure }
        return Array(content)
    }

    func sign(_ bytes: [UInt8]) throws(BatonError) -> [UInt8] { Array(SHA512.hash(data: bytes)) }

    func isSigned(_ bytes: [UInt8], by device: DeviceID, _ signature: [UInt8]) -> Bool {
        devices.contains(device) && signature == Array(SHA512.hash(data: bytes))
    }

    func trustEnd(of device: DeviceID) -> UInt64 { revoked[device] ?? .max }

    var devices: [DeviceID] { "BCD".compactMap { DeviceID(rawValue: String(repeating: $0, count: 26)) } }

    func zoneID(of device: DeviceID) -> Data { Data(SHA256.hash(data: Array("zone \(device.rawValue)".utf8))) }

    func itemID(_ name: String, zone: Data) -> Data { Data(SHA256.hash(data: zone + Array(name.utf8))) }

    func seal(_ content: [UInt8], name: String, zone: Data) throws(BatonError) -> Data {
        Data([UInt8(name.utf8.count)] + Array(name.utf8) + (try seal(content, name: name)))
    }

    func open(_ sealed: Data, item: Data, zone: Data) throws(BatonError) -> (name: String, content: [UInt8]) {
        let rest = sealed.dropFirst()
        let name = String(decoding: rest.prefix(Int(sealed.first ?? 0)), as: UTF8.self)
        guard itemID(name, zone: zone) == item else { throw Self.failure }
        return (name, try open(Array(rest.dropFirst(name.utf8.count)), name: name))
    }

    private static let failure = BatonError(.dataLoss, reason: "damaged_item", "It is damaged.")
}

struct FixedAccount: BackupAccount {
    let device: String
    let deviceName = "laptop"
    var revoked: [DeviceID: UInt64] = [:]

    func keys() async throws -> any BackupKeys {
        var keys = try FixedKeys(device)
        keys.revoked = revoked
        return keys
    }
    func publication(membership: [UInt8]?, existing: [String: [UInt8]]) async throws -> BackupPublication {
        BackupPublication(account: membership ?? [1], keys: existing.isEmpty ? ["ab": [1, 2]] : [:], superfluous: [])
    }
    func recover(_ code: String, account: [UInt8], keys: [[UInt8]]) async throws -> any BackupKeys {
        guard account == [1], keys == [[1, 2]], code == "code" else {
            throw BatonError(.notFound, reason: "no_content_keys", "There are none.")
        }
        return try FixedKeys(nil)
    }
    func account(of code: String) throws -> AccountID { try FixedKeys(nil).account }
}

/// The paths that were installed.
final class InstalledBundles: Sendable {
    let paths = Mutex<[String]>([])
    /// Whose data there is, by bundle identifiers.
    let owners = Mutex<[String: TeamIdentity]>([:])
}

struct FixedApps: BackupApps {
    var containers: [String: String] = [:]
    /// Apps that are installed with a bundle.
    var bundles: [String: String] = [:]
    /// Apps of which there is a place and no more.
    var absent: Set<String> = []
    /// Teams of installed apps.
    var teams: [String: TeamIdentity] = [:]
    let installs = InstalledBundles()

    func apps() -> [BackedUpApp] {
        containers.sorted { $0.key < $1.key }.filter { !absent.contains($0.key) }.compactMap { id, path in
            BundleID(rawValue: id).map {
                BackedUpApp(
                    bundleID: $0, version: "1.0", container: path, team: teams[id], bundle: bundles[id] ?? "")
            }
        }
    }
    func install(_ path: String) async throws {
        guard !path.hasSuffix("Wide.app") else {
            throw BatonError(.permissionDenied, reason: "access_not_accepted", "It wants to use all files.")
        }
        installs.paths.withLock { $0.append(path) }
    }
    func claim(_ bundleID: BundleID, for team: TeamIdentity) async throws {
        let owner = installs.owners.withLock { owners in
            let owner = owners[bundleID.rawValue] ?? teams[bundleID.rawValue] ?? team
            owners[bundleID.rawValue] = owner
            return owner
        }
        guard owner == team else {
            throw BatonError(.permissionDenied, reason: "team_changed", "The app is by another team.")
        }
    }
    func container(of bundleID: BundleID) throws -> String { try #require(containers[bundleID.rawValue]) }
    func place(of bundleID: BundleID) -> String { containers[bundleID.rawValue] ?? "/nowhere/\(bundleID)" }
    func isRunning(_ bundleID: BundleID) -> Bool { false }
}

/// A device with a home, a target, and a folder that is backed up.
final class BackupFixture: Sendable {
    let directory: TemporaryDirectory
    let now = Mutex<UInt64>(1_800_000_000_000)

    var home: String { directory.path + "/home" }
    var target: String { directory.path + "/disk" }
    var source: String { directory.path + "/source" }
    var container: String { directory.path + "/container" }

    init() throws {
        directory = try TemporaryDirectory()
        for path in [home + "/config", target, source, container] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    func service(
        _ device: String = "B", home: String? = nil, revoked: [DeviceID: UInt64] = [:], cloud: ModelCloud? = nil,
        known: (any BackupDevice)? = nil
    ) throws -> BackupService {
        try BackupService(
            account: FixedAccount(device: device, revoked: revoked),
            apps: FixedApps(containers: ["com.example.App": container]), cloud: cloud, device: known,
            places: BackupPlaces(
                folder: (home ?? self.home) + "/backup", configuration: self.home + "/config",
                documents: self.home + "/documents",
                privatePlaces: [self.home + "/config/teams"]),
            recorder: NullEventRecorder(), clock: { self.now.withLock { $0 } })
    }

    func write(_ path: String, _ bytes: some Sequence<UInt8>) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    func write(_ path: String, _ text: String) throws { try write(path, Array(text.utf8)) }

    func objects(_ kind: BackupObject) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: target + "/baton-backup/" + kind.rawValue).sorted()
    }

    /// Random bytes, which no compression makes smaller.
    static func random(_ count: Int, seed: UInt64) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }
}

/// Why some work fails; nil when it does not.
func reason(_ work: () async throws -> Void) async -> String? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? BatonError)?.reason ?? "\(error)"
    }
}
