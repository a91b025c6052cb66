import BatonCore
import Files

/// The two forms of a header that are read. All numbers are text: octal digits in odc (POSIX.1-1988), hexadecimal digits in
/// newc (System V release 4).
enum CPIOFormat {
    case odc
    case newc

    static let magicSize = 6
    static let trailer = Array("TRAILER!!!".utf8)
    /// Both formats.
    static let kindMask: UInt64 = 0o170000
    static let fileKind: UInt64 = 0o100000
    static let directoryKind: UInt64 = 0o040000
    static let linkKind: UInt64 = 0o120000

    init(magic: some Collection<UInt8>) throws(BatonError) {
        switch String(decoding: magic, as: UTF8.self) {
        case "070707": self = .odc
        case "070701": self = .newc
        default: throw ArchiveError.damaged("an entry of the archive does not begin as one of cpio (odc or newc) does")
        }
    }

    /// Bytes of the header after the magic.
    var headerSize: Int { self == .odc ? 70 : 104 }

    /// Bytes between the path and the data, and between the data and the next header.
    func padding(after count: UInt64) -> Int { self == .odc ? 0 : Int((4 - count % 4) % 4) }
}

/// A header's numbers.
struct CPIOHeader {
    private(set) var mode: UInt64 = 0
    private(set) var links: UInt64 = 0
    private(set) var device: UInt64 = 0
    private(set) var inode: UInt64 = 0
    private(set) var modified: UInt64 = 0
    /// With the NUL.
    private(set) var pathSize: UInt64 = 0
    private(set) var size: UInt64 = 0

    /// - Parameter bytes: as many as the format's header has, after the magic.
    init(_ bytes: [UInt8], _ format: CPIOFormat) throws(BatonError) {
        var fields = Fields(bytes: bytes, radix: format == .odc ? 8 : 16)
        switch format {
        case .odc:
            device = try fields.next(6)
            inode = try fields.next(6)
            mode = try fields.next(6)
            _ = try fields.next(12)  // owner and group
            links = try fields.next(6)
            _ = try fields.next(6)  // which device it is
            modified = try fields.next(11)
            pathSize = try fields.next(6)
            size = try fields.next(11)
        case .newc:
            inode = try fields.next(8)
            mode = try fields.next(8)
            _ = try fields.next(16)  // owner and group
            links = try fields.next(8)
            modified = try fields.next(8)
            size = try fields.next(8)
            let major = try fields.next(8)
            device = major << 32 | (try fields.next(8))
            _ = try fields.next(16)  // which device it is
            pathSize = try fields.next(8)
            _ = try fields.next(8)  // a sum, which this format leaves 0
        }
    }

    func kind(_ path: [UInt8]) throws(BatonError) -> ArchiveEntry.Kind {
        switch mode & CPIOFormat.kindMask {
        case CPIOFormat.fileKind: return .file
        case CPIOFormat.directoryKind: return .directory
        case CPIOFormat.linkKind: return .symbolicLink
        default:
            throw ArchiveError.refused(
                "archive_special_file", "“\(SafeName.display(path))” is neither a file, a folder nor a link")
        }
    }

    private struct Fields {
        let bytes: [UInt8]
        let radix: UInt64
        var index = 0

        /// At most 16 digits, so that no number overflows.
        mutating func next(_ count: Int) throws(BatonError) -> UInt64 {
            var number: UInt64 = 0
            for byte in bytes[index...].prefix(count) {
                guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt64.init), digit < radix else {
                    throw ArchiveError.damaged("a header of the archive has something else than digits")
                }
                number = number << (radix == 8 ? 3 : 4) | digit
            }
            index += count
            return number
        }
    }
}

extension SafeName {
    /// As ``display(_:maximumSize:)``, of a path in an archive.
    package static func display(_ path: [UInt8]) -> String { display(String(decoding: path, as: UTF8.self)) }
}
