import BatonCore
import CLinux
import FileSync
import Glibc

/// The steps of the planner, each with one or two renames. Where the disk is not as a step expects it, nothing is done.
extension ContainerDisk {
    /// - Parameter keeps: what leaves the tree and is to be compared stays in staging; anything else that leaves goes.
    func perform(_ step: DiskStep, keeps: (LocalHandle) -> Bool) -> StepOutcome {
        do {
            for node in step.taken where try isDatabaseInUse(node) {
                failure = DiskFailure("take a database away from under a program", code: EBUSY)
                return .failed
            }
            switch step {
            case .place(let file, let place): return try put(file, at: place)
            case .replace(let file, let old): return try replace(file, over: old, keeps: keeps(old.handle))
            case .substitute(let file, let place, let old): return try substitute(file, at: place, for: old)
            case .move(let old, let place): return try move(old, to: place)
            case .exchange(let first, let second): return try exchange(first, second)
            case .remove(let old): return try remove(old, keeps: keeps(old.handle))
            case .setMetadata(let old, let values): return try set(values, of: old)
            }
        } catch {
            failure = error
            return Self.outcome(of: error)
        }
    }

    /// A changed file is looked at again; a step that fails now is tried again later.
    private static func outcome(of failure: DiskFailure) -> StepOutcome {
        if failure.isObstructed { return .failed }
        return switch failure.code {
        case ENOENT, ENOTDIR, EEXIST, EISDIR, ESTALE, EINVAL, ELOOP, EXDEV, ENOTEMPTY: .changed
        default: .failed
        }
    }

    /// The fingerprint after a rename, which changes the system's own time of the file. Nil where its content may be another one.
    private func fingerprint(at place: LocalPlace, after old: Fingerprint?) throws(DiskFailure) -> Fingerprint? {
        guard let new = try node(at: place)?.fingerprint else { return nil }
        guard let old else { return new }
        return new.size == old.size && new.modified == old.modified ? new : nil
    }

    private func put(_ file: LocalHandle, at place: LocalPlace) throws(DiskFailure) -> StepOutcome {
        if try has(place, file) { return .done(nil) }
        guard let name = staged[file], let node = try look(staging, name), node.handle == file,
            let staged = try? EntryName(name)
        else { return .changed }
        try rename(file, from: LocalPlace(directory: stagingHandle, name: staged), to: place)
        return .done(try fingerprint(at: place, after: node.fingerprint))
    }

    private func replace(
        _ file: LocalHandle, over old: ExpectedNode, keeps: Bool
    ) throws(DiskFailure) -> StepOutcome {
        if try has(old.place, file) { return .done(nil) }
        // A crash came between the log and its database.
        if let name = staged[file], let name = try? EntryName(name) {
            try carry(from: LocalPlace(directory: stagingHandle, name: name), to: old.place)
        }
        // Only this step brings the old one to staging: it was done before a crash, and the new one has been moved since.
        if staged[file] == nil, isStaged(old.handle) { return .done(nil) }
        guard let name = staged[file], let new = try look(staging, name), new.handle == file,
            let staged = try? EntryName(name), try isAt(old)
        else { return .changed }
        let place = LocalPlace(directory: stagingHandle, name: staged)
        // First: what comes must not stand beside the log of what goes.
        try carry(from: old.place, to: place)
        do throws(DiskFailure) {
            try exchange((file, place), (old.handle, old.place))
        } catch {
            try carry(from: place, to: old.place)
            throw error
        }
        // Something else may have got there after it was looked at.
        guard try DiskNode.look(staging.number, name)?.handle.file == old.handle.file else {
            try exchange((old.handle, place), (file, old.place))
            try carry(from: place, to: old.place)
            return .changed
        }
        if !keeps { discard(old.handle) }
        return .done(try fingerprint(at: old.place, after: new.fingerprint))
    }

