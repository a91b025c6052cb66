import Glibc

extension CommandSession {
    /// The bytes of a path that is no UTF-8: in the argument it has replacement characters, and would name nothing.
    /// - Parameters:
    ///   - path: as it was typed.
    ///   - resolved: as the daemon takes it.
    /// - Returns: empty for a path that is text.
    func pathBytes(_ path: String, resolved: String) -> [UInt8] {
        guard resolved.unicodeScalars.contains("\u{FFFD}") else { return [] }
        let typed = Set(context.argumentBytes().filter { Self.shown($0) == Array(path.utf8) })
        // Two that look the same are no answer to which is meant.
        guard typed.count == 1, let typed = typed.first else { return [] }
        let slash = UInt8(ascii: "/")
        let whole = typed.first == slash ? typed : Self.workingDirectory(context.workingDirectory) + [slash] + typed
        var names: [[UInt8]] = []
        for name in whole.split(separator: slash) where name != [UInt8(ascii: ".")] {
            if name.elementsEqual("..".utf8) { _ = names.popLast() } else { names.append(Array(name)) }
        }
        // The names before may have been a link, or the name of a folder.
        var bytes = resolved.utf8.split(separator: slash).map { Array($0) }
        for (index, name) in zip(bytes.indices.reversed(), names.reversed()) {
            guard Self.shown(name) == bytes[index] else { break }
            bytes[index] = name
        }
        let all = (resolved.hasPrefix("/") ? [slash] : []) + bytes.joined(separator: [slash])
        return String(validating: all, as: UTF8.self) == nil ? all : []
    }

    private static func shown(_ bytes: [UInt8]) -> [UInt8] { Array(String(decoding: bytes, as: UTF8.self).utf8) }

    private static func workingDirectory(_ text: String) -> [UInt8] {
        guard text.unicodeScalars.contains("\u{FFFD}"), let path = getcwd(nil, 0) else { return Array(text.utf8) }
        defer { free(path) }
        return (0..<strlen(path)).map { UInt8(bitPattern: path[$0]) }
    }
}
