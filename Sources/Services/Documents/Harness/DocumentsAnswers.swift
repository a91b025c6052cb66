import BatonConcurrency
import BatonCore
import BatonWire
import FileSync
import Foundation
import Glibc
import SwiftProtobuf

/// Answers that apps and the command line have in common.
enum DocumentsAnswers {
    private static let partBytes = 256 * 1024
    /// How long a file may be changed, or be read, before it is deleted.
    private static let readingPatience = Duration.seconds(10)

    /// - Parameter path: absolute, below a container; or `CONTAINER/PATH`.
    static func container(
        of path: DocumentPath, _ service: DocumentsService
    ) throws(BatonError) -> (container: ContainerEngine, path: DocumentPath) {
        let parts = path.names.filter { $0 != Array(".".utf8) }
        let isAbsolute = path.bytes.first == UInt8(ascii: "/")
        guard path.bytes.count <= 16_384, !parts.contains(Array("..".utf8)) else {
            throw BatonError(
                .invalidArgument, reason: "bad_path", "The path must not be longer than 16 KiB or have “..”.")
        }
        for container in service.running {
            let own = DocumentPath(isAbsolute ? container.path : container.name.identifier).names
            guard parts.starts(with: own) else { continue }
            return (container, DocumentPath(names: parts.dropFirst(own.count).map(withoutPlaceholder)))
        }
        guard service.account != nil else { throw DocumentsService.noAccount }
        for name in service.resting {
            let own = DocumentPath(isAbsolute ? service.path(of: name) : name.identifier).names
            if parts.starts(with: own) { throw DocumentsService.switchedOff }
        }
        throw BatonError(
            .notFound, reason: "no_container",
            "“\(path.description.shortened(toBytes: 200))” is in no iCloud container and no folder that is kept equal. “baton documents” lists "
                + "the containers, “baton folder list” the folders.")
    }

    private static func withoutPlaceholder(_ part: [UInt8]) -> [UInt8] {
        (try? EntryName(part)).flatMap(PlaceholderName.original)?.bytes ?? part
    }

    /// - Parameter item: which of several that were deleted at the path.
    static func change(
        _ change: Baton_App_V1_ChangeDocumentRequest.Change, _ path: DocumentPath, of container: ContainerEngine,
        item: Data = Data(), patience: Duration = readingPatience
    ) async throws -> Baton_App_V1_ChangeDocumentResponse {
        if change == .delete { return try await delete(path, of: container, patience) }
        let item = try await container.perform { container in
            let id =
                change == .undelete
                ? try container.reader.findToRestore(path, item: item) : try container.reader.find(path)
            switch change {
            case .download: container.download(id)
            case .evict: container.evict(id)
            case .undelete:
                try container.checkMayChange()
                container.undelete(id)
            case .delete, .unspecified, .UNRECOGNIZED:
                throw BatonError(.invalidArgument, reason: "unknown_change", "The request names no change.")
            }
            return container.reader.item(id)
        }
        return .with { if let item { $0.item = DocumentsWire.message(item) } }
    }

    /// A file that was changed a moment ago is read first, so that it can be brought back.
    private static func delete(
        _ path: DocumentPath, of container: ContainerEngine, _ patience: Duration
    ) async throws -> Baton_App_V1_ChangeDocumentResponse {
        let end = ContinuousClock.now + patience
        while true {
            do {
                let item = try await container.perform { container in
                    let id = try container.reader.find(path)
                    try container.delete(id)
                    return container.reader.item(id)
                }
                return .with { if let item { $0.item = DocumentsWire.message(item) } }
            } catch let failure as DiskFailure {
                guard failure.code == ESTALE, .now < end else { throw refusal(of: failure, path.description) }
                // sleeps: a file that comes to rest causes no event
                try await Task.sleep(for: .milliseconds(300))
            }
        }
    }

    private static func refusal(of failure: DiskFailure, _ path: String) -> BatonError {
        let shown = "“\(path.shortened(toBytes: 200))”"
        return switch failure.code {
        case ESTALE:
            BatonError(
                .failedPrecondition, reason: "file_changing",
                "\(shown), or a file in it, is being changed, or is so new that it was not read yet. Close the program that writes it, if "
                    + "one does, and delete it again.")
        case EBUSY:
            BatonError(
                .failedPrecondition, reason: failure.reason,
                "\(shown), or a file in it, is a database that a program has open. Close the program, then delete it again."
            )
        case ENOSPC, EDQUOT:
            BatonError(
                .resourceExhausted, reason: failure.reason,
                "There is no room to keep \(shown) for the 30 days in which it can be restored. Free some space on the disk, or remove "
                    + "it as any other file.")
        default:
            BatonError(
                .failedPrecondition, reason: failure.reason,
                "\(shown) was not deleted: \(failure). Check the permissions of its folder.", cause: failure)
        }
    }

    /// Which document is meant: for a person also one that was deleted.
    enum Subject: Sendable {
        case present
        case deleted(Data)

        init(deleted: Bool, item: Data) { self = deleted ? .deleted(item) : .present }

        fileprivate func find(
            _ path: DocumentPath, in container: isolated ContainerEngine
        ) throws(BatonError) -> EntryID {
            switch self {
            case .present: try container.reader.find(path)
            case .deleted(let item): try container.reader.findDeleted(path, item: item)
            }
        }
    }

    static func versions(
        _ path: DocumentPath, of container: ContainerEngine, _ subject: Subject = .present
    ) async throws -> Baton_App_V1_ListFileVersionsResponse {
        let versions = try await container.perform { $0.reader.versions(of: try subject.find(path, in: $0)) }
        return .with { $0.versions = versions.map(DocumentsWire.message) }
    }

    static func read(
        _ version: String, _ path: DocumentPath, of container: ContainerEngine, _ subject: Subject = .present,
        write: (Data) async throws -> Void
    ) async throws {
        let (key, content, file) = try await container.perform { container in
            let id = try subject.find(path, in: container)
            let found = try container.reader.version(version, of: id)
            let key = ContentKey(entry: id, dot: found.dot, hash: found.version.hash)
            return (key, found.version, container.reader.localFile(id, found.version))
        }
        if let file {
            while true {
                let piece = try await container.io.run { try file.read() }
                guard !piece.isEmpty else { return }
                try await send(piece, write)
            }
        }
        // From a device that is near; else it is read from the cloud.
        _ = try await container.writer.fetchNearby(key, content)
        try await container.writer.write(content) { try await send($0, write) }
    }

    private static func send(_ bytes: [UInt8], _ write: (Data) async throws -> Void) async throws {
        for start in stride(from: 0, to: bytes.count, by: partBytes) {
            try await write(Data(bytes[start..<min(start + partBytes, bytes.count)]))
        }
    }

    static func changeVersions(
        _ request: Baton_App_V1_ChangeFileVersionsRequest, _ path: DocumentPath, of container: ContainerEngine
    ) async throws -> Baton_App_V1_ChangeFileVersionsResponse {
        let (change, versions) = (request.change, request.versionIds)
        try await container.perform { container in
            let id = try container.reader.find(path)
            try container.checkMayChange()
            switch (change, versions.count) {
            case (.resolve, 0...64): try container.resolve(versions, of: id)
            case (.restore, 1): try container.restore(versions[0], of: id)
            default:
                throw BatonError(
                    .invalidArgument, reason: "unknown_change",
                    "The request names no change, or not as many versions as that takes.")
            }
        }
        return .init()
    }
}