    private func substitute(
        _ file: LocalHandle, at place: LocalPlace, for old: ExpectedNode
    ) throws(DiskFailure) -> StepOutcome {
        if try has(place, file) { return .done(nil) }
        if !isStaged(old.handle) {
            guard try isAt(old), try node(at: place).map({ $0.handle == old.handle }) ?? true else { return .changed }
            try stash(old)
        }
        let outcome: StepOutcome
        do throws(DiskFailure) {
            outcome = try put(file, at: place)
        } catch {
            failure = error
            outcome = Self.outcome(of: error)
        }
        guard case .done = outcome else {
            try putBack(old)
            return outcome
        }
        return outcome
    }

    /// One that was put into staging goes back, unless something has taken its place.
    func putBack(_ old: ExpectedNode) throws(DiskFailure) {
        guard let name = staged[old.handle], let name = try? EntryName(name) else { return }
        let place = LocalPlace(directory: stagingHandle, name: name)
        try rename(old.handle, from: place, to: old.place)
        try carry(from: place, to: old.place)
    }

    private func stash(_ old: ExpectedNode) throws(DiskFailure) {
        guard let name = try? EntryName(Self.freshName()) else { return }
        let place = LocalPlace(directory: stagingHandle, name: name)
        try rename(old.handle, from: old.place, to: place)
        guard try DiskNode.look(staging.number, name.bytes)?.handle.file == old.handle.file else {
            // Not the one that was looked at: it goes back.
            try rename(old.handle, from: place, to: old.place)
            staged[old.handle] = nil
            throw DiskFailure("move a file", code: ESTALE)
        }
        try carry(from: old.place, to: place)
    }

    // MARK: Databases

    /// Files beside a database go with it.
    private func carry(from source: LocalPlace, to target: LocalPlace) throws(DiskFailure) {
        let (from, to) = (try directory(source.directory), try directory(target.directory))
        for suffix in DatabaseFiles.suffixes {
            let name = source.name.bytes + suffix
            guard name.count <= 255, target.name.bytes.count + suffix.count <= 255,
                from === staging || DatabaseFiles.isBeside(from, name, moved: (to, target.name.bytes))
            else { continue }
            let (old, new) = (
                name.map { CChar(bitPattern: $0) } + [0],
                (target.name.bytes + suffix).map { CChar(bitPattern: $0) } + [0]
            )
            // Where there is none, or one of the database that stands there now, nothing is to be moved.
            guard baton_rename_exclusively(from.number, old, to.number, new) == 0 else { continue }
            note(source.directory, target.directory)
        }
    }

    private func isDatabaseInUse(_ node: ExpectedNode) throws(DiskFailure) -> Bool {
        guard let directory = try? directory(node.place.directory), directory !== staging,
            let found = try? look(directory, node.place.name.bytes), found.handle.file == node.handle.file,
            found.kind == .file, DatabaseFiles.isDatabase(directory, node.place.name.bytes)
        else { return false }
        return DatabaseFiles.isOpen(directory, node.place.name.bytes)
    }

    // MARK: Moving

    private func move(_ old: ExpectedNode, to place: LocalPlace) throws(DiskFailure) -> StepOutcome {
        // A file with several names may be at both.
        if try has(place, old.handle), try !has(old.place, old.handle) {
            try carry(from: old.place, to: place)
            return .done(nil)
        }
        guard try isAt(old) else { return .changed }
        try rename(old.handle, from: old.place, to: place)
        try carry(from: old.place, to: place)
        guard try has(place, old.handle) else { return .changed }
        return .done(try fingerprint(at: place, after: old.fingerprint))
    }

    private func exchange(_ first: ExpectedNode, _ second: ExpectedNode) throws(DiskFailure) -> StepOutcome {
        if try has(second.place, first.handle), try has(first.place, second.handle) {
            return .done(nil)
        }
        guard try isAt(first), try isAt(second) else { return .changed }
        guard let name = try? EntryName(Self.freshName()) else { return .failed }
        let aside = LocalPlace(directory: stagingHandle, name: name)
        try carry(from: first.place, to: aside)
        try exchange((first.handle, first.place), (second.handle, second.place))
        try carry(from: second.place, to: first.place)
        try carry(from: aside, to: second.place)
        return .done(try fingerprint(at: second.place, after: first.fingerprint))
    }

