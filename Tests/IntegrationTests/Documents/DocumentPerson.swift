import BatonTestSupport
import Foundation
import Glibc
import Synchronization

/// The contents that people saved in a run, and those of them that they replaced or deleted themselves.
final class SavedContents: Sendable {
    private struct State {
        var saved: Set<String> = []
        var gone: Set<String> = []
        var last = 0
        /// The line of the file that was at a path, before it was deleted or moved.
        var lines: [String: String] = [:]
        /// Lines of which one came to the path that the other one had left: they may be versions of one file.
        var joined: [String: Set<String>] = [:]
        /// People's actions, for a content that is lost.
        var acts: [String] = []
    }

    private let start = ContinuousClock.now

    private let state = Mutex(State())

    /// A new content of a file; what follows from one file begins with the same word.
    func next(of line: String?, by device: String) -> String {
        state.withLock { state in
            state.last += 1
            return "\(line ?? "\(device)\(state.last)").\(device)\(state.last)"
        }
    }

    func saved(_ content: String, replacing old: String?) {
        state.withLock { state in
            state.saved.insert(content)
            if let old { state.gone.insert(old) }
        }
    }

    /// Deleting a file deletes the conflict versions of it, too, that the device has.
    func deleted(_ content: String) {
        releaseVersions(of: content)
        state.withLock { _ = $0.gone.insert(content) }
    }

    /// A file that was put in the place of another one, and moved before a scan saw it there, is a new file: the other one is deleted.
    func moved(_ content: String) { releaseVersions(of: content) }

    private func releaseVersions(of content: String) {
        let line = String(content.prefix { $0 != "." })
        state.withLock { state in
            let lines = state.joined[line, default: []].union([line])
            for other in state.saved where other != content && lines.contains(where: { other.hasPrefix("\($0).") }) {
                state.gone.insert(other)
            }
        }
    }

    /// A file that moves to where another one was may count as its next version, like a new one.
    func came(_ path: String, _ line: String?) {
        state.withLock { state in
            guard let line, let other = state.lines[path], other != line else { return }
            state.joined[line, default: []].insert(other)
            state.joined[other, default: []].insert(line)
        }
    }

    /// A new file where another one was may count as its next version: conflict versions go with either.
    func left(_ path: String, _ line: String?) { state.withLock { $0.lines[path] = line } }
    func line(at path: String) -> String? { state.withLock { $0.lines[path] } }

    func note(_ act: String) {
        let time = ContinuousClock.now - start
        state.withLock { $0.acts.append("\(time) \(act)") }
    }

    /// The actions with these contents, and at the places where they were.
    func story(of contents: Set<String>) -> String {
        let acts = state.withLock { $0.acts }
        let lines = contents.map { $0.prefix { $0 != "." } + "." }
        let told = acts.filter { act in lines.contains { act.contains($0) } }
        let places = Set(told.flatMap { $0.split(separator: " ").filter { $0.hasSuffix(".txt") } })
        return acts.filter { act in
            told.contains(act) || places.union([" folder ", " killed"]).contains { act.contains($0) }
        }
        .joined(separator: "\n")
    }

    var count: Int { state.withLock { $0.saved.count } }
    /// Those that must be there.
    var expected: Set<String> { state.withLock { $0.saved.subtracting($0.gone) } }
}

/// A person at a device, who creates, edits, moves and deletes files at random. The content that a change replaces is known for sure: it is read from
/// what was opened, or from what went out of the container.
struct DocumentPerson {
    private static let folders = ["", "a/", "b/", "a/deep/"]
    private static let names = 12

    let container: TestContainer
    let saved: SavedContents
    /// Outside of the container, on the same file system.
    let outside: String
    var random: SeededGenerator
    private var count = 0
    /// The files, by inode, that took the place of others.
    private var replacements: Set<UInt64> = []

    init(_ container: TestContainer, _ saved: SavedContents, seed: UInt64) throws {
        self.container = container
        self.saved = saved
        outside = container.device.home + "/outside"
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        random = SeededGenerator(seed: seed)
    }

    private var device: String { ["A", "B", "C"][container.device.machine] }

