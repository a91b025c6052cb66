import CLinux
import Foundation
import Glibc

/// The desktop's trash, as freedesktop's Trash specification 1.0 has it: an item goes to the trash of the file system that it is on, so
/// that it is renamed and never copied.
struct Trash: Sendable {
    /// `$XDG_DATA_HOME`.
    var dataHome: String
    var user: uid_t
    /// A confined app may not put anything where the person's other programs look.
    var isConfined: Bool
    var now: @Sendable () -> Date = { Date() }

    /// The person's.
    static var current: Trash {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? NSHomeDirectory()
        let given = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let hasContainer = environment["BATON_CONTAINER"].map { !$0.isEmpty } ?? false
        return Trash(
            dataHome: given ?? home + "/.local/share", user: getuid(),
            isConfined: hasContainer && SharingTools.process.isConfined())
    }

    /// One folder of trash.
    private struct Can {
        var folder: String
        /// The paths of items are written relative to it; nil for absolute ones.
        var top: String?
    }

    /// Moves an item, or a link itself, to the trash.
    /// - Returns: where it is now.
    func take(_ url: URL) throws -> URL {
        guard url.isFileURL else {
            throw DocumentErrors.cocoa(.fileWriteUnsupportedScheme, "Only files go to the trash.", url)
        }
        guard !isConfined else {
            throw DocumentErrors.cocoa(
                .featureUnsupported, "An app in a sandbox has no trash. Remove the item, or keep it elsewhere.",
                url)
        }
        // The item's own name is not followed where it is a link.
        let name = url.standardizedFileURL.lastPathComponent
        let parent = url.standardizedFileURL.deletingLastPathComponent().resolvingSymlinksInPath().path
        let path = parent == "/" ? "/" + name : "\(parent)/\(name)"
        guard !name.isEmpty, name != "/", let device = Self.device(path) else {
            throw DocumentErrors.cocoa(.fileNoSuchFile, "“\(name)” does not exist.", url)
        }
        do {
            let can = try can(for: path, device)
            guard !can.folder.hasPrefix(path + "/"), can.folder != path, !path.hasPrefix(can.folder + "/") else {
                throw DocumentErrors.cocoa(
                    .featureUnsupported, "“\(name)” is in the trash, or holds it, and cannot be put there.", url)
            }
            return URL(fileURLWithPath: try put(path, name, into: can))
        } catch let failure as DurableFile.Failure {
            throw DocumentErrors.file(failure, isWriting: true)
        }
    }

    // MARK: Which trash

    private func can(for path: String, _ device: dev_t) throws -> Can {
        let own = dataHome + "/Trash"
        // A home that cannot be written to has no trash; the file system of the item may have one.
        if (try? Self.prepare(own, user)) != nil, Self.device(own) == device { return Can(folder: own, top: nil) }
        var top = path
        while top != "/" {
            let parent = (top as NSString).deletingLastPathComponent
            guard Self.device(parent) == device else { break }
            top = parent
        }
        guard top != path else {
            throw DocumentErrors.cocoa(
                .featureUnsupported, "A whole file system cannot go to the trash.", URL(fileURLWithPath: path))
        }
        let base = top == "/" ? "" : top
        // One that the administrator has made for all, which must be sticky and no link.
        if let mode = Self.mode(base + "/.Trash"), mode & S_IFMT == S_IFDIR, mode & mode_t(S_ISVTX) != 0 {
            let shared = "\(base)/.Trash/\(user)"
            if (try? Self.prepare(shared, user)) != nil { return Can(folder: shared, top: base) }
        }
        let folder = "\(base)/.Trash-\(user)"
        do {
            try Self.prepare(folder, user)
        } catch {
            guard [EACCES, EPERM, ENOENT, EROFS, ENOTDIR].contains(error.code) else { throw error }
            throw DocumentErrors.cocoa(
                .featureUnsupported, "The file system of “\((path as NSString).lastPathComponent)” has no trash.",
                URL(fileURLWithPath: path))
        }
        return Can(folder: folder, top: base)
    }

    /// Makes the folders, for the user alone. One that is another user's, or a link, is refused.
    private static func prepare(_ folder: String, _ user: uid_t) throws(DurableFile.Failure) {
        // Only the person's own folders above may be missing, as those of a new account.
        let parent = (folder as NSString).deletingLastPathComponent
        if folder.hasSuffix("/Trash") {
            try? FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for path in [folder, folder + "/files", folder + "/info"] {
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw DurableFile.Failure(code: errno, path: path) }
            var status = stat()
            guard lstat(path, &status) == 0 else { throw DurableFile.Failure(code: errno, path: path) }
            guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == user else {
                throw DurableFile.Failure(code: EACCES, path: path)
            }
        }
    }

    private static func device(_ path: String) -> dev_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_dev : nil
    }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    // MARK: Putting it there

    /// The most names that are tried. Policy: an error after that.
    private static let maximumTries = 10_000

    /// The information is written first, and only one program can write it: so no name is taken twice.
    private func put(_ path: String, _ name: String, into can: Can) throws -> String {
        let told = can.top.map { String(path.dropFirst($0.utf8.count + 1)) } ?? path
        let text = Array(Self.information(path: told, deleted: now()).utf8)
        for number in 1...Self.maximumTries {
            let candidate = Self.name(name, number)
            let information = "\(can.folder)/info/\(candidate).trashinfo"
            let failure = text.withUnsafeBytes { bytes -> DurableFile.Failure? in
                do throws(DurableFile.Failure) {
                    try DurableFile.create(information, mode: 0o600, bytes)
                    return nil
                } catch {
                    return error
                }
            }
            if let failure {
                if failure.code == EEXIST { continue }
                throw failure
            }
            let target = "\(can.folder)/files/\(candidate)"
            if baton_rename_exclusively(AT_FDCWD, path, AT_FDCWD, target) == 0 {
                DurableFile.syncDirectory(of: target)
                return target
            }
            let code = errno
            unlink(information)
            if code != EEXIST { throw DurableFile.Failure(code: code, path: path) }
        }
        throw DurableFile.Failure(code: EEXIST, path: path)
    }

    /// `Picture.png`, `Picture 2.png` and so on, short enough for a file system with `.trashinfo` behind it.
    static func name(_ name: String, _ number: Int) -> String {
        let (stem, suffix) = ((name as NSString).deletingPathExtension, (name as NSString).pathExtension)
        let tail = (number > 1 ? " \(number)" : "") + (suffix.isEmpty || stem.isEmpty ? "" : "." + suffix)
        var beginning = stem.isEmpty || suffix.isEmpty ? name : stem
        while beginning.utf8.count + tail.utf8.count > 240, !beginning.isEmpty { beginning.removeLast() }
        return beginning + tail
    }

    static func information(path: String, deleted: Date, in zone: TimeZone = .current) -> String {
        // As RFC 2396 has it: all but these and “/” is escaped.
        var allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        allowed.insert(charactersIn: "-_.!~*'()/")
        let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: deleted)
        func two(_ number: Int?) -> String {
            let text = String(number ?? 0)
            return text.count < 2 ? "0" + text : text
        }
        let date = "\(parts.year ?? 1970)-\(two(parts.month))-\(two(parts.day))"
        let time = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
        return "[Trash Info]\nPath=\(escaped)\nDeletionDate=\(date)T\(time)\n"
    }
}