    private func remove(_ old: ExpectedNode, keeps: Bool) throws(DiskFailure) -> StepOutcome {
        if isStaged(old.handle) { return try isBack(old) ? .changed : .done(nil) }
        guard try isAt(old), let node = try node(at: old.place) else { return .changed }
        if node.kind == .directory {
            do throws(DiskFailure) {
                try unlink(old.place, old.handle, isDirectory: true)
            } catch {
                // Something that is not synced is in it: it stays until that is gone, and is not looked at in a loop.
                if error.code == ENOTEMPTY {
                    failure = error
                    return .failed
                }
                throw error
            }
        } else if keeps || node.kind == .package {
            // A package goes whole.
            try stash(old)
            if !keeps { discard(old.handle) }
        } else if DatabaseFiles.isDatabase(try directory(old.place.directory), old.place.name.bytes) {
            // With all that is beside it.
            try stash(old)
            discard(old.handle)
        } else {
            try unlink(old.place, old.handle, isDirectory: false)
        }
        return .done(nil)
    }

    /// People may have put files into a directory just before it left the tree: it goes back, so that they are found.
    private func isBack(_ old: ExpectedNode) throws(DiskFailure) -> Bool {
        guard let name = staged[old.handle], let place = try? EntryName(name),
            let node = try look(staging, name), node.handle == old.handle, node.kind == .directory,
            let folder = try? PackageTree.open(name, in: staging), try !names(in: folder.number).isEmpty
        else { return false }
        try rename(
            old.handle, from: LocalPlace(directory: stagingHandle, name: place),
            to: LocalPlace(directory: rootHandle, name: place))
        return true
    }

    private func set(
        _ values: [MetadataKey: ByteString], of old: ExpectedNode
    ) throws(DiskFailure) -> StepOutcome {
        guard try isAt(old), let node = try node(at: old.place) else { return .changed }
        guard !values.isEmpty else { return .done(node.fingerprint) }
        let directory = try directory(old.place.directory)
        if node.kind == .symbolicLink {
            if let time = values[.modified] {
                try FileAttributes.writeTime(time, to: directory.number, old.place.name.bytes)
            }
        } else {
            let file = try readable(directory, old.place.name.bytes)
            defer { withExtendedLifetime(file) {} }
            try FileAttributes.write(values, to: file.number)
            fsync(file.number)
        }
        guard let after = try self.node(at: old.place), after.handle.file == old.handle.file else { return .changed }
        // A person may have written meanwhile. Where the time is set it cannot show that, so the content is read again.
        let isSame =
            after.fingerprint.size == node.fingerprint.size
            && (node.kind != .file
                || (values[.modified] == nil && after.fingerprint.modified == node.fingerprint.modified))
        return .done(isSame ? after.fingerprint : nil)
    }

    /// Opens a file whose owner may not read it, too: its mode is what is to be set, or it is on its way out.
    private func readable(_ directory: OpenNode, _ name: [UInt8]) throws(DiskFailure) -> OpenNode {
        let path = name.map { CChar(bitPattern: $0) } + [0]
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let number = openat(directory.number, path, flags)
        if number >= 0 || errno != EACCES { return try OpenNode(number, "open a file") }
        makeReadable(directory, name)
        return try OpenNode(openat(directory.number, path, flags), "open a file")
    }

    /// Lets its owner read a file.
    func makeReadable(_ directory: OpenNode, _ name: [UInt8]) {
        guard let node = try? DiskNode.look(directory.number, name), node.kind == .file else { return }
        _ = fchmodat(
            directory.number, name.map { CChar(bitPattern: $0) } + [0], node.mode | 0o400, AT_SYMLINK_NOFOLLOW)
    }
}

extension DiskStep {
    /// The nodes that the step takes from their places.
    fileprivate var taken: [ExpectedNode] {
        switch self {
        case .place, .setMetadata: []
        case .replace(_, let old), .substitute(_, _, let old), .move(let old, _), .remove(let old): [old]
        case .exchange(let first, let second): [first, second]
        }
    }
}
