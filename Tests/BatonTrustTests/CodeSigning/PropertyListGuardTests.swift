import BatonCore
import BatonTestSupport
import Foundation
import Testing

@testable import BatonTrust

@Suite struct PropertyListGuardTests {
    func read(_ text: String) throws -> [String: Any] { try read(Array(text.utf8)) }
    func read(_ bytes: [UInt8]) throws -> [String: Any] {
        try PropertyListGuard.dictionary(bytes, name: "Info.plist")
    }

    @Test func `XML that hides nesting or text from the check is refused`() {
        let deep = String(repeating: "<array>", count: 5000)
        let hostile = [
            "", "<", "<plist", "<plist><dict>", "</dict>", "x", "{ a = b; }", "(((((",
            "<plist><dict><key>a</key>" + deep,
            "<plist><dict><key>a</key>\(deep)\(String(repeating: "</array>", count: 5000))</dict></plist>",
            "<plist><dict><key>a</key>\(String(repeating: "<dict><key>a</key>", count: 5000))",
            "<plist><dict><key>a</key><!-- </array></array> -->\(String(repeating: "<array><!--</array>-->", count: 100))",
            "<plist><dict><key>a</key>\(String(repeating: "<array><![CDATA[</array>]]>", count: 100))",
            "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>",
            "<?xml version=\"1.0\" encoding=\"UTF-7\"?><plist><dict/></plist>",
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict/></plist>",
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><dict/></plist>",
            "<plist><array/></plist>", "<plist><string>a</string></plist>", "<!-- never closed",
            "<plist><dict><key>a</key><![CDATA[", "<plist></plist></plist></array>",
            "<plist><dict>\(String(repeating: "<key>a</key><true/>", count: 30_000))</dict></plist>",
        ]
        for text in hostile {
            #expect(throws: BatonError.self, "\(text.prefix(60))") { try read(text) }
        }
        #expect(throws: BatonError.self) {
            try read(Array("<plist><dict/></plist>".utf16).flatMap { [UInt8($0 & 255), 0] })
        }
        #expect(throws: BatonError.self) { try read([UInt8](repeating: 0x20, count: 2 << 20)) }
        #expect(throws: BatonError.self) { try read([0x3C, 0xFF, 0xFE]) }
    }

    @Test func `a date that is no number, or in no calendar, is refused`() throws {
        let now = Date(timeIntervalSinceReferenceDate: 1000.5)
        let list = try PropertyListSerialization.data(fromPropertyList: ["d": now], format: .binary, options: 0)
        #expect(try read(Array(list))["d"] as? Date == now)
        let good = withUnsafeBytes(of: now.timeIntervalSinceReferenceDate.bitPattern.bigEndian) { Data($0) }
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e12] {
            let bad = withUnsafeBytes(of: value.bitPattern.bigEndian) { Data($0) }
            var bytes = list
            bytes.replaceSubrange(try #require(bytes.range(of: good)), with: bad)
            #expect(throws: BatonError.self, "\(value)") { try read(Array(bytes)) }
        }
    }

    @Test func `ordinary XML is read, with comments, CDATA and a byte order mark`() throws {
        let text = """
            \u{FEFF}<?xml version="1.0" encoding="utf-8"?><!-- <dict> --><plist version="1.0"><dict>
            <key>a</key><string><![CDATA[<array>]]></string><key>b</key><array/><key>c</key><dict /></dict></plist>
            """
        let plist = try read(text)
        #expect(plist["a"] as? String == "<array>")
        #expect((plist["b"] as? [Any])?.isEmpty == true)
    }

    @Test func `nesting is allowed up to the limit`() throws {
        func nested(_ depth: Int) -> String {
            "<plist><dict><key>a</key>\(String(repeating: "<array>", count: depth - 1))"
                + "\(String(repeating: "</array>", count: depth - 1))</dict></plist>"
        }
        #expect(throws: Never.self) { try read(nested(32)) }
        #expect(throws: BatonError.self) { try read(nested(33)) }
    }

    /// Builds a binary list from the bytes of its objects.
    func binary(_ objects: [[UInt8]], top: UInt8 = 0, offsets: [UInt8]? = nil) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var table: [UInt8] = []
        for object in objects {
            table += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
            bytes += object
        }
        let tableOffset = bytes.count
        bytes += offsets ?? table
        bytes += [0, 0, 0, 0, 0, 0, 2, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
        bytes += [0, 0, 0, 0, 0, 0, 0, top]
        bytes += [0, 0, 0, 0, 0, 0, UInt8(tableOffset >> 8), UInt8(tableOffset & 255)]
        return bytes
    }

    @Test func `a binary list is read`() throws {
        let plist = try read(binary([[0xD1, 1, 2], [0x51, 0x61], [0x51, 0x62]]))
        #expect(plist["a"] as? String == "b")
    }

    @Test func `binary lists that contain themselves, grow without end or are cut short are refused`() {
        // A dictionary whose value is itself; an array of itself; two of each other.
        #expect(throws: BatonError.self) { try read(binary([[0xD1, 1, 0], [0x51, 0x61]])) }
        #expect(throws: BatonError.self) { try read(binary([[0xD1, 1, 2], [0x51, 0x61], [0xA1, 2]])) }
        #expect(throws: BatonError.self) { try read(binary([[0xD1, 1, 2], [0x51, 0x61], [0xA1, 3], [0xA1, 2]])) }
        // Each array holds the next one twice: 2^30 values from 100 bytes.
        var bomb: [[UInt8]] = [[0xD1, 1, 2], [0x51, 0x61]]
        for index in 2..<30 { bomb.append([0xA2, UInt8(index + 1), UInt8(index + 1)]) }
        bomb.append([0x51, 0x62])
        #expect(throws: BatonError.self) { try read(binary(bomb)) }
        // One long string, named very often.
        let long: [UInt8] = [0x5F, 0x11, 0x40, 0x00] + [UInt8](repeating: 0x61, count: 0x4000)
        let many: [UInt8] = [0xAF, 0x11, 0x10, 0x00] + [UInt8](repeating: 3, count: 0x1000)
        #expect(throws: BatonError.self) { try read(binary([[0xD1, 1, 2], [0x51, 0x61], many, long])) }
        let others: [[[UInt8]]] = [
            // A key that is a number; UIDs; sets; an unknown kind; a reference, a length and a string past the end.
            [[0xD1, 1, 1], [0x10, 5]], [[0xD1, 1, 2], [0x51, 0x61], [0x80, 1]],
            [[0xD1, 1, 2], [0x51, 0x61], [0xC1, 1]],
            [[0xD1, 1, 2], [0x51, 0x61], [0x70]], [[0xD1, 1, 9], [0x51, 0x61]],
            [[0xDF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
            [[0xDF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]],
            [[0xD1, 1, 2], [0x51, 0x61], [0x5E, 0x61]], [[0xDF]], [[0xDF, 0xAA]],
        ]
        for objects in others { #expect(throws: BatonError.self, "\(objects)") { try read(binary(objects)) } }
        #expect(throws: BatonError.self) { try read(binary([[0xD0]], top: 3)) }
        #expect(throws: BatonError.self) { try read(binary([[0xD0]], offsets: [0xFF, 0xFF])) }
        #expect(throws: BatonError.self) { try read(binary([[0xD0]], offsets: [0, 0])) }
        let whole = binary([[0xD1, 1, 2], [0x51, 0x61], [0x51, 0x62]])
        for length in 0..<whole.count { #expect(throws: BatonError.self) { try read(Array(whole.prefix(length))) } }
    }

    @Test func `damaged lists never crash the reader`() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let value: [String: Any] = [
            "string": "text", "unicode": "猫", "number": 5, "big": 1 << 40, "real": 1.5, "yes": true,
            "date": Date(timeIntervalSince1970: 1), "data": Data([1, 2, 3]), "array": ["a", ["b": ["c"]]],
        ]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let original = Array(
                try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
            for _ in 0..<4000 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let index = Int.random(in: 0..<bytes.count, using: &generator)
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: bytes[index] = .random(in: .min ... .max, using: &generator)
                    case 1: bytes.remove(at: index)
                    case 2: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
                    default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                    }
                    if bytes.isEmpty { bytes = original }
                }
                _ = try? BundleInfo(infoPlist: bytes, entitlements: bytes, bundleName: "A.app")
                if let plist = try? read(bytes) { _ = try? Entitlements(bytes).values.count + plist.count }
            }
        }
    }
}
