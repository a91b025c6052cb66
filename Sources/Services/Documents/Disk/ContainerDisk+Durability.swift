import CLinux
import FileSync
import Glibc

/// Makes what was staged, and what steps changed, survive a loss of power.
extension ContainerDisk {
    func note(_ directories: LocalHandle...) { unsynchronized.formUnion(directories) }

    /// The next ``synchronize()`` makes its contents durable, together with those of others.
    func noteUnwritten(_ handle: LocalHandle, _ file: OpenNode) {
        // The whole file system needs no descriptors.
        unwritten.updateValue(unwritten.count < Self.fewToSynchronize ? file : nil, forKey: handle)
        if unwritten.count >= Self.maximumUnwritten { writeOut() }
    }

    /// After it, what was staged and what steps changed survives a loss of power.
    /// - Returns: files in staging whose contents could not be written.
    func synchronize() -> Set<LocalHandle> {
        writeOut()
        defer { unwritable = [] }
        return unwritable
    }

    private func isWritten(_ handle: LocalHandle, _ file: OpenNode?) -> Bool {
        if let file { return fsync(file.number) == 0 }
        // One that is not there any more needs nothing.
        guard let name = staged[handle] else { return true }
        let number = openat(staging.number, name.map { CChar(bitPattern: $0) } + [0], O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard let file = try? OpenNode(number, "open a file") else { return false }
        return withExtendedLifetime(file) { fsync(file.number) == 0 }
    }

    private func writeOut() {
        let (files, directories) = (unwritten, unsynchronized)
        guard !files.isEmpty || !directories.isEmpty else { return }
        (unwritten, unsynchronized) = ([:], [])
        if files.count + directories.count > Self.fewToSynchronize, baton_syncfs(root.number) == 0 { return }
        for (handle, file) in files where !isWritten(handle, file) {
            failure = DiskFailure("write a file")
            unwritable.insert(handle)
        }
        for handle in directories {
            if let directory = try? directory(handle) { fsync(directory.number) }
        }
    }
}
