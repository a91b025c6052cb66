import Foundation

/// Text with bold runs, and its form in a file: a small part of RTF.
struct RichText: Equatable {
    struct Run: Equatable {
        var text: String
        var isBold = false
    }

    var runs: [Run] = []

    var plain: String { runs.map(\.text).joined() }

    init(_ text: String = "") { runs = text.isEmpty ? [] : [Run(text: text)] }

    mutating func append(_ text: String, isBold: Bool) {
        if let last = runs.indices.last, runs[last].isBold == isBold {
            runs[last].text += text
        } else {
            runs.append(Run(text: text, isBold: isBold))
        }
    }

    // MARK: RTF

    var rtf: Data {
        let body = runs.map { run in
            let text = run.text.unicodeScalars.map(Self.escaped).joined()
            return run.isBold ? "{\\b \(text)}" : "{\(text)}"
        }
        return Data("{\\rtf1\\ansi\\uc0 \(body.joined())}".utf8)
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\\", "{", "}": "\\\(scalar)"
        case "\n": "\\par "
        case _ where scalar.isASCII: String(scalar)
        default: String(scalar).utf16.map { "\\u\(Int16(bitPattern: $0)) " }.joined()
        }
    }

    /// Reads what ``rtf`` writes, and passes over all other commands.
    /// - Throws: for what is no RTF.
    init(rtf data: Data) throws {
        guard let source = String(data: data, encoding: .utf8), source.hasPrefix("{\\rtf") else {
            throw CocoaError(.fileReadCorruptFile)
        }
        var rest = Substring(source)
        var bold = [false]
        var units: [UInt16] = []
        while let character = rest.popFirst() {
            switch character {
            case "{": bold.append(bold.last ?? false)
            case "}":
                take(&units, bold.last ?? false)
                if bold.count > 1 { bold.removeLast() }
            case "\\": Self.command(&rest, &units, &bold)
            default:
                units += Array(String(character).utf16)
            }
        }
        take(&units, bold.last ?? false)
    }

    private mutating func take(_ units: inout [UInt16], _ isBold: Bool) {
        guard !units.isEmpty else { return }
        append(String(decoding: units, as: UTF16.self), isBold: isBold)
        units = []
    }

    private static func command(_ rest: inout Substring, _ units: inout [UInt16], _ bold: inout [Bool]) {
        if let next = rest.first, !next.isLetter {
            rest.removeFirst()
            units += Array(String(next).utf16)
            return
        }
        let word = rest.prefix { $0.isASCII && $0.isLetter }
        rest.removeFirst(word.count)
        let number = rest.prefix { $0 == "-" || ($0.isASCII && $0.isNumber) }
        rest.removeFirst(number.count)
        if rest.first == " " { rest.removeFirst() }
        switch word {
        case "u": if let unit = Int16(number) { units.append(UInt16(bitPattern: unit)) }
        case "par": units.append(10)
        case "b": bold[bold.count - 1] = number != "0"
        default: break
        }
    }
}
