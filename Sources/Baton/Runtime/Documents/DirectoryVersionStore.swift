import FileCoordination
import Foundation
import Synchronization

/// Keeps versions in a directory of its own: one directory for each file, known by its path.
///
/// Each version is a directory with the content and a property list. It is made under another name first, so that a
/// version is there whole or not at all. A file that is moved leaves its versions behind, until ``move(from:to:)``.
package final class DirectoryVersionStore: FileVersionStore {
    private struct Description: Codable {
        var path: String
        var name: String
        var added: Date
        var modified: Date?
        var computer: String?
        var isConflict: Bool
        var isResolved: Bool
    }

    private let root: URL
    /// One change at a time within the process. Between processes renames decide.
    private let lock = Mutex(())

    package init(root: URL) { self.root = root }

    /// In the person's data directory (`XDG_DATA_HOME`).
    static let standard: DirectoryVersionStore = {
        let home = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let data = home ?? NSHomeDirectory() + "/.local/share"
        return DirectoryVersionStore(root: URL(fileURLWithPath: data).appendingPathComponent("baton/versions"))
    }()

    // MARK: Names

    /// Named by two FNV-1a hashes of the path without links, in hexadecimal digits. The property list holds the whole path.
    private func directory(of url: URL) -> URL {
        let bytes = Array(Self.path(url).utf8)
        var hashes: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142]
        for byte in bytes {
            for index in hashes.indices { hashes[index] = (hashes[index] ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return root.appendingPathComponent(hashes.map { String($0, radix: 16) }.joined(separator: "-"))
    }

    private static func path(_ url: URL) -> String {
        CoordinationPaths.item(url)?.path.description ?? url.standardizedFileURL.path
    }

    private func folder(_ identifier: String, _ url: URL) throws -> URL {
        let folder = directory(of: url).appendingPathComponent(identifier)
        guard UUID(uuidString: identifier) != nil, FileManager.default.fileExists(atPath: folder.path) else {
            throw DocumentErrors.cocoa(
                .fileNoSuchFile, "“\(url.lastPathComponent)” has no such version any more.", url)
        }
        return folder
    }

    // MARK: FileVersionStore

    package func versions(of url: URL) throws -> [FileVersionRecord] {
        let directory = directory(of: url)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path) else { return [] }
        let path = Self.path(url)
        return names.filter { UUID(uuidString: $0) != nil }
            .compactMap { name in description(directory.appendingPathComponent(name)).map { (name, $0) } }
            .filter { $0.1.path == path }
            .sorted { ($0.1.added, $0.0) > ($1.1.added, $1.0) }
            .map { record($0.0, $0.1, directory.appendingPathComponent($0.0)) }
    }

    package func add(_ content: URL, as url: URL, isConflict: Bool) throws -> FileVersionRecord {
        try lock.withLock { _ in
            let identifier = UUID().uuidString
            let directory = directory(of: url)
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let made = directory.appendingPathComponent("." + identifier)
            do {
                try FileManager.default.createDirectory(at: made, withIntermediateDirectories: false)
                let wrapper = try FileWrapper(url: content, options: .immediate)
                try wrapper.write(to: made.appendingPathComponent("content"), originalContentsURL: nil)
                let description = Description(
                    path: Self.path(url), name: url.lastPathComponent, added: Date(),
                    modified: wrapper.fileAttributes[FileAttributeKey.modificationDate.rawValue] as? Date,
                    computer: ProcessInfo.processInfo.hostName, isConflict: isConflict, isResolved: !isConflict)
                try write(description, made)
                let final = directory.appendingPathComponent(identifier)
                try FileManager.default.moveItem(at: made, to: final)
                DurableFile.syncDirectory(of: final.path)
                return record(identifier, description, final)
            } catch {
                try? FileManager.default.removeItem(at: made)
                throw error
            }
        }
    }

    package func fetch(_ identifier: String, of url: URL) throws -> FileVersionRecord {
        let folder = try folder(identifier, url)
        guard let description = description(folder) else { throw DocumentErrors.missing(url) }
        return record(identifier, description, folder)
    }

    package func setResolved(_ identifier: String, of url: URL) throws {
        try lock.withLock { _ in
            let folder = try folder(identifier, url)
            guard var description = description(folder) else { throw DocumentErrors.missing(url) }
            description.isResolved = true
            try write(description, folder)
        }
    }

    package func remove(_ identifier: String, of url: URL) throws {
        try lock.withLock { _ in
            let folder = try folder(identifier, url)
            // Gone at once, whatever happens to what is in it.
            let doomed = folder.deletingLastPathComponent().appendingPathComponent("." + UUID().uuidString)
            try FileManager.default.moveItem(at: folder, to: doomed)
            try? FileManager.default.removeItem(at: doomed)
        }
    }

    package func removeAll(of url: URL) throws {
        for version in try versions(of: url) { try remove(version.identifier, of: url) }
    }

    /// The versions of a file that was moved follow it.
    package func move(from old: URL, to new: URL) throws {
        let moved = try versions(of: old)
        guard !moved.isEmpty else { return }
        try lock.withLock { _ in
            let target = directory(of: new)
            try FileManager.default.createDirectory(
                at: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for version in moved {
                let folder = try folder(version.identifier, old)
                guard var description = description(folder) else { continue }
                description.path = Self.path(new)
                description.name = new.lastPathComponent
                let destination = target.appendingPathComponent(version.identifier)
                try FileManager.default.moveItem(at: folder, to: destination)
                try write(description, destination)
            }
        }
    }

    // MARK: Property lists

    private func description(_ folder: URL) -> Description? {
        guard let data = try? Data(contentsOf: folder.appendingPathComponent("version.plist")) else { return nil }
        return try? PropertyListDecoder().decode(Description.self, from: data)
    }

    private func write(_ description: Description, _ folder: URL) throws {
        let data = try PropertyListEncoder().encode(description)
        try FileWrapperWriting.write(data, to: folder.appendingPathComponent("version.plist").path)
    }

    private func record(_ identifier: String, _ description: Description, _ folder: URL) -> FileVersionRecord {
        FileVersionRecord(
            identifier: identifier, content: folder.appendingPathComponent("content"),
            modificationDate: description.modified, computerName: description.computer,
            isConflict: description.isConflict, isResolved: description.isResolved)
    }
}
