import BatonCore
import Files
import Foundation
import Glibc
import ICalendar

/// The folder with the files of reminders, which other programs change too. Every method blocks; used by its keeper alone.
struct ReminderFolder: Sendable {
    /// Policy: of more files the first by name are read, and it is said.
    static let maximumFiles = 10_000
    /// By this file the folder is known: another disk that is mounted there, or none, is another folder. Hidden, so that no
    /// program takes it for a calendar.
    static let markName = ".baton-reminders"
    private static let maximumMark = 64

    /// A file that is a reminder.
    struct File: Sendable {
        var name: String
        var bytes: [UInt8]
        var todo: CalendarTodo
        var digest: UInt64
    }

    private struct Signature: Hashable, Sendable {
        var number: UInt64
        var size: UInt64
        var modified: Date
    }

    /// The state in which a file was seen, so that only changed ones are read again.
    private struct Entry: Sendable {
        var signature: Signature
        var file: File?
        var problem: String?
        /// It could not be read, which may be otherwise next time.
        var isUncertain = false
    }

    /// The known content of a file.
    enum Content: Hashable {
        case absent
        case digest(UInt64)
        /// Something is there, or may be.
        case unreadable
    }

    let path: String
    /// The contents of its mark; empty for none, and before it was looked for.
    private(set) var mark = ""
    /// Distinguishes it from another folder at the same path.
    var identity: String { mark.isEmpty ? path : path + "#" + mark }
    private var entries: [String: Entry] = [:]

    init(path: String) { self.path = path }

    /// Makes the folder, if need be.
    func prepare() throws(BatonError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw BatonError(
                .unavailable, reason: "no_reminders_folder",
                "The folder of reminders “\(path)” cannot be made. Choose another: baton settings set "
                    + "reminders.folder PATH.")
        }
    }

    /// Reads the folder's mark. A folder that has none gets a new one, and is a new folder.
    /// - Parameter random: for a new one.
    mutating func findMark(random: UInt64 = .random(in: .min ... .max)) {
        let file = path + "/" + Self.markName
        mark = ""
        do throws(BatonError) {
            if let bytes = try AtomicFile.read(file, limit: Self.maximumMark) {
                mark = String(decoding: bytes, as: UTF8.self)
            } else {
                let made = String(random, radix: 36)
                try AtomicFile.write(Array(made.utf8), to: file)
                mark = made
            }
        } catch {
            // A folder that cannot be written to is used without: no deletion there is believed.
        }
    }

    /// Whether the folder is still the one whose mark was read.
    var isThere: Bool {
        let bytes = (try? AtomicFile.read(path + "/" + Self.markName, limit: Self.maximumMark)) ?? []
        return !mark.isEmpty && String(decoding: bytes, as: UTF8.self) == mark
    }

    /// Looks at all files.
    /// - Returns: the reminders by their UID, and what is wrong.
    /// - Throws: `unavailable` while there is no such folder: nothing is known then, and nothing was deleted.
    mutating func scan() throws(BatonError) -> (files: [String: File], problems: [String]) {
        var names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path).filter {
                $0.lowercased().hasSuffix(".ics") && !$0.hasPrefix(".")
            }.sorted()
        } catch {
            throw BatonError(
                .unavailable, reason: "no_reminders_folder", "The folder of reminders “\(path)” cannot be read.")
        }
        var problems: [String] = []
        if names.count > Self.maximumFiles {
            problems.append("There are \(names.count) files; only the first \(Self.maximumFiles) are read.")
            names = Array(names.prefix(Self.maximumFiles))
        }
        var files: [String: File] = [:]
        var next: [String: Entry] = [:]
        for name in names {
            guard let signature = Self.signature(path + "/" + name) else { continue }
            let former = entries[name]
            let entry = former?.signature == signature ? former ?? read(name, signature) : read(name, signature)
            if !entry.isUncertain { next[name] = entry }
            if let problem = entry.problem { problems.append(problem) }
            guard let file = entry.file else { continue }
            if let other = files[file.todo.uid] {
                let isLater = (file.todo.lastModified, file.name) > (other.todo.lastModified, other.name)
                problems.append(
                    "“\(other.name)” and “\(file.name)” are one reminder; “\(isLater ? file.name : other.name)”, which was "
                        + "changed later, counts. Remove the other one.")
                if !isLater { continue }
            }
            files[file.todo.uid] = file
        }
        entries = next
        return (files, problems)
    }

    private func read(_ name: String, _ signature: Signature) -> Entry {
        var entry = Entry(signature: signature)
        do {
            guard signature.size <= CalendarFile.maximumSize else {
                throw CalendarError.tooLarge(bytes: Int(clamping: signature.size))
            }
            guard let bytes = try AtomicFile.read(path + "/" + name, limit: CalendarFile.maximumSize) else {
                entry.isUncertain = true
                return entry
            }
            let file = try CalendarFile(bytes)
            let todos = file.todos
            // A file of events is not ours.
            guard !todos.isEmpty else { return entry }
            guard todos.count == 1 else {
                entry.problem =
                    "“\(name)” has \(todos.count) to-dos; a reminder is a file of one. Save each in a file of its own."
                return entry
            }
            guard let todo = file.todo else {
                entry.problem = "“\(name)” has a to-do without UID."
                return entry
            }
            entry.file = File(name: name, bytes: bytes, todo: todo, digest: ReminderDigest.of(bytes))
            let times = ["DUE", "DTSTART"].compactMap { todos.first?.line($0) }
            if let time = times.first(where: { CalendarDate($0) == nil }), !todo.status.isOver {
                entry.problem =
                    "“\(name)” has a time that cannot be read, “\(time.name):\(time.value.prefix(40))”: it does not count."
            } else if todo.hasUnknownRule, !todo.status.isOver {
                entry.problem = "“\(name)” comes again by a rule that is not understood; it comes once."
            }
        } catch let error as CalendarError {
            entry.problem = "“\(name)” cannot be read. \(error.message)"
        } catch {
            entry.isUncertain = true
            entry.problem = "“\(name)” cannot be read. \((error as? BatonError)?.message ?? "\(error)")"
        }
        return entry
    }

    /// Nil for what is no plain file, or is gone.
    private static func signature(_ path: String) -> Signature? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        return Signature(
            number: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
            size: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
            modified: attributes[.modificationDate] as? Date ?? .distantPast)
    }

    // MARK: Writing

    /// The name of a new file: the UID where it can be one, as vdirsyncer wants it.
    static func name(for id: String) -> String {
        let isPlain =
            id.utf8.count <= 200
            && id.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
                    || "-_.@".utf8.contains($0)
            } && !id.hasPrefix(".")
        return (isPlain ? id : "baton-" + String(ReminderDigest.of(Array(id.utf8)), radix: 36)) + ".ics"
    }

    func write(_ bytes: [UInt8], to name: String) throws(BatonError) {
        try AtomicFile.write(bytes, to: path + "/" + name)
    }

    /// The file's present content.
    func content(of name: String) -> Content {
        do throws(BatonError) {
            guard let bytes = try AtomicFile.read(path + "/" + name, limit: CalendarFile.maximumSize) else {
                return .absent
            }
            return .digest(ReminderDigest.of(bytes))
        } catch {
            return .unreadable
        }
    }

    func remove(_ name: String) { unlink(path + "/" + name) }
}
