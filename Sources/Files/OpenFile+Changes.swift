import CLinux
import Glibc

extension OpenFile {
    /// Whether every change from now on will show in the file's stamp.
    ///
    /// A writable shared mapping changes a file without its change time, for as long as the kernel has not written the
    /// page out. A read lease can only be taken while no process has the file open or mapped for writing; a process that opens it
    /// later changes its change time with the first write to each page. File systems that keep this promise are known.
    ///
    /// The lease is given back at once: kept, it would hold up everybody who opens the file for writing.
    package func showsEveryChange() -> Bool {
        guard isOnFileSystemThatTellsOfWrites else { return false }
        // A lease that is broken is announced by SIGIO, which ends a process; SIGURG does nothing.
        guard fcntl(descriptor, Self.setSignal, SIGURG) == 0 else { return false }
        guard fcntl(descriptor, Self.setLease, Int32(F_RDLCK)) == 0 else {
            // Only a file's owner gets a lease.
            return errno == EACCES && isBeyondReach
        }
        return fcntl(descriptor, Self.setLease, Int32(F_UNLCK)) == 0
    }

    /// Root's, and not writable for this person: no app of theirs can have it mapped.
    private var isBeyondReach: Bool {
        guard (try? stamp())?.owner == 0 else { return false }
        // Permissions and access lists. A file system that is mounted for reading only may be writable elsewhere.
        return access("/proc/self/fd/\(descriptor)", W_OK) != 0 && errno == EACCES
    }

    /// Others, as tmpfs and overlay, let a mapping change a file without a trace, or lease another file than is written.
    private var isOnFileSystemThatTellsOfWrites: Bool {
        var fileSystem = statfs()
        guard fstatfs(descriptor, &fileSystem) == 0 else { return false }
        return [Int(EXT4_SUPER_MAGIC), Int(XFS_SUPER_MAGIC), Int(BTRFS_SUPER_MAGIC)].contains(Int(fileSystem.f_type))
    }

    // F_SETSIG and F_SETLEASE, which the Glibc module leaves out.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024
}
