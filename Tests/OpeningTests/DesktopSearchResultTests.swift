import Opening
import Testing

/// Results as desktops show them, with texts of apps and pages.
@Suite struct DesktopSearchResultTests {
    @Test("A result's texts are one line each, of their own direction, and of bounded length")
    func texts() {
        let result = DesktopSearchResult(
            id: "1", name: "Letter\u{202E}gnp.exe\u{7}\nBank", description: String(repeating: "\u{2066}é", count: 1000),
            icon: .named("x"))
        #expect(result.name == "Lettergnp.exe  Bank")
        #expect(result.description == String(repeating: "é", count: 250))
    }
}
