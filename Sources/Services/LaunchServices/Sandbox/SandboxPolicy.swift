package import BatonTrust

/// The reach of a confined app: paths, each with what may be done at and below it. A pure value.
package struct SandboxPolicy: Sendable, Hashable {
    package enum Access: String, Sendable, CaseIterable {
        /// Files are read and run, directories listed.
        case execute = "x"
        /// Files are read, directories listed.
        case read = "r"
        /// The Inbox: files are read and removed.
        case inbox = "i"
        /// Everything but running files and making devices.
        case write = "w"
        /// Devices are read, written and controlled.
        case device = "d"
    }

    package struct Rule: Sendable, Hashable {
        package var path: String
        package var access: Access

        package init(_ path: String, _ access: Access) {
            self.path = path
            self.access = access
        }
    }

    /// Empty for an app without a sandbox.
    package var rules: [Rule]
    /// The program reads one document and answers: no sockets, no other processes, bounds of memory and time (``ImportLimits``).
    package private(set) var isImporter = false
    /// The document stands on standard input, and not a report of the launch (``ConfinedLaunch``).
    private(set) var isReader = false

    /// Where programs, libraries and the machine's settings are.
    private static let system = [
        "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
    ]
    /// Settings, the kernel's tables, fonts, and what names of hosts, zones and devices are looked up in.
    private static let readable = [
        "/etc", "/proc", "/sys", "/var/cache/fontconfig", "/run/systemd/resolve", "/run/NetworkManager/resolv.conf",
        "/run/resolvconf", "/run/udev/data", "/run/opengl-driver",
    ]
    private static let harmlessDevices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
    private static let devices = [
        "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/dri", "/dev/snd",
    ]

    /// - Parameters:
    ///   - inbox: where the files of the app's `Documents/Inbox` are, outside of its container.
    ///   - documents: the app's iCloud containers.
    ///   - home: of the person; entitlements may name paths below it.
    ///   - display: the file by which the display knows its programs (`XAUTHORITY`).
    package init(
        bundle: String, container: String, inbox: String, documents: [String] = [],
        entitlements: SandboxEntitlements, home: String?, display: String?
    ) {
        guard !entitlements.isUnconfined else {
            rules = []
            return
        }
        rules = Self.system.map { Rule($0, .execute) } + Self.readable.map { Rule($0, .read) }
        rules += Self.devices.map { Rule($0, .device) }
        rules += [Rule(bundle, .execute), Rule(container, .write), Rule(inbox, .inbox)]
        rules += documents.map { Rule($0, .write) }
        if let display { rules.append(Rule(display, .read)) }
        let requested = Self.requested(entitlements, home: home)
        // Below what the app writes, a path adds nothing, but could be a link by now that leads anywhere.
        let written = (rules + requested).filter { $0.access == .write }.map(\.path)
        rules += requested.filter { rule in
            !written.contains { rule.path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
        }
    }

    /// For an app's import extension: the app's program may read one folder, and write nothing.
    /// - Parameter folder: has the document, and nothing else.
    package init(importing folder: String, bundle: String) {
        rules = Self.system.map { Rule($0, .execute) } + Self.readable.map { Rule($0, .read) }
        rules += Self.harmlessDevices.map { Rule($0, .device) }
        rules += [Rule(bundle, .execute), Rule(folder, .read)]
        isImporter = true
    }

    /// For a program that reads the document on its standard input: it sees that and the system, and writes nothing.
    static let reading: SandboxPolicy = {
        var policy = SandboxPolicy(rules: system.map { Rule($0, .execute) } + readable.map { Rule($0, .read) })
        policy.rules += harmlessDevices.map { Rule($0, .device) } + [Rule(document, .read)]
        policy.isImporter = true
        policy.isReader = true
        return policy
    }()

    /// The document on standard input, by the name that leads to it in each process.
    package static let document = "/proc/self/fd/0"

    private init(rules: [Rule]) { self.rules = rules }

    /// Entitlements that an older Baton accepted count only as far as this one accepts them.
    private static func requested(_ entitlements: SandboxEntitlements, home: String?) -> [Rule] {
        func rules(_ paths: [String], _ access: Access, below folder: String? = "") -> [Rule] {
            guard let folder else { return [] }
            return paths.filter(SandboxEntitlements.isAcceptable).map { Rule(folder + $0, access) }
        }
        return rules(entitlements.readOnlyPaths, .read) + rules(entitlements.readWritePaths, .write)
            + rules(entitlements.homeReadOnlyPaths, .read, below: home)
            + rules(entitlements.homeReadWritePaths, .write, below: home)
    }
}

// MARK: - As arguments of the helper

extension SandboxPolicy {
    private static let importer = "--import"
    static let reader = "--read"

    /// One argument for each rule, as in `r:/etc`, behind `--import` for an import extension, and `--read` `--import` for a reader.
    var arguments: [String] {
        (isReader ? [Self.reader] : []) + (isImporter ? [Self.importer] : [])
            + rules.map { "\($0.access.rawValue):\($0.path)" }
    }

    /// - Returns: nil for arguments that are not ``arguments``.
    init?(arguments: some Sequence<String>) {
        rules = []
        for argument in arguments {
            if argument == Self.importer || argument == Self.reader {
                if argument == Self.importer { isImporter = true } else { isReader = true }
                continue
            }
            guard let access = argument.first.flatMap({ Access(rawValue: String($0)) }),
                argument.dropFirst().first == ":"
            else { return nil }
            rules.append(Rule(String(argument.dropFirst(2)), access))
        }
    }
}
