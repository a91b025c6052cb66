import Foundation

/// Properties of the output's terminal.
package struct Terminal: Sendable {
    /// Standard output is a terminal: lines may be redrawn.
    package var isOutputInteractive: Bool
    /// Standard input is a terminal: a person can be asked.
    package var isInputInteractive: Bool
    /// Columns; nil when lines need not fit anywhere.
    package var width: Int?
    package var isColoured: Bool
    /// Columns of standard error, which need not go where the output goes; nil where it is no terminal.
    package var errorWidth: Int?

    package init(isOutputInteractive: Bool, isInputInteractive: Bool, width: Int?, isColoured: Bool) {
        self.isOutputInteractive = isOutputInteractive
        self.isInputInteractive = isInputInteractive
        self.width = width
        self.isColoured = isColoured
    }

    /// Standard output is a terminal, be it one whose lines cannot be redrawn: only terminals have a width.
    package var isOutputTerminal: Bool { isOutputInteractive || width != nil }

    /// A pipe or file on both sides.
    package static let none = Terminal(
        isOutputInteractive: false, isInputInteractive: false, width: nil, isColoured: false)

    package static func system(environment: [String: String]) -> Terminal {
        let isOutput = isatty(1) == 1
        let isDumb = environment["TERM"].map { $0.isEmpty || $0 == "dumb" } ?? true
        // https://no-color.org: present and not empty, whatever its value.
        let refusesColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        func width(_ descriptor: Int32) -> Int {
            columns(of: descriptor) ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80
        }
        var terminal = Terminal(
            isOutputInteractive: isOutput && !isDumb,
            isInputInteractive: isatty(0) == 1,
            width: isOutput ? width(1) : nil,
            isColoured: isOutput && !isDumb && !refusesColour)
        terminal.errorWidth = isatty(2) == 1 ? width(2) : nil
        return terminal
    }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}

/// Colours words, or leaves them as they are.
package struct Paint: Sendable {
    package enum Colour: Int, Sendable {
        case bold = 1
        case faint = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    package var isColoured: Bool

    package init(isColoured: Bool) { self.isColoured = isColoured }

    package func callAsFunction(_ colour: Colour, _ text: String) -> String {
        isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
