import BatonCore
import Files
import Glibc

/// An open bundle.
struct BundleDirectory {
    let root: DirectoryHandle
    /// `Name.app`.
    let name: String

    init(path: String) throws(BatonError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard let last = path.split(separator: "/").last, last.hasSuffix(".app"), last != ".app" else {
            throw BatonError(
                .invalidArgument, reason: "not_a_bundle",
                "“\(PrintableName.escaped(path))” is not a bundle: its name must end with “.app”.")
        }
        name = String(last)
        if let problem = PrintableName.problem(Array(name.utf8)) {
            throw BatonError(
                .invalidArgument, reason: "not_a_bundle",
                "The name of the bundle “\(PrintableName.escaped(name))” \(problem). Rename it.")
        }
        root = try DirectoryHandle(path: path)
    }

    /// Reads the bundle's own description, from files whose hashes match the manifest.
    func info(_ resources: CodeResources) throws(BatonError) -> BundleInfo {
        guard let infoPlist = try verifiedFile(BundleFile.info, resources) else {
            throw BatonError(
                .invalidArgument, reason: "bundle_invalid", "The bundle has no Info.plist. Every app needs one.")
        }
        let info = try BundleInfo(
            infoPlist: infoPlist, entitlements: try verifiedFile(BundleFile.entitlements, resources),
            bundleName: name)
        guard case .file(_, _, isExecutable: true) = resources.entries[info.executable] else {
            throw BatonError(
                .invalidArgument, reason: "bundle_invalid",
                "The executable “\(PrintableName.escaped(info.executable))” that Info.plist names is not an executable "
                    + "file of the bundle. Put it there, with the mode 755.")
        }
        try checkProgram(info.executable)
        return info
    }

    /// A running app is known by its program, which the kernel names: of a script it names the interpreter, the same
    /// for everybody's scripts.
    private func checkProgram(_ name: String) throws(BatonError) {
        var beginning: [UInt8] = []
        try root.file(name).forEachPiece { piece in
            beginning = Array(piece.prefix(4))
            return false
        }
        if beginning == [0x7F, 0x45, 0x4C, 0x46] { return }
        let isScript = beginning.starts(with: [0x23, 0x21])
        throw BatonError(
            .invalidArgument, reason: "executable_not_a_program",
            "The executable “\(PrintableName.escaped(name))” is \(isScript ? "a script" : "not a program") and cannot be "
                + "an app: a running app is known by its program, and "
                + (isScript ? "the program of a script is its interpreter. " : "this file is not one. ")
                + "Name a compiled program (ELF) as CFBundleExecutable.")
    }

    private func verifiedFile(_ name: String, _ resources: CodeResources) throws(BatonError) -> [UInt8]? {
        guard let entry = resources.entries[name] else { return nil }
        let bytes = try root.file(name).contents(limit: BundleLimits.plistSize)
        guard case .file(BundleHash.sha256(of: bytes), _, _) = entry else {
            var problems = BundleProblems()
            problems.add(name, "was changed")
            throw CodeVerifier.tampered(problems)
        }
        return bytes
    }
}
