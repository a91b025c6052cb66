import FileSync
import Foundation

/// A file system in memory, with the system calls that the service makes: each one whole, or not at all.
struct SimulatedDisk {
    struct Node {
        let handle: UInt64
        let kind: EntryKind
        var parent: UInt64
        var name: EntryName
        /// A number stands for a content.
        var content: UInt64 = 0
        var changed: UInt64
        var mode: UInt8 = 0
        /// The value of `user.a`.
        var attribute: UInt8?
        var modified: Int64 = 0
        var isPlaceholder = false
        /// Left out of scans, as a pipe is.
        var isHidden = false
        /// It has another name outside of the tree.
        var isLinked = false
    }

    static let root: UInt64 = 1
    static let staging: UInt64 = 2

    var traits = FileSystemTraits()
    private(set) var nodes: [UInt64: Node] = [:]
    private var last: UInt64 = 2
    private var clock: UInt64 = 0

    static func handle(_ number: UInt64) -> LocalHandle {
        LocalHandle((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    static func number(_ handle: LocalHandle) -> UInt64 {
        handle.file.bytes.bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// As a scan reports it.
    static func handle(of node: Node) -> LocalHandle {
        let handle = handle(node.handle)
        return node.isLinked
            ? LocalHandle(linkOf: handle, in: Self.handle(node.parent), name: node.name.bytes) : handle
    }

    subscript(number: UInt64) -> Node? { nodes[number] }

    private mutating func tick() -> UInt64 {
        clock += 1
        return clock
    }

    func fingerprint(_ node: Node) -> Fingerprint {
        node.kind == .directory
            ? .directory : Fingerprint(size: 8, modified: node.modified, changed: Int64(node.changed))
    }

    func children(_ parent: UInt64) -> [Node] {
        nodes.values.filter { $0.parent == parent }.sorted { $0.handle < $1.handle }
    }

    func child(_ parent: UInt64, _ name: EntryName) -> Node? {
        let key = traits.key(of: name)
        return nodes.values.first { $0.parent == parent && traits.key(of: $0.name) == key }
    }

    /// All that is in the tree, parents first.
    func tree() -> [Node] {
        var byParent: [UInt64: [Node]] = [:]
        for node in nodes.values { byParent[node.parent, default: []].append(node) }
        var result: [Node] = []
        var open = [Self.root]
        var index = 0
        while index < open.count {
            for node in (byParent[open[index]] ?? []).sorted(by: { $0.handle < $1.handle }) where !node.isHidden {
                result.append(node)
                if node.kind == .directory { open.append(node.handle) }
            }
            index += 1
        }
        return result
    }

    func isBelow(_ number: UInt64, _ other: UInt64) -> Bool {
        var current = number
        while current > Self.staging {
            if current == other { return true }
            guard let node = nodes[current] else { return false }
            current = node.parent
        }
        return current == other
    }

    mutating func create(_ kind: EntryKind, in parent: UInt64, _ name: EntryName, content: UInt64 = 0) -> UInt64 {
        last += 1
        let changed = tick()
        nodes[last] = Node(handle: last, kind: kind, parent: parent, name: name, content: content, changed: changed)
        nodes[last]?.modified = Int64(changed)
        return last
    }

    mutating func link(_ number: UInt64) {
        let changed = tick()
        nodes[number]?.isLinked = true
        nodes[number]?.changed = changed
    }

    /// Something that no scan shows.
    @discardableResult
    mutating func obstruct(_ parent: UInt64, _ name: EntryName, _ kind: EntryKind = .file) -> UInt64 {
        let number = create(kind, in: parent, name)
        nodes[number]?.isHidden = true
        return number
    }

    /// From now on scans show it.
    mutating func show(_ number: UInt64) { nodes[number]?.isHidden = false }

    mutating func removeObstacles() { nodes = nodes.filter { !$0.value.isHidden } }

    mutating func write(_ number: UInt64, _ content: UInt64) {
        let changed = tick()
        nodes[number]?.content = content
        nodes[number]?.changed = changed
        nodes[number]?.modified = Int64(changed)
    }

    mutating func setMode(_ number: UInt64, _ mode: UInt8) {
        let changed = tick()
        nodes[number]?.mode = mode
        nodes[number]?.changed = changed
    }

    mutating func setAttribute(_ number: UInt64, _ value: UInt8?) {
        let changed = tick()
        nodes[number]?.attribute = value
        nodes[number]?.changed = changed
    }

    mutating func touch(_ number: UInt64, _ modified: Int64) {
        let changed = tick()
        nodes[number]?.modified = modified
        nodes[number]?.changed = changed
    }

    static let attributeKey = MetadataKey.attribute(ByteString(Array("user.a".utf8)))

    /// As a scan reports it.
    func metadata(_ node: Node) -> [MetadataKey: ByteString] {
        guard node.kind != .symbolicLink else { return [:] }
        var result: [MetadataKey: ByteString] = [.mode: ByteString([1, node.mode])]
        if let value = node.attribute { result[Self.attributeKey] = ByteString([1, value]) }
        return result
    }

    /// An empty value takes an attribute away.
    mutating func set(_ number: UInt64, _ values: [MetadataKey: ByteString]) {
        if let mode = values[.mode]?.bytes.last { setMode(number, mode) }
        if let value = values[Self.attributeKey] { setAttribute(number, value.bytes.last) }
        if let time = values[.modified] {
            touch(number, Int64(bitPattern: time.bytes.reduce(0) { $0 << 8 | UInt64($1) }))
        }
    }

    mutating func setPlaceholder(_ number: UInt64) { nodes[number]?.isPlaceholder = true }

    mutating func rename(_ number: UInt64, to parent: UInt64, _ name: EntryName) {
        nodes[number]?.parent = parent
        nodes[number]?.name = name
    }

    mutating func unlink(_ number: UInt64) { nodes[number] = nil }

    func isAt(_ expected: ExpectedNode) -> Bool {
        guard let node = nodes[Self.number(expected.handle)] else { return false }
        return node.parent == Self.number(expected.place.directory) && node.name == expected.place.name
            && fingerprint(node) == expected.fingerprint
    }

    /// The step of the service: it looks where the handles are, and does nothing where that is not as expected.
    mutating func perform(_ step: DiskStep) -> StepOutcome {
        switch step {
        case .place(let staged, let place): return put(staged, place, instead: nil)
        case .replace(let staged, let old): return put(staged, old.place, instead: old)
        case .substitute(let staged, let place, let old):
            let number = Self.number(staged)
            if let node = nodes[number], node.parent == Self.number(place.directory), node.name == place.name {
                return .done(nil)
            }
            if nodes[Self.number(old.handle)]?.parent != Self.staging {
                guard isAt(old),
                    child(Self.number(place.directory), place.name).map({ $0.handle == Self.number(old.handle) })
                        ?? true
                else { return .changed }
                stash(Self.number(old.handle))
            }
            let outcome = put(staged, place, instead: nil)
            // Undone: the old one goes back.
            if case .changed = outcome {
                rename(Self.number(old.handle), to: Self.number(old.place.directory), old.place.name)
            }
            return outcome
        case .move(let old, let place):
            let number = Self.number(old.handle)
            if let node = nodes[number], node.parent == Self.number(place.directory), node.name == place.name {
                return .done(nil)
            }
            let target = Self.number(place.directory)
            guard isAt(old), isDirectory(target), child(target, place.name).map({ $0.handle == number }) ?? true,
                !isBelow(target, number)
            else { return .changed }
            rename(number, to: target, place.name)
            return .done(nil)
        case .exchange(let first, let second): return exchange(first, second)
        case .remove(let old):
            let number = Self.number(old.handle)
            guard let node = nodes[number] else { return .done(nil) }
            if node.parent == Self.staging {
                // Files that people put into a directory before it left are found when it is back.
                guard node.kind == .directory, !children(number).isEmpty else { return .done(nil) }
                rename(number, to: Self.root, node.name)
                return .changed
            }
            guard isAt(old), children(number).isEmpty else { return .changed }
            if node.kind == .directory || node.isPlaceholder { unlink(number) } else { stash(number) }
            return .done(nil)
        case .setMetadata(let old, let values):
            guard isAt(old) else { return .changed }
            set(Self.number(old.handle), values)
            return .done(nodes[Self.number(old.handle)].map(fingerprint))
        }
    }

    private func isDirectory(_ number: UInt64) -> Bool {
        number == Self.root || number == Self.staging || nodes[number]?.kind == .directory
    }

    private mutating func stash(_ number: UInt64) {
        rename(number, to: Self.staging, EntryName(unchecked: Array("old-\(number)".utf8)))
    }

    private mutating func put(_ staged: LocalHandle, _ place: LocalPlace, instead old: ExpectedNode?) -> StepOutcome {
        let number = Self.number(staged)
        let target = Self.number(place.directory)
        guard let node = nodes[number] else { return .changed }
        if node.parent == target, node.name == place.name { return .done(nil) }
        // Only this step brings the old one to staging: it was done, and the new one has been moved since.
        if let old, node.parent != Self.staging, nodes[Self.number(old.handle)]?.parent == Self.staging {
            return .done(nil)
        }
        guard node.parent == Self.staging, isDirectory(target) else { return .changed }
        if let old {
            guard isAt(old) else { return .changed }
            stash(Self.number(old.handle))
        } else if child(target, place.name) != nil {
            return .changed
        }
        rename(number, to: target, place.name)
        return .done(fingerprint(node))
    }

    private mutating func exchange(_ first: ExpectedNode, _ second: ExpectedNode) -> StepOutcome {
        let (one, two) = (Self.number(first.handle), Self.number(second.handle))
        if let node = nodes[one], node.parent == Self.number(second.place.directory), node.name == second.place.name,
            let other = nodes[two], other.parent == Self.number(first.place.directory), other.name == first.place.name
        {
            return .done(nil)
        }
        guard isAt(first), isAt(second), !isBelow(Self.number(first.place.directory), two),
            !isBelow(Self.number(second.place.directory), one)
        else { return .changed }
        rename(one, to: Self.number(second.place.directory), second.place.name)
        rename(two, to: Self.number(first.place.directory), first.place.name)
        return .done(nil)
    }
}
