import AirDropProtocol
import BatonCore
import CLinux
import Files
import Foundation
import Glibc

/// Where received files go. Blocks on the disk.
enum ReceivedItems {
    private static let maximumNumber = 10_000

    /// - Throws: `failed_precondition` with reason `folder_unusable`.
    static func prepare(_ folder: String) throws(BatonError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw unusable(folder, error)
        }
    }

    /// Whether files could be stored there now: a folder that is there may be another's, or on a disk that takes nothing.
    /// - Throws: as ``prepare(_:)``.
    static func check(_ folder: String) throws(BatonError) {
        try prepare(folder)
        do {
            _ = try StagingFolder(in: folder)
        } catch {
            throw unusable(folder, error)
        }
    }

    private static func unusable(_ folder: String, _ cause: any Error) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "folder_unusable",
            "Files cannot be stored in “\(folder)”. Make the folder, or name another with --to.", cause: cause)
    }

    /// Moves a file to another folder under its name, or one that is free.
    /// - Returns: its path there.
    static func move(_ path: String, to folder: String) throws(BatonError) -> String {
        try prepare(folder)
        let name = SafeName(URL(fileURLWithPath: path).lastPathComponent)
        for number in 1...maximumNumber {
            let target = "\(folder)/\(name.numbered(number))"
            if baton_rename_exclusively(AT_FDCWD, path, AT_FDCWD, target) == 0 { return target }
            if errno == EEXIST { continue }
            guard errno == EXDEV else { throw StagingFolder.failure("“\(name)”") }
            return try copy(path, to: folder, name)
        }
        throw BatonError(
            .resourceExhausted, reason: "too_many_of_one_name",
            "There are too many files called “\(name)” already. Move some of them away.")
    }

    /// Brings a file or a folder to the disk.
    private static func synchronize(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// To another file system: under a hidden name first, so that it appears whole.
    private static func copy(_ path: String, to folder: String, _ name: SafeName) throws(BatonError) -> String {
        let hidden = "\(folder)/.airdrop-\(UUID().uuidString).part"
        do {
            try FileManager.default.copyItem(atPath: path, toPath: hidden)
        } catch {
            try? FileManager.default.removeItem(atPath: hidden)
            let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            if (error as? CocoaError)?.code == .fileWriteOutOfSpace || underlying?.code == Int(ENOSPC) {
                throw StagingFolder.failure("“\(name)”", errno: ENOSPC)
            }
            throw BatonError(
                .unknown, reason: "file_error", "“\(name)” could not be stored in “\(folder)”.", cause: error)
        }
        guard synchronize(hidden) else {
            let failure = StagingFolder.failure("“\(name)”")
            try? FileManager.default.removeItem(atPath: hidden)
            throw failure
        }
        for number in 1...maximumNumber {
            let target = "\(folder)/\(name.numbered(number))"
            guard baton_rename_exclusively(AT_FDCWD, hidden, AT_FDCWD, target) == 0 else {
                if errno == EEXIST { continue }
                break
            }
            // The source is on the disk; it goes only when the copy and its name are, too.
            guard synchronize(folder) else { throw StagingFolder.failure("“\(name)”") }
            try? FileManager.default.removeItem(atPath: path)
            return target
        }
        let failure = StagingFolder.failure("“\(name)”")
        try? FileManager.default.removeItem(atPath: hidden)
        throw failure
    }
}
