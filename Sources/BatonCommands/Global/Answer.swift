/// The answer of a person or a script to a question.
package enum Answer: Equatable, Sendable {
    case yes
    case no
    /// Digits, as typed from another device's screen.
    case code(String)
    case unclear

    package init(_ line: String) {
        let line = line.filter { !$0.isWhitespace && $0 != "-" }.lowercased()
        switch line {
        case "y", "yes": self = .yes
        case "n", "no", "": self = .no
        default:
            let isCode = line.utf8.count == 6 && line.utf8.allSatisfy { (0x30...0x39).contains($0) }
            self = isCode ? .code(line) : .unclear
        }
    }
}
