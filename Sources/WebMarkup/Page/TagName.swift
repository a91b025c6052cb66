import Foundation

/// Names of elements as numbers: those that the scanner knows, and a hash of any other.
enum TagName {
    static func code(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt32 {
        // FNV-1a over the letters in lower case.
        var hash: UInt32 = 2_166_136_261
        for place in range {
            let byte = bytes[place]
            let lowered = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
            hash = (hash ^ UInt32(lowered)) &* 16_777_619
        }
        return hash
    }

    static func code(_ name: String) -> UInt32 {
        Array(name.utf8).withUnsafeBufferPointer { code($0, 0..<$0.count) }
    }

    static func kind(_ code: UInt32) -> OpenElements.Kind {
        var place = Int(code & 0xFF)
        while table[place].kind != .other {
            if table[place].code == code { return table[place].kind }
            place = (place + 1) & 0xFF
        }
        return .other
    }

    /// Whether the search for what an element's start ends goes no further than this one.
    static func endsSearch(_ code: UInt32) -> Bool { kind(code) == .scope }

    /// Whether an element that is open ends when another begins in it.
    static func ends(_ open: UInt32, before name: UInt32) -> Bool {
        open == name || groups[open].map { $0 == groups[name] } ?? false
    }

    private static let kinds: [UInt32: OpenElements.Kind] = {
        var kinds: [UInt32: OpenElements.Kind] = [:]
        func set(_ kind: OpenElements.Kind, _ names: String) {
            for name in names.split(separator: " ") { kinds[code(String(name))] = kind }
        }
        set(
            .void,
            "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")
        set(.formatting, "a b big code em font i nobr s small strike strong tt u")
        set(.optionalEnd, "li p dt dd tr td th tbody thead tfoot option optgroup rb rt rp rtc colgroup")
        set(.scope, "ul ol dl table div section article html body select button object template ruby caption")
        return kinds
    }()

    /// The same by the last bits of their codes, the next free place where two have the same: each tag of a page is looked up.
    private static let table: [(code: UInt32, kind: OpenElements.Kind)] = {
        var table = [(code: UInt32, kind: OpenElements.Kind)](repeating: (0, .other), count: 256)
        for (code, kind) in kinds {
            var place = Int(code & 0xFF)
            while table[place].kind != .other { place = (place + 1) & 0xFF }
            table[place] = (code, kind)
        }
        return table
    }()

    private static let groups: [UInt32: Int] = {
        var groups: [UInt32: Int] = [:]
        for (number, names) in [["dt", "dd"], ["td", "th"], ["tbody", "thead", "tfoot"], ["rt", "rp", "rb", "rtc"]]
            .enumerated()
        {
            for name in names { groups[code(name)] = number }
        }
        return groups
    }()
}

extension UnsafeBufferPointer<UInt8> {
    /// Where a byte is next.
    func position(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(base).distance(to: found)
    }
}
