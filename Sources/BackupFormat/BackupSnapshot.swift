package import BatonCore
package import FileSync

/// A backup of one device at one time: small, sealed and signed. The rest are chunks.
package struct BackupSnapshot: Hashable, Sendable {
    package static let maximumRoots = 4096
    private static let format: UInt8 = 1

    /// The device's snapshots are numbered from 1, without gaps: a list from which one was removed shows it.
    package struct ID: Hashable, Comparable, Sendable, CustomStringConvertible {
        /// No name has a larger number: anybody can put a file with any name at a target.
        package static let maximumNumber: UInt64 = 1 << 32

        package var device: DeviceID
        package var number: UInt64

        package init(device: DeviceID, number: UInt64) {
            self.device = device
            self.number = number
        }

        package init?(_ text: String) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, let device = DeviceID(rawValue: String(parts[0])), let number = UInt64(parts[1]),
                (1...Self.maximumNumber).contains(number), String(number) == parts[1]
            else { return nil }
            self.init(device: device, number: number)
        }

        package var description: String { "\(device.rawValue).\(number)" }

        /// Those that a person means by a whole name, a number, a beginning of the device, or a beginning and a number
        /// (`ABCD.7`).
        package static func meant(by text: String, among ids: [Self]) -> [Self] {
            if let whole = Self(text) { return ids.filter { $0 == whole } }
            guard !text.isEmpty else { return [] }
            let isNumber = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let parts = text.uppercased().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            return ids.filter { id in
                if isNumber { return "\(id.number)" == text }
                guard id.device.rawValue.hasPrefix(parts[0]) else { return false }
                return parts.count == 1 || parts[1] == "\(id.number)"
            }
        }

        package static func < (left: Self, right: Self) -> Bool {
            (left.device.rawValue, left.number) < (right.device.rawValue, right.number)
        }
    }

    package struct Root: Hashable, Sendable {
        package enum Kind: UInt8, Hashable, Sendable {
            /// An app's container.
            case app = 1
            /// The daemon's own settings.
            case settings = 2
            /// A folder that the person named.
            case folder = 3
            /// An app's bundle, whole.
            case bundle = 4
        }
        package var kind: Kind
        /// The bundle identifier of an app, that and the name of its bundle (`com.example.App/Name.app`), `settings`, or the folder's path.
        package var name: String
        /// An app's; empty otherwise.
        package var version: String
        /// The root's own metadata, and its tree. Its name is `root`.
        package var entry: BackupEntry
        package var files: UInt64
        package var bytes: UInt64

        package init(
            kind: Kind, name: String, version: String, entry: BackupEntry, files: UInt64, bytes: UInt64
        ) {
            self.kind = kind
            self.name = name
            self.version = version
            self.entry = entry
            self.files = files
            self.bytes = bytes
        }
    }

    package var id: ID
    package var deviceName: String
    /// Milliseconds since 1970.
    package var begun: UInt64
    package var finished: UInt64
    /// SHA-256 of the signed bytes of the snapshot before; nil for the first.
    package var previous: ContentHash?
    package var roots: [Root]
    /// Files that could not be read.
    package var unreadable: UInt64
    /// Files that changed while they were read, each time.
    package var unrested: UInt64

    package init(
        id: ID, deviceName: String, begun: UInt64, finished: UInt64, previous: ContentHash?, roots: [Root],
        unreadable: UInt64, unrested: UInt64
    ) {
        self.id = id
        self.deviceName = deviceName
        self.begun = begun
        self.finished = finished
        self.previous = previous
        self.roots = roots
        self.unreadable = unreadable
        self.unrested = unrested
    }

    package var files: UInt64 { roots.reduce(0) { $0.addingSaturated($1.files) } }
    package var bytes: UInt64 { roots.reduce(0) { $0.addingSaturated($1.bytes) } }

    /// The bytes that are signed.
    package var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.put(Self.format)
        writer.put(id.device.rawValue)
        writer.put(id.number)
        writer.put(deviceName)
        writer.put(begun)
        writer.put(finished)
        writer.put(short: previous?.bytes ?? [])
        writer.put(unreadable)
        writer.put(unrested)
        writer.put(UInt32(clamping: roots.count))
        for root in roots {
            writer.put(root.kind.rawValue)
            writer.put(root.name)
            writer.put(root.version)
            writer.put(root.files)
            writer.put(root.bytes)
            root.entry.write(to: &writer)
        }
        return writer.bytes
    }

    /// - Throws: `data_loss` (`bad_backup_object`) for all that ``encoded`` does not write.
    package init(decoding bytes: [UInt8]) throws(BatonError) {
        var reader = BinaryReader(bytes, "a snapshot")
        guard try reader.number(UInt8.self) == Self.format, let device = DeviceID(rawValue: try reader.text()) else {
            throw reader.refusal
        }
        id = ID(device: device, number: try reader.number())
        deviceName = try reader.text()
        begun = try reader.number()
        finished = try reader.number()
        let previous = try reader.short()
        self.previous = ContentHash(previous)
        unreadable = try reader.number()
        unrested = try reader.number()
        guard (1...ID.maximumNumber).contains(id.number), previous.isEmpty || self.previous != nil else {
            throw reader.refusal
        }
        let count = try reader.count(of: 1 + 2 + 2 + 16 + BackupEntry.minimumBytes, limit: Self.maximumRoots)
        roots = []
        for _ in 0..<count {
            guard let kind = Root.Kind(rawValue: try reader.number()) else { throw reader.refusal }
            let name = try reader.text()
            let version = try reader.text()
            let files: UInt64 = try reader.number()
            let size: UInt64 = try reader.number()
            let entry = try BackupEntry(from: &reader)
            if case .link = entry.kind { throw reader.refusal }
            roots.append(Root(kind: kind, name: name, version: version, entry: entry, files: files, bytes: size))
        }
        try reader.end()
    }
}
