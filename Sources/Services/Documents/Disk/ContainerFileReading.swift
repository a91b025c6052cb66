import Files
import Glibc

/// Reads a file of a container as it is now, and nothing outside of the container, whatever links an app makes in it meanwhile.
/// Blocks for a moment.
enum ContainerFileReading {
    /// - Parameters:
    ///   - path: below `root`, which is a container's folder.
    ///   - limit: bytes.
    /// - Returns: nil for a larger file, and for what is no file or cannot be read.
    static func read(_ path: String, below root: String, limit: Int) -> [UInt8]? {
        guard let file = open(path, below: root) else { return nil }
        // One byte more than allowed, to notice that there is more. A pipe or a folder gives nothing.
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= limit {
            // A leased file may say that it cannot be read now.
            let got = try? part.withUnsafeMutableBytes { buffer in
                try FileIO.read(file.descriptor, into: buffer) { DiskFailure("read a document", code: $0) }
            }
            guard let got else { return nil }
            if got == 0 { return bytes }
            bytes += part.prefix(got)
        }
        return nil
    }

    /// - Returns: nil for what cannot be opened; it may be no file.
    static func open(_ path: String, below root: String) -> OpenFile? {
        let directory = Glibc.open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { return nil }
        defer { Glibc.close(directory) }
        let descriptor = QuietOpening.open(beneath: directory, path)
        return descriptor < 0 ? nil : OpenFile(adopting: descriptor, path: path)
    }
}
