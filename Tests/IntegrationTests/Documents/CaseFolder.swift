import BatonTestSupport
import Foundation
import Glibc

/// The part of a container in which one case of `document-cases.md` happens.
struct CaseFolder: Sendable {
    let container: TestContainer
    let name: String
    /// Whether a daemon runs that sees each change.
    var isSeen = true

    private var root: String { container.path(name) }
    func path(_ file: String) -> String { "\(root)/\(file)" }

    // MARK: What a program does

    func make() throws { try directory("") }

    /// The file is written in place, as simple programs do.
    func write(_ text: String, to file: String) throws {
        let descriptor = open(path(file), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw IntegrationFailure("\(path(file)): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
            throw IntegrationFailure("\(path(file)) cannot be written.")
        }
    }

    /// A temporary file takes the place of the one before.
    func save(_ text: String, to file: String) throws {
        try write(text, to: "\(file).tmp")
        try check(rename(path("\(file).tmp"), path(file)), file)
    }

    func directory(_ file: String) throws {
        try FileManager.default.createDirectory(atPath: path(file), withIntermediateDirectories: true)
    }

    func move(_ file: String, to target: String) throws { try check(rename(path(file), path(target)), file) }

    /// Out of the container.
    func moveOut(_ file: String) throws {
        let target = "\(container.device.home)/\(name)-\(file)"
        try check(rename(path(file), target), file)
    }

    func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: path(file)) }
    func link(_ target: String, at file: String) throws { try check(symlink(target, path(file)), file) }
    func hardLink(_ file: String, at other: String) throws { try check(Glibc.link(path(file), path(other)), other) }
    func setMode(_ mode: mode_t, of file: String) throws { try check(chmod(path(file), mode), file) }

    private func check(_ result: Int32, _ file: String) throws {
        guard result == 0 else { throw IntegrationFailure("\(path(file)): \(String(cString: strerror(errno)))") }
    }

    /// Waits until the daemon, if it runs, has seen a content of this size.
    func isNoticed(_ file: String, size: Int) async throws {
        guard isSeen else { return }
        try await container.device.until("\(container.device.name) to notice \(path(file))") {
            try await container.sizes(of: "\(name)/\(file)").first == UInt64(size)
        }
    }

    func restoreOldest(_ file: String) async throws { try await container.restoreOldest("\(name)/\(file)") }

    // MARK: The result

    /// Names of conflicts without day, device and identifier, and characters that are not ASCII by their numbers: the two forms of a
    /// name are equal texts.
    private static func shown(_ file: String) -> String {
        file.replacing(#/ \(conflict [^()]*\)/#, with: " (conflict)").replacing(#/n{200,} /#, with: "n… ")
            .unicodeScalars.map { $0.isASCII ? String($0) : "{\(String($0.value, radix: 16))}" }.joined()
    }

    var tree: [String: String] {
        var tree: [String: String] = [:]
        for file in (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? [] {
            let shown = Self.shown(file)
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path(file)) {
                tree[shown] = "-> \(target)"
                continue
            }
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path(file), isDirectory: &isDirectory)
            let bytes = isDirectory.boolValue ? nil : FileManager.default.contents(atPath: path(file))
            tree[shown] = bytes.map { String(decoding: $0, as: UTF8.self) } ?? "/"
        }
        return tree
    }

    func attribute<Value>(_ key: FileAttributeKey, of file: String) -> Value? {
        (try? FileManager.default.attributesOfItem(atPath: path(file)))?[key] as? Value
    }

    func mode(of file: String) -> Int? { attribute(.posixPermissions, of: file) }
    func number(of file: String) -> UInt64? { attribute(.systemFileNumber, of: file) }

    /// Every content that is kept under a name.
    func contents(of file: String) async throws -> Set<String> {
        Set(try await container.contents(of: "\(name)/\(file)"))
    }
}
