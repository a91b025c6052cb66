package import BatonCore
// With Glibc: the C types count as those of the module that includes their header first.
import CoreFoundation
package import Files
import Foundation
import Glibc

/// An app's `Documents/Inbox`: files from elsewhere, which the app may read and delete, and not change.
package struct Inbox: Sendable {
    private let container: String
    private let directory: String
    private let reserve: UInt64

    /// - Parameters:
    ///   - container: the app's.
    ///   - directory: where its files are, to which `Documents/Inbox` in the container is a link.
    ///   - reserve: bytes of the disk that stay free for everything else.
    package init(container: String, directory: String, reserve: UInt64 = 32 << 20) {
        self.container = container
        self.directory = directory
        self.reserve = reserve
    }

    /// As the app sees it: by the link, unless it put something else there.
    private var shownPath: String {
        let target = try? DirectoryHandle(path: container).directory("Documents").linkTarget(of: "Inbox")
        return target == Array(directory.utf8) ? container + "/Documents/Inbox" : directory
    }

    /// Copies a file here under its name, or one that is free: `note.txt`, `note-1.txt`. Blocks.
    ///
    /// The copy appears whole: until then it is a hidden file. It is never written over another file, and never through
    /// a link that the app put in the way. Holes of the file stay holes.
    /// - Parameter isWanted: asked now and then; once it says no, the copy ends, and nothing stays of it.
    /// - Returns: its absolute path.
    package func add(
        fileAt path: String, isWanted: @Sendable () -> Bool = { true }
    ) throws(BatonError) -> String {
        let source = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard source >= 0 else { throw Self.unreadable(path) }
        defer { close(source) }
        return try add(source, path, isWanted)
    }

    /// As above, for a file that is open.
    package func add(_ file: OpenFile, isWanted: @Sendable () -> Bool = { true }) throws(BatonError) -> String {
        try add(file.descriptor, file.path, isWanted)
    }

    /// As above, for a file that the person picked for the app.
    /// - Parameter containers: in these folders apps may have put links, which are not followed.
    package func add(
        picked path: String, containers: [String], isWanted: @Sendable () -> Bool = { true }
    ) throws(BatonError) -> String {
        let source = try PickedFile.open(path, containers: containers)
        defer { close(source) }
        return try add(source, path, isWanted)
    }

    /// As above, for a file that this device has received: moved here where the file system allows it, else copied.
    package func take(_ received: ReceivedFile) throws(BatonError) -> String {
        let name = try Self.safeName(received.path)
        let directory = try DirectoryHandle(path: directory)
        let temporary = Self.temporaryName()
        guard received.link(temporary, in: directory) else { return try add(received.content) }
        do throws(BatonError) {
            let file = received.content
            // Like a copy it is new here.
            guard futimens(file.descriptor, nil) == 0, fchmod(file.descriptor, 0o444) == 0 else {
                throw Self.unwritable(received.path)
            }
            try file.synchronize()
            let final = try Self.place(temporary, as: name, in: directory)
            received.removeName()
            try directory.synchronize()
            return "\(shownPath)/\(final)"
        } catch {
            unlinkat(directory.descriptor, temporary, 0)
            received.restoreAttributes()
            throw error
        }
    }

    /// Removes what a daemon that was killed left half copied. Blocks.
    package func removeUnfinished() {
        guard let handle = try? DirectoryHandle(path: directory),
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
        else { return }
        for name in names where name.hasPrefix(".") && name.hasSuffix(".part") {
            unlinkat(handle.descriptor, name, 0)
        }
    }

    private func add(
        _ source: Int32, _ path: String, _ isWanted: @Sendable () -> Bool
    ) throws(BatonError) -> String {
        let name = try Self.safeName(path)
        var status = stat()
        guard fstat(source, &status) == 0 else { throw Self.unreadable(path) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Self.noFile(path)
        }
        let directory = try DirectoryHandle(path: directory)
        let temporary = Self.temporaryName()
        let file = try directory.createFile(temporary, mode: 0o600)
        do throws(BatonError) {
            let copy = FileCopy(source: source, target: file, path: path, reserve: reserve)
            try copy.run(size: Int64(status.st_size), isWanted: isWanted)
            guard fchmod(file.descriptor, 0o444) == 0 else { throw Self.unwritable(path) }
            try file.synchronize()
            let final = try Self.place(temporary, as: name, in: directory)
            try directory.synchronize()
            return "\(shownPath)/\(final)"
        } catch {
            unlinkat(directory.descriptor, temporary, 0)
            throw error
        }
    }

    private static func temporaryName() -> String { ".\(String(UInt64.random(in: .min ... .max), radix: 36)).part" }

    /// Gives the copy its name, without ever replacing what is there.
    private static func place(
        _ temporary: String, as name: String, in directory: DirectoryHandle
    ) throws(BatonError) -> String {
        for number in 0..<10_000 {
            let candidate = number == 0 ? name : numbered(name, number)
            if linkat(directory.descriptor, temporary, directory.descriptor, candidate, 0) == 0 {
                unlinkat(directory.descriptor, temporary, 0)
                return candidate
            }
            guard errno == EEXIST else { throw unwritable(name) }
        }
        throw BatonError(
            .resourceExhausted, reason: "inbox_full", "The app's Inbox has too many files called “\(name)”.")
    }

    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name)-\(number)" }
        return "\(name[..<dot])-\(number)\(name[dot...])"
    }

    /// The file's own name. Characters that would hide it, or show it as another name, are refused.
    private static func safeName(_ path: String) throws(BatonError) -> String {
        let name = String(path.split(separator: "/").last ?? "")
        let isVisible = name.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control && !(0x202A...0x202E).contains(scalar.value)
                && !(0x2066...0x2069).contains(scalar.value)
        }
        guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 240, isVisible else {
            throw BatonError(
                .invalidArgument, reason: "invalid_file_name",
                "A file called “\(PrintableName.escaped(name.shortened(toBytes: 80)))” cannot be handed to an app. "
                    + "Rename it.")
        }
        return name
    }

    static func noFile(_ path: String) -> BatonError {
        BatonError(
            .invalidArgument, reason: "not_a_file",
            "“\(PrintableName.escaped(path))” is no ordinary file, so it cannot be handed to an app.")
    }

    static func unreadable(_ path: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "file_unreadable",
            "“\(PrintableName.escaped(path))” cannot be read: \(String(cString: strerror(errno))).")
    }

    private static func unwritable(_ path: String) -> BatonError {
        BatonError(
            .failedPrecondition, reason: "inbox_unwritable",
            "“\(PrintableName.escaped(path))” cannot be put into the app's Inbox: \(String(cString: strerror(errno))).")
    }
}
