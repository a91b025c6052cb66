import FileSync

/// Two devices, A and B, that had a tree in common, change it apart, and meet. Either one hears first.
final class CaseWorld {
    let world: FileSyncWorld
    let a: Int
    let b: Int

    init(isSwapped: Bool, policy: ConflictPolicy = .files, traits: FileSystemTraits = FileSystemTraits()) {
        (a, b) = isSwapped ? (1, 0) : (0, 1)
        world = FileSyncWorld(
            devices: 2, policy: policy,
            traits: isSwapped ? [traits, FileSystemTraits()] : [FileSystemTraits(), traits])
    }

    func node(_ device: Int, _ path: String) -> UInt64 {
        var current = SimulatedDisk.root
        for name in path.split(separator: "/") {
            guard let child = world.replicas[device].disk.child(current, EntryName(unchecked: Array(name.utf8))) else {
                return 0
            }
            current = child.handle
        }
        return current
    }

    private func split(_ path: String) -> (directory: String, name: EntryName) {
        let parts = path.split(separator: "/")
        return (parts.dropLast().joined(separator: "/"), EntryName(unchecked: Array((parts.last ?? "").utf8)))
    }

    @discardableResult
    func create(_ device: Int, _ path: String, _ content: UInt64 = 0, kind: EntryKind? = nil) -> UInt64 {
        let (directory, name) = split(path)
        let kind = kind ?? (content == 0 ? .directory : .file)
        return world.replicas[device].disk.create(kind, in: node(device, directory), name, content: content)
    }

    func edit(_ device: Int, _ path: String, _ content: UInt64) {
        world.replicas[device].disk.write(node(device, path), content)
    }

    func move(_ device: Int, _ path: String, to target: String) {
        let (directory, name) = split(target)
        world.replicas[device].disk.rename(node(device, path), to: node(device, directory), name)
    }

    func delete(_ device: Int, _ path: String) {
        let number = node(device, path)
        for other in world.replicas[device].disk.tree().reversed()
        where world.replicas[device].disk.isBelow(other.handle, number) {
            world.replicas[device].disk.unlink(other.handle)
        }
    }

    /// A device looks at its disk, and does what follows from that without hearing of others.
    func look(_ device: Int) {
        world.tell(device, .scanned(world.replicas[device].scan()))
        let waiting = world.replicas[device].pending
        world.replicas[device].pending = waiting.filter { if case .read = $0 { true } else { false } }
        while !world.replicas[device].pending.isEmpty { world.act(device) }
        world.replicas[device].pending = waiting.filter { if case .read = $0 { false } else { true } }
    }

    /// A device looks at its disk and reads what changed, and nothing more.
    func read(_ device: Int) {
        world.tell(device, .scanned(world.replicas[device].scan()))
        var later: [FileSyncAction] = []
        for action in world.replicas[device].pending {
            guard case .read = action else {
                later.append(action)
                continue
            }
            world.replicas[device].pending = [action]
            world.act(device)
            later += world.replicas[device].pending
        }
        world.replicas[device].pending = later
    }

    func sync() throws { try world.quiesce() }

    /// As another device would hear of it.
    func entry(_ device: Int, _ path: String) -> Entry? {
        let state = world.replicas[device].planner.state
        guard let node = world.replicas[device].disk[node(device, path)] else { return nil }
        return state.base.id(of: SimulatedDisk.handle(of: node)).flatMap { state.entries[$0] }
            .map(world.replicas[device].whole)
    }

    /// Paths with contents; directories end with a slash and have none.
    func tree(_ device: Int) -> [String: UInt64] {
        let disk = world.replicas[device].disk
        var result: [String: UInt64] = [:]
        for node in disk.tree() {
            var path = node.name.description
            var current = node.parent
            while let parent = disk[current] {
                path = "\(parent.name)/\(path)"
                current = parent.parent
            }
            result[node.kind == .directory ? path + "/" : path] = node.content
        }
        return result
    }

    /// Both trees, with conflict names cut after the word; nil where they differ.
    var result: [String: UInt64]? {
        guard tree(a) == tree(b) else { return nil }
        return Dictionary(
            tree(a).map { path, content in
                guard let mark = path.range(of: " (conflict") else { return (path, content) }
                return (String(path[..<mark.upperBound]) + ")", content)
            }, uniquingKeysWith: { $0 + $1 })
    }
}

extension String {
    func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