    mutating func act() {
        let (path, other) = (somewhere(), somewhere())
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<6: create(path)
        case 6..<11: edit(path)
        case 11..<14: save(path)
        case 14..<17: move(path, to: other)
        case 17: delete(path)
        case 18: moveFolder()
        default: chmod(path, [0o600, 0o644, 0o640].randomElement(using: &random) ?? 0o600)
        }
    }

    private mutating func somewhere() -> String {
        let folder = Self.folders.randomElement(using: &random) ?? ""
        return container.path("\(folder)\(Int.random(in: 0..<Self.names, using: &random)).txt")
    }

    /// Some are too large for an entry.
    private mutating func text(_ content: String) -> [UInt8] {
        let lines = Int.random(in: 0..<4, using: &random) == 0 ? 3000 : 3
        return Array(String(repeating: content + "\n", count: lines).utf8)
    }

    static func content(_ bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let first = lines.first, lines.allSatisfy({ $0 == first }) else { return nil }
        return String(first)
    }

    private static func line(of content: String?) -> String? { content.map { String($0.prefix { $0 != "." }) } }

    private static func read(_ descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    private static func inode(_ path: String) -> UInt64? {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private mutating func create(_ path: String) {
        try? FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return }
        let content = saved.next(of: saved.line(at: path), by: device)
        let bytes = text(content)
        if write(descriptor, bytes, bytes.count) == bytes.count { saved.saved(content, replacing: nil) }
        note("creates \(content).", path)
        close(descriptor)
    }

    /// In place.
    private mutating func edit(_ path: String) {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let old = Self.content(Self.read(descriptor))
        let content = saved.next(of: Self.line(of: old), by: device)
        let bytes = text(content)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { return }
        saved.saved(content, replacing: old)
        note("edits \(old ?? "?"). to \(content).", path)
    }

    /// A new file takes the place; the one before goes out of the container in the same moment.
    private mutating func save(_ path: String) {
        count += 1
        let next = "\(outside)/\(count)"
        guard let old = FileManager.default.contents(atPath: path).flatMap({ Self.content(Array($0)) }) else { return }
        let content = saved.next(of: Self.line(of: old), by: device)
        guard FileManager.default.createFile(atPath: next, contents: Data(text(content))),
            let inode = Self.inode(next), renameat2(next, path, exchanging: true)
        else { return }
        replacements.insert(inode)
        let replaced = FileManager.default.contents(atPath: next).flatMap { Self.content(Array($0)) }
        saved.saved(content, replacing: replaced)
        note("saves \(content). over \(replaced ?? "?").", path)
    }

    private func move(_ path: String, to other: String) {
        try? FileManager.default.createDirectory(
            atPath: (other as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        guard renameat2(path, other, exchanging: false) else { return }
        note("moves to \(shown(other))", path)
        let content = FileManager.default.contents(atPath: other).flatMap { Self.content(Array($0)) }
        if let content, let inode = Self.inode(other), replacements.contains(inode) { saved.moved(content) }
        let line = Self.line(of: content)
        saved.came(other, line)
        saved.left(path, line)
    }

    private func shown(_ path: String) -> String { String(path.dropFirst(container.path("").count)) }

    private func note(_ act: String, _ path: String) { saved.note("\(device) \(shown(path)) \(act)") }

    private mutating func delete(_ path: String) {
        count += 1
        let target = "\(outside)/\(count)"
        guard rename(path, target) == 0 else { return }
        let content = FileManager.default.contents(atPath: target).flatMap { Self.content(Array($0)) }
        note("deletes \(content ?? "?").", path)
        saved.left(path, Self.line(of: content))
        if let content { saved.deleted(content) }
    }

    private mutating func moveFolder() {
        let names = ["a", "b", "c", "a/deep", "b/deep"].map(container.path)
        guard let from = names.randomElement(using: &random), let to = names.randomElement(using: &random) else {
            return
        }
        if renameat2(from, to, exchanging: false) { note("moves the folder to \(shown(to))", from) }
    }

    /// - Returns: whether it was done. Without an exchange, never over something.
    private func renameat2(_ from: String, _ to: String, exchanging: Bool) -> Bool {
        typealias Function = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
        guard let symbol = dlsym(nil, "renameat2") else { return false }
        return unsafeBitCast(symbol, to: Function.self)(AT_FDCWD, from, AT_FDCWD, to, exchanging ? 2 : 1) == 0
    }

    private func chmod(_ path: String, _ mode: mode_t) { _ = Glibc.chmod(path, mode) }
}
