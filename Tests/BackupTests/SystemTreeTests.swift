import BatonCore
import BatonTestSupport
// With Glibc: the C types count as those of the module that includes their header first.
import CoreFoundation
import Foundation
import Glibc
import Testing

@testable import Backup

/// Issue 30, proof: a tree that nobody has made for a test.
@Suite("Trees of the system")
struct SystemTreeTests {
    private static let root = "/usr/share/doc"

    /// Kind and mode, size, and time to the nanosecond. A directory's size is the file system's affair.
    private static func metadata(_ path: String) throws -> [Int] {
        var status = stat()
        try #require(lstat(path, &status) == 0, "\(path)")
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        return [
            Int(status.st_mode), isDirectory ? 0 : Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
        ]
    }

    private static func differences(_ one: String, _ other: String) throws -> [String] {
        let manager = FileManager.default
        let names = try manager.subpathsOfDirectory(atPath: one).sorted()
        guard try manager.subpathsOfDirectory(atPath: other).sorted() == names else { return ["the names in \(one)"] }
        return try ([""] + names.map { "/" + $0 }).filter { name in
            let before = try metadata(one + name)
            guard try metadata(other + name) == before else { return true }
            switch mode_t(before[0]) & S_IFMT {
            case S_IFREG: return !manager.contentsEqual(atPath: one + name, andPath: other + name)
            case S_IFLNK:
                let target = try manager.destinationOfSymbolicLink(atPath: one + name)
                return try manager.destinationOfSymbolicLink(atPath: other + name) != target
            default: return false
            }
        }
    }

    @Test(
        "/usr/share/doc comes back byte for byte, with modes, times and links: all of it in the soak, else a part (B-1)",
        .enabled(if: FileManager.default.fileExists(atPath: SystemTreeTests.root)), .timeLimit(.minutes(10)))
    func documentation() async throws {
        let fixture = try BackupFixture()
        var folders = [Self.root]
        if !Schedules.isSoak {
            let names = try FileManager.default.contentsOfDirectory(atPath: Self.root).sorted().prefix(40)
            folders = names.map { "\(Self.root)/\($0)" }.filter { (try? FileNode(directory: $0)) != nil }
        }
        let service = try fixture.service()
        try await service.setTarget(fixture.target)
        for folder in folders { try service.include(folder) }
        let outcome = try await service.backUp()
        #expect(outcome.unreadable.isEmpty && outcome.missing.isEmpty)
        var request = BackupService.RestoreRequest()
        request.to = fixture.directory.path + "/out"
        let restored = try await service.restore(request)
        #expect(restored.result.failed == 0 && restored.result.refusedMetadata == 0)
        for folder in folders {
            let name = (folder as NSString).lastPathComponent
            let found = try Self.differences(folder, fixture.directory.path + "/out/" + name)
            #expect(found.isEmpty, "\(found.prefix(10))")
        }
    }
}
