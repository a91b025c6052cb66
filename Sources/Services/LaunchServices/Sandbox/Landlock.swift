import CLinux
import Glibc

/// The kernel's Landlock: a process gives up access to files, for itself and all its descendants.
package enum Landlock {
    /// Which version the kernel has; nil without Landlock.
    package static let version: Int32? = {
        let version = baton_landlock_version()
        return version >= 1 ? version : nil
    }()

    // <linux/landlock.h>, which may be older than the kernel.
    private static let execute: UInt64 = 1 << 0
    private static let writeFile: UInt64 = 1 << 1
    private static let readFile: UInt64 = 1 << 2
    private static let readDirectory: UInt64 = 1 << 3
    private static let removeDirectory: UInt64 = 1 << 4
    private static let removeFile: UInt64 = 1 << 5
    private static let makeDirectory: UInt64 = 1 << 7
    private static let makeFile: UInt64 = 1 << 8
    private static let makeSocket: UInt64 = 1 << 9
    private static let makePipe: UInt64 = 1 << 10
    private static let makeLink: UInt64 = 1 << 12
    /// To another directory: version 2.
    private static let move: UInt64 = 1 << 13
    /// Version 3.
    private static let truncate: UInt64 = 1 << 14
    /// Version 5.
    private static let control: UInt64 = 1 << 15
    /// The rights that can be allowed of a file that is no directory.
    private static let ofFiles = execute | writeFile | readFile | truncate | control
    /// Sockets without a path, and signals, of processes outside: version 6.
    private static let scopes: UInt64 = 1 << 0 | 1 << 1

    /// `O_PATH`, which Swift's import of the C library leaves out.
    private static let pathOnly: Int32 = 0o10000000

    /// The rights that a version knows.
    private static func handled(_ version: Int32) -> UInt64 {
        var bits: UInt64 = (1 << 13) - 1
        if version >= 2 { bits |= move }
        if version >= 3 { bits |= truncate }
        if version >= 5 { bits |= control }
        return bits
    }

    private static func bits(_ access: SandboxPolicy.Access) -> UInt64 {
        switch access {
        case .execute: execute | readFile | readDirectory
        case .read: readFile | readDirectory
        case .inbox: readFile | readDirectory | removeFile
        case .write:
            readFile | readDirectory | writeFile | truncate | removeFile | removeDirectory | makeDirectory | makeFile
                | makeSocket | makePipe | makeLink | move
        case .device: readFile | readDirectory | writeFile | truncate | control
        }
    }

    /// Confines this process and its descendants, who cannot undo it. They gain no privileges any more.
    ///
    /// Paths that do not exist are passed over.
    /// - Returns: 0, or the number of the error; then nothing may be trusted to be confined.
    static func confine(to policy: SandboxPolicy, version: Int32) -> Int32 {
        let handled = handled(version)
        let ruleset = baton_landlock_create(handled, version >= 6 ? scopes : 0, version)
        guard ruleset >= 0 else { return errno }
        defer { close(ruleset) }
        for rule in policy.rules {
            let parent = open(rule.path, pathOnly | O_CLOEXEC)
            guard parent >= 0 else { continue }
            defer { close(parent) }
            var status = [Int64](repeating: 0, count: 8)
            guard baton_status(parent, "", &status) == 0 else { return errno }
            let isDirectory = status[0] & 0o170000 == 0o040000
            let access = bits(rule.access) & handled & (isDirectory ? .max : ofFiles)
            guard baton_landlock_allow(ruleset, access, parent) == 0 else { return errno }
        }
        return baton_landlock_restrict(ruleset) == 0 ? 0 : errno
    }
}
