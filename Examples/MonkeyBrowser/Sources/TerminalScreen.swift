/// The screen, as a picture of text: no input or output here.
struct TerminalScreen {
    var front: Tab
    var address: String
    var page: BrowserViewController.Page
    /// The description of each picture that has come from the other device.
    var images: [String] = []
    /// 0 to 0.5.
    var overlayAlpha: Double
    var indicator: Character = " "
    var log: [String]
    var width: Int
    var height: Int

    func render() -> String {
        var lines = [tabs, rule, addressLine, rule]
        lines += content
        lines.append(rule)
        let room = max(0, height - lines.count - 1)
        lines += log.suffix(room).map { "\u{1B}[2m" + pad($0) + "\u{1B}[0m" }
        lines += Array(repeating: "", count: max(0, height - 1 - lines.count))
        lines.append("\u{1B}[2m" + pad("←/→ tab   Enter: Go   Ctrl-U: clear   Ctrl-C: quit") + "\u{1B}[0m")
        return "\u{1B}[H" + lines.prefix(height).map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    }

    private var tabs: String {
        Tab.allCases.map { tab in
            tab == front ? "\u{1B}[7m \(tab.title) \u{1B}[0m" : " \(tab.title) "
        }.joined(separator: "│")
    }

    private var rule: String { String(repeating: "─", count: width) }

    private var addressLine: String {
        let room = max(1, width - 12)
        let shown = printable(address).suffix(room)
        return " \(shown)\u{1B}[5m▏\u{1B}[0m" + String(repeating: " ", count: room - shown.count) + "[ Go ]"
    }

    private var content: [String] {
        let title =
            switch page {
            case .blank: "Type an address and press Enter."
            case .loading(let url): "Loading \(url) ..."
            case .loaded(_, let page): page.title
            case .failed(let url, let why): "\(url) cannot be shown. \(why)"
            }
        var text = [pad("  " + title)]
        if case .loaded(_, let page) = page {
            text.append("")
            text += page.lines.prefix(max(0, height / 2)).map { pad("  " + $0) }
        }
        let pictures = images.map { pad("  ▣ " + $0) }
        return [""] + text + pictures + ["", overlay, ""]
    }

    /// Alpha as shades: of the background, from dark to middle grey, and of the text upon it.
    private var overlay: String {
        guard overlayAlpha > 0.01 else { return "" }
        let share = min(1, overlayAlpha / Overlay.fullAlpha)
        let background = 232 + Int(share * 12)
        let text = 240 + Int(share * 15)
        let margin = max(0, (width - Overlay.message.count - 6) / 2)
        return String(repeating: " ", count: margin)
            + "\u{1B}[48;5;\(background)m\u{1B}[38;5;\(text)m  \(indicator) \(Overlay.message)  \u{1B}[0m"
    }

    private func pad(_ text: String) -> String {
        String(printable(text).prefix(width))
    }

    /// A text from another device must not steer this terminal.
    private func printable(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: "?"
                default: Character(scalar)
                }
            })
    }
}
