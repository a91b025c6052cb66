import BatonCore
import Foundation

/// The files that make browsers start the extension's host. Blocks.
struct BrowserHostFiles {
    /// `baton` itself.
    let executable: String
    /// The value for `--home`; nil for the XDG directories.
    let home: String?
    let locations: Locations

    enum Change: String {
        case written, unchanged, removed, absent
    }

    /// A manifest names a program and no arguments, so a script of two lines stands in between.
    var programPath: String { locations.data + "/browser-host" }

    private var program: [UInt8] {
        let home = home.map { " --home \(Self.quoted($0))" } ?? ""
        return Array(
            """
            #!/bin/sh
            # Written by “baton browse install”, which writes it anew after Baton was moved.
            exec \(Self.quoted(executable)) browse host\(home) -- "$@"

            """.utf8)
    }

    func install(_ browsers: [Browser]) throws(BatonError) -> [Change] {
        try Self.makeFolder(locations.data, mode: 0o700)
        _ = try Self.write(program, to: programPath, mode: 0o700)
        var changes: [Change] = []
        for browser in browsers {
            try Self.makeFolder(browser.hostsFolder, mode: 0o700)
            changes.append(
                try Self.write(browser.manifest(program: programPath), to: browser.manifestPath, mode: 0o600))
        }
        return changes
    }

    /// - Parameter all: every browser that may still need the program.
    func remove(_ browsers: [Browser], all: [Browser]) throws(BatonError) -> [Change] {
        var changes: [Change] = []
        for browser in browsers { changes.append(try Self.delete(browser.manifestPath)) }
        let isNeeded = all.contains { FileManager.default.fileExists(atPath: $0.manifestPath) }
        if !isNeeded { _ = try Self.delete(programPath) }
        return changes
    }

    /// For a POSIX shell.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }

    // MARK: Files

    private static func makeFolder(_ path: String, mode: Int) throws(BatonError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: mode])
        } catch {
            throw failure("The folder “\(path)” could not be made. Is the one around it yours?", error)
        }
    }

    /// Puts a file in the place of what is there: either is whole, with its mode, whatever happens.
    private static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws(BatonError) -> Change {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let isSame = (attributes?[.posixPermissions] as? NSNumber)?.uint32Value == UInt32(mode)
        if isSame, FileManager.default.contents(atPath: path) == Data(bytes) { return .unchanged }
        let temporary = "\(path).\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw failure("“\(path)” could not be written: \(lastError).") }
        do {
            defer { close(descriptor) }
            try FileDescriptorSink(descriptor).write(bytes)
            guard fchmod(descriptor, mode) == 0, fsync(descriptor) == 0, rename(temporary, path) == 0 else {
                throw failure("“\(path)” could not be written: \(lastError).")
            }
        } catch {
            unlink(temporary)
            throw failure("“\(path)” could not be written. Is there room, and is its folder yours?", error)
        }
        return .written
    }

    private static func delete(_ path: String) throws(BatonError) -> Change {
        guard unlink(path) != 0 else { return .removed }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw failure("“\(path)” could not be removed: \(lastError).")
        }
        return .absent
    }

    private static var lastError: String { String(cString: strerror(errno)) }

    private static func failure(_ message: String, _ cause: (any Error)? = nil) -> BatonError {
        if let error = cause as? BatonError { return error }
        return BatonError(.failedPrecondition, reason: "file_not_written", message, cause: cause)
    }
}
