import Foundation

/// Writes wrappers and data, whole or not at all.
enum FileWrapperWriting {
    /// - Parameter isAtomic: whether what is there may be replaced.
    static func write(_ wrapper: FileWrapper, to path: String, isAtomic: Bool) throws {
        do throws(DurableFile.Failure) {
            guard isAtomic else { return try create(wrapper, path, depth: 0) }
            try replacing(path) { temporary throws(DurableFile.Failure) in try create(wrapper, temporary, depth: 0) }
        } catch {
            throw DocumentErrors.file(error, isWriting: true)
        }
    }

    /// Replaces a file by data. A file that is replaced keeps its mode.
    static func write(_ data: Data, to path: String) throws {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.uint32Value ?? 0o666
        let wrapper = FileWrapper(regularFileWithContents: data)
        if attributes?[.type] as? FileAttributeType == .typeRegular {
            wrapper.fileAttributes[FileAttributeKey.posixPermissions.rawValue] = NSNumber(value: mode)
        }
        try write(wrapper, to: path, isAtomic: true)
    }

    /// Makes an item under a temporary name beside the path, and puts it there. Nothing is left after a failure.
    static func replacing(
        _ path: String, _ make: (String) throws(DurableFile.Failure) -> Void
    ) throws(DurableFile.Failure) {
        let url = URL(fileURLWithPath: path)
        let name = ".baton-save-\(UUID().uuidString)"
        let temporary = url.deletingLastPathComponent().appendingPathComponent(name).path
        // A name of this process's own: nothing else is removed by it.
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        try make(temporary)
        _ = try DurableFile.replace(path, with: temporary)
    }

    private static func create(_ wrapper: FileWrapper, _ path: String, depth: Int) throws(DurableFile.Failure) {
        guard depth <= FileWrapperReading.maximumDepth else { throw DurableFile.Failure(code: ELOOP, path: path) }
        let given = wrapper.fileAttributes[FileAttributeKey.posixPermissions.rawValue] as? NSNumber
        switch wrapper.content {
        case .file(let data):
            let result = data.withUnsafeBytes { bytes in
                Result { () throws(DurableFile.Failure) in
                    try DurableFile.create(path, mode: given?.uint32Value ?? 0o666, bytes)
                }
            }
            try result.get()
        case .link(let destination):
            guard symlink(destination, path) == 0 else { throw DurableFile.Failure(code: errno, path: path) }
        case .directory(let children):
            guard mkdir(path, 0o777) == 0 else { throw DurableFile.Failure(code: errno, path: path) }
            for (name, child) in children.sorted(by: { $0.key < $1.key }) {
                try create(child, path + "/" + name, depth: depth + 1)
            }
            DurableFile.syncDirectory(of: path + "/.")
        }
        if let given, !wrapper.isSymbolicLink, chmod(path, given.uint32Value & 0o777) != 0 {
            throw DurableFile.Failure(code: errno, path: path)
        }
    }
}
