import BatonCore
import BatonTestSupport
import Files
import Foundation
import Glibc
import Testing

@testable import BatonTrust

/// A writable shared mapping changes a file and not its change time, so a seal must not rest on that alone.
@Suite struct SharedMappingTests {
    private let temporary: TemporaryDirectory
    private let bundle: BundleFixture
    /// Elsewhere nothing is taken on trust, and every bundle is hashed at each launch.
    private let tellsOfWrites: Bool

    init() throws {
        temporary = try TemporaryDirectory()
        bundle = try BundleFixture(in: temporary.path, resources: ["Resources/a.txt": "a"])
            .signed(by: try TeamKey(name: "A"))
        tellsOfWrites = ["ext2", "ext3", "ext4", "xfs", "btrfs"].contains(try Self.fileSystem(of: temporary.path))
        chmod(temporary.path, 0o755)
    }

    @Test("A file that is mapped for writing leaves its bundle without a seal, and what the mapping changes is found")
    func mapped() async throws {
        try give(to: UnprivilegedThread.userID)
        let (path, resource, tellsOfWrites) = (bundle.path, bundle.file("Resources/a.txt"), tellsOfWrites)
        try await UnprivilegedThread.run {
            try Self.age(path)
            let before = try CodeVerifier.verify(path).seal
            #expect(before.isConclusive == tellsOfWrites)
            #expect(before.isUnbroken() == tellsOfWrites)

            let mapping = try SharedMapping(resource)
            mapping.write("a")
            try Self.age(path)
            #expect(!(try CodeVerifier.verify(path).seal.isConclusive))
            mapping.write("b")
            #expect(#expect(throws: BatonError.self) { try CodeVerifier.verify(path) }?.reason == "bundle_tampered")

            mapping.write("a")
            mapping.end()
            try Self.age(path)
            #expect(try CodeVerifier.verify(path).seal.isConclusive == tellsOfWrites)
        }
    }

    @Test(
        "Root's files that the person cannot write need no lease, which nobody but their owner gets; others do",
        .enabled(if: geteuid() == 0))
    func ownedByRoot() async throws {
        try give(to: 0)
        let (path, tellsOfWrites) = (bundle.path, tellsOfWrites)
        try await UnprivilegedThread.run {
            try Self.age(path)
            #expect(try CodeVerifier.verify(path).seal.isConclusive == tellsOfWrites)
        }
        // A file of another person, who could have it mapped; then one of root's that everybody can write.
        chown(bundle.file("Resources/a.txt"), UnprivilegedThread.userID - 1, 0)
        try await UnprivilegedThread.run {
            try Self.age(path)
            #expect(!(try CodeVerifier.verify(path).seal.isConclusive))
        }
        chown(bundle.file("Resources/a.txt"), 0, 0)
        chmod(bundle.file("Resources/a.txt"), 0o666)
        try await UnprivilegedThread.run {
            try Self.age(path)
            #expect(!(try CodeVerifier.verify(path).seal.isConclusive))
        }
    }

    private func give(to user: uid_t) throws {
        guard geteuid() == 0 else { return }
        let below = FileManager.default.enumerator(atPath: bundle.path)?.compactMap { $0 as? String } ?? []
        for path in [bundle.path] + below.map(bundle.file) { try #require(chown(path, user, user) == 0) }
    }

    /// Returns when the file system's clock has moved on since the last change, which takes a part of a second.
    private static func age(_ path: String) throws {
        let root = try DirectoryHandle(path: path)
        let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        let newest = try below.reduce(try root.stamp().changed) { max($0, try root.stamp(of: $1)?.changed ?? 0) }
        while BundleSeal.now() <= newest + 100_000_000 { sched_yield() }
    }

    private static func fileSystem(of path: String) throws -> String {
        let mounts = try String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8).split(separator: "\n")
        let places = mounts.compactMap { line -> (point: Substring, kind: Substring)? in
            let fields = line.split(separator: " ")
            guard fields.count > 4, let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count else { return nil }
            return (fields[4], fields[dash + 1])
        }
        let above = places.filter { $0.point == "/" || path == $0.point || path.hasPrefix($0.point + "/") }
        // The later one of two at one place counts.
        return try #require(above.enumerated().max { ($0.1.point.count, $0.0) < ($1.1.point.count, $1.0) }).1.kind
            .description
    }
}
