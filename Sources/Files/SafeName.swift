import BatonCore

/// A received name as the name of a file on this device: one component of a path that shows what it is.
///
/// A name that is well already stays as it is, byte for byte.
package struct SafeName: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of UTF-8 that a file system of Linux takes.
    package static let maximumSize = 255
    /// For names of which nothing is left.
    private static let fallback = "Untitled"

    package let text: String

    /// - Parameters:
    ///   - bytes: any bytes. Those that are not UTF-8 become “�”.
    ///   - mayBeHidden: whether a leading point stays. It becomes “_” where people look for what has arrived.
    package init(bytes: some Collection<UInt8>, mayBeHidden: Bool = false) {
        self.init(String(decoding: bytes, as: UTF8.self), mayBeHidden: mayBeHidden)
    }

    package init(_ name: String, mayBeHidden: Bool = false) {
        var cleaned = Self.cleaned(name, separator: "_")
        let isTrailing: (Character) -> Bool = { $0 == " " || $0 == "." }
        if cleaned.allSatisfy(isTrailing) { cleaned = Self.fallback }
        while let last = cleaned.last, isTrailing(last) { cleaned.removeLast() }
        while cleaned.first == " " { cleaned.removeFirst() }
        if !mayBeHidden, cleaned.utf8.first == UInt8(ascii: ".") { cleaned = "_" + cleaned.dropFirst() }
        if Self.isDevice(cleaned) { cleaned = "_" + cleaned }
        text = Self.joined(cleaned, suffix: "")
    }

    /// The same name for a further file: `photo.jpg`, `photo 2.jpg`, `photo 3.jpg`.
    package func numbered(_ number: Int) -> String { number < 2 ? text : Self.joined(text, suffix: " \(number)") }

    package var description: String { text }

    /// Two names with the same key are one name where letters have no case, or accents have one spelling.
    package static func collisionKey(_ name: String) -> String {
        // Upper case first: it makes “ß” the same as “SS”.
        name.uppercased().lowercased()
    }

    /// A text of a peer's in one line for people: without what hides or turns round the text, and short.
    package static func display(_ text: String, maximumSize: Int = 200) -> String {
        cleaned(text, separator: " ").shortened(toBytes: maximumSize)
    }

    // MARK: Characters

    private static func cleaned(_ name: String, separator: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: scalars.append(separator)
            case .format where !isJoiner(scalar): continue
            case .unassigned where scalar.properties.isNoncharacterCodePoint: continue
            default: scalars.append(scalar == "/" ? "_" : scalar)
            }
        }
        return String(scalars)
    }

    /// Scripts and emoji need these two; all other characters of formatting only hide or turn text round.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

    /// Names that Windows keeps for devices, whatever comes after the first point. A disk may be carried there.
    private static func isDevice(_ name: String) -> Bool {
        let base = name.prefix { $0 != "." }.uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(base) { return true }
        guard base.count == 4, base.hasPrefix("COM") || base.hasPrefix("LPT"), let digit = base.last else {
            return false
        }
        return "123456789¹²³".contains(digit)
    }

    // MARK: Length

    /// The name with something before its extension, cut between characters so that it is short enough.
    private static func joined(_ name: String, suffix: String) -> String {
        let end = suffix.isEmpty && name.utf8.count <= maximumSize ? name.endIndex : extensionStart(name)
        let stem = name[..<end]
        let tail = suffix + name[end...]
        var cut = stem.startIndex
        var size = tail.utf8.count
        while cut < stem.endIndex {
            size += stem[cut].utf8.count
            guard size <= maximumSize else { break }
            stem.formIndex(after: &cut)
        }
        var short = stem[..<cut]
        while tail.isEmpty, let last = short.last, last == " " || last == "." { short.removeLast() }
        return (short.isEmpty ? "_" : String(short)) + tail
    }

    /// Where the extension begins: at its point, or at that of `.tar` before it.
    private static func extensionStart(_ name: String) -> String.Index {
        guard let point = name.lastIndex(of: "."), point != name.startIndex, isExtension(name[point...]) else {
            return name.endIndex
        }
        let stem = name[..<point]
        guard let inner = stem.lastIndex(of: "."), inner != name.startIndex, stem[inner...].lowercased() == ".tar"
        else {
            return point
        }
        return inner
    }

    /// A sentence that has a point in it has no extension.
    private static func isExtension(_ text: Substring) -> Bool {
        (2...33).contains(text.utf8.count) && !text.contains(" ")
    }
}
