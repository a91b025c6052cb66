import BackupFormat
import BatonCore
import BatonTestSupport
import BatonWire
import CLinux
// With Glibc: the C types count as those of the module that includes their header first.
import CoreFoundation
import Foundation
import Glibc
import Testing

@testable import Backup

@Suite("What comes back of files, and which files are meant")
struct RestoreMetadataTests {
    private static func status(_ change: (inout stat) -> Void) -> NodeStatus {
        var status = stat()
        status.st_mode = S_IFREG | 0o6755
        (status.st_uid, status.st_gid) = (geteuid(), getegid())
        change(&status)
        return NodeStatus(status)
    }

    @Test("The bits by which a file runs as another owner or group do not come back (B-1)")
    func specialBits() {
        #expect(Self.status { _ in }.mode == 0o6755)
        #expect(Self.status { $0.st_uid = geteuid() &+ 1 }.mode == 0o755)
        #expect(Self.status { $0.st_gid = getegid() &+ 1 }.mode == 0o4755)
        let shared = Self.status {
            $0.st_mode = S_IFDIR | 0o3775
            $0.st_uid = geteuid() &+ 1
        }
        #expect(shared.mode == 0o3775, "of a directory they make no program run as another")
    }

    @Test("Without its access list a file gives its group no more than the list did (B-1)")
    func accessLists() async throws {
        func list(_ entries: [(tag: UInt8, rights: UInt8)]) -> [UInt8] {
            [2, 0, 0, 0] + entries.flatMap { [$0.tag, 0, $0.rights, 0, 0xFF, 0xFF, 0xFF, 0xFF] }
        }
        // The owner, a named user, the group, the most of both, all others.
        let given = list([(1, 6), (2, 7), (4, 4), (0x10, 7), (0x20, 0)])
        #expect(AccessList.groupRights(given) == 4)
        #expect(AccessList.groupRights(list([(1, 6), (4, 6), (0x10, 4), (0x20, 0)])) == 4)
        #expect(AccessList.groupRights(list([(1, 6), (4, 6), (0x20, 0)])) == 6)
        for damaged in [[], [2], [2, 0, 0, 0], [3, 0, 0, 0, 4, 0, 4, 0, 0, 0, 0, 0], Array(given.dropLast())] {
            #expect(AccessList.groupRights(damaged) == nil)
        }
        let fixture = try BackupFixture()
        let path = fixture.source + "/secret"
        try fixture.write(path, "of one more user")
        var named = list([(1, 6), (2, 6), (4, 0), (0x10, 6), (0x20, 0)])
        named.replaceSubrange(16..<20, with: [0xD2, 4, 0, 0])
        // A file system without lists has no such file.
        guard setxattr(path, "system.posix_acl_access", named, named.count, 0) == 0 else { return }
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (path, fixture.directory.path + "/out")
        _ = try await service.restore(request)
        var status = stat()
        #expect(stat(fixture.directory.path + "/out/secret", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("A time that no count of nanoseconds holds becomes the last or the first one, not another century's (B-1)")
    func farTimes() {
        #expect(Self.status { $0.st_mtim = timespec(tv_sec: 13_569_465_600, tv_nsec: 1) }.modified == .max)
        #expect(Self.status { $0.st_mtim = timespec(tv_sec: -13_569_465_600, tv_nsec: 1) }.modified == .min)
        for nanoseconds in [Int64.max, .min, -1, 0] {
            #expect(Self.status { $0.st_mtim = FileNode.times(nanoseconds)[0] }.modified == nanoseconds)
        }
    }

    @Test("A restore that goes on where times are coarser takes files for whole by what is in them (B-1)")
    func coarseTimes() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "the same")
        try fixture.write(fixture.source + "/b", "the same")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        _ = try await service.backUp()
        let out = fixture.directory.path + "/out"
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, out)
        #expect(try await service.restore(request).result.files == 2)
        let restored = try FileNode(directory: out + "/source")
        let time = try #require(try restored.status(of: Array("a".utf8))).modified
        for name in ["a", "b"] {
            let file = try restored.child(Array(name.utf8), isDirectory: false)
            #expect(futimens(file.descriptor, FileNode.times(time - 1_000_000_000)) == 0)
        }
        try fixture.write(out + "/source/b", "THE SAME")
        let again = try await service.restore(request).result
        #expect(again.unchanged == 1 && again.kept == 1 && again.files == 0)
        #expect(
            try restored.status(of: Array("a".utf8))?.modified == time - 1_000_000_000, "nothing there is changed")
        request.replaces = true
        let replaced = try await service.restore(request).result
        #expect(replaced.unchanged == 1 && replaced.files == 1 && replaced.kept == 0)
        #expect(try restored.status(of: Array("a".utf8))?.modified == time)
    }

    @Test("Names that look the same and are of other bytes are two: included, left out, and restored each (B-1, B-4)")
    func looksTheSame() async throws {
        let fixture = try BackupFixture()
        let forms = ["\u{E9}", "e\u{301}"].map { fixture.source + "/" + $0 }
        for (number, path) in forms.enumerated() { try fixture.write(path + "/f", "\(number)") }
        // A name that begins with a mark is one character with the slash before it.
        let marked = forms[0] + "/\u{301}x"
        try fixture.write(marked, "marked")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        for path in forms { try service.include(path) }
        #expect(service.state.included.count == 2)
        _ = try await service.backUp()
        var request = BackupService.RestoreRequest()
        for (number, path) in forms.enumerated() {
            (request.path, request.to) = (path + "/f", fixture.directory.path + "/out\(number)")
            #expect(try await service.restore(request).result.files == 1)
            let file = fixture.directory.path + "/out\(number)/f"
            #expect(FileManager.default.contents(atPath: file) == Data("\(number)".utf8))
        }
        request.path = marked
        #expect(try await service.restore(request).result.files == 1)
        #expect(try await service.why(marked).isIncluded)

        for path in forms { try service.exclude(path) }
        try service.include(fixture.source)
        try service.exclude(forms[0])
        #expect(try await !service.why(forms[0]).isIncluded)
        #expect(try await service.why(forms[1]).isIncluded)
        request.path = fixture.source
        request.to = fixture.directory.path + "/rest"
        _ = try await service.backUp()
        _ = try await service.restore(request)
        let rest = fixture.directory.path + "/rest/source"
        let left = try FileManager.default.contentsOfDirectory(atPath: rest)
        #expect(left.map { Array($0.utf8) } == [[0x65, 0xCC, 0x81]])

        var plan = DeviceRestorePlan.Step(.folder, forms[0])
        #expect(plan == .init(.folder, forms[0]) && plan != .init(.folder, forms[1]))
        plan.kind = .app
        #expect(plan != .init(.folder, forms[0]))
    }

    @Test("A restore names a newer snapshot that is damaged, and a backup counts folders that are gone (B-1)")
    func passedOver() async throws {
        let fixture = try BackupFixture()
        try fixture.write(fixture.source + "/a", "1")
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        try service.include(fixture.source)
        let first = try await service.backUp().snapshot
        #expect(service.state.target?.lastUnreadable == 0)
        let second = try await service.backUp().snapshot
        let damaged = fixture.target + "/baton-backup/snapshots/\(second.id)"
        try fixture.write(damaged, [0, 1, 2])
        var request = BackupService.RestoreRequest()
        (request.path, request.to) = (fixture.source, fixture.directory.path + "/out")
        let restored = try await service.restore(request)
        #expect(restored.snapshot.id == first.id)
        #expect(restored.notes.count == 1 && restored.notes.allSatisfy { $0.contains("\(second.id)") })
        request.snapshot = "\(first.id)"
        #expect(try await service.restore(request).notes.isEmpty)

        try FileManager.default.removeItem(atPath: fixture.source)
        let third = try await service.backUp()
        #expect(third.missing == [fixture.source] && third.snapshot.unreadable == 1)
        #expect(service.state.target?.lastUnreadable == 1)
        let explanation = BackupExplanation(
            state: service.state, isTargetThere: true, wait: nil, progress: nil, now: service.clock())
        #expect(explanation.message.stages.contains { $0.name == "left_out" })
    }
}
