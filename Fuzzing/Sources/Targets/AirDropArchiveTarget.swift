import AirDropProtocol
import BatonCore

/// The body of an `/Upload`. The first byte says whether the rest is compressed.
enum AirDropArchiveTarget: FuzzTarget {
    static let name = "airdrop-archive"

    static func seeds() throws -> [[UInt8]] {
        var writer = ArchiveWriter()
        var plain: [UInt8] = []
        var packed: [UInt8] = []
        var headers = CPIOWriter()
        for (path, kind, size) in [
            ("./d", ArchiveEntry.Kind.directory, 0), ("./d/a", .file, 3), ("./d/l", .symbolicLink, 1),
            ("./a", .file, 0),
        ] {
            let entry = ArchiveEntry(path: Array(path.utf8), kind: kind, size: UInt64(size))
            let data = [UInt8](repeating: 0x61, count: size)
            plain += try headers.header(entry) + data
            try writer.begin(entry) { packed += $0 }
            try data.withUnsafeBytes { buffer in try writer.write(buffer) { packed += $0 } }
            try writer.end()
        }
        try writer.finish { packed += $0 }
        return [[0] + plain + CPIOWriter.trailer, [1] + packed]
    }

    static func run(_ bytes: [UInt8]) {
        let limits = ArchiveLimits(bytes: 1 << 20)
        guard let first = bytes.first, let a = try? OfferedFile(name: "a", type: nil),
            let d = try? OfferedFile(name: "d", type: nil, isDirectory: true)
        else { return }
        var layout = ArchiveLayout([a, d], limits: limits)
        var total = 0
        func take(_ event: ArchiveEvent) throws(BatonError) {
            switch event {
            case .data(let data):
                total += data.count
                precondition(total <= 1 << 20, "more than the limit")
            case .entry(let entry):
                switch try layout.place(entry) {
                case .skipped: break
                case .directory(let path), .file(let path), .link(let path):
                    let components = path.split(separator: "/", omittingEmptySubsequences: false)
                    precondition(path == "a" || components.first == "d", "a path that was not announced")
                    let leadsOut = components.contains { $0 == ".." || $0 == "." || $0.isEmpty }
                    precondition(!leadsOut, "a path that leads out")
                }
            case .endOfEntry, .end: break
            }
        }
        bytes.dropFirst().withUnsafeBytes { buffer in
            if first & 1 == 0 {
                var reader = CPIOReader(limits: limits)
                _ = try? reader.push(buffer, take)
            } else {
                var reader = ArchiveReader(limits: limits)
                _ = try? reader.push(buffer, take)
            }
        }
    }
}
