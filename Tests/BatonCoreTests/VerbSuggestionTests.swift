import BatonCore
import Testing

@Suite("Mistyped verbs")
struct VerbSuggestionTests {
    private static let root = VerbTree(
        name: "tool",
        verbs: [
            VerbTree(name: "serve"),
            VerbTree(name: "accounts", verbs: [VerbTree(name: "list"), VerbTree(name: "usage")], hasDefault: true),
        ])

    @Test(
        "the one that was meant is named with the words before it; what is no verb is left to the parser",
        arguments: [
            (["acounts"], "There is no command “acounts”. Did you mean “tool accounts”?"),
            (["--home", "serv", "accounts", "usa"], "There is no command “usa”. Did you mean “tool accounts usage”?"),
            (["zzz"], "There is no command “zzz”. “tool --help” lists those that there are."),
            (["accounts", "QK3T7A"], nil), (["serve", "usge"], nil), (["help", "acounts"], nil),
            (["--", "acounts"], nil), ([], nil),
        ] as [([String], String?)])
    func suggestions(arguments: [String], expected: String?) {
        #expect(VerbSuggestion(arguments, root: Self.root)?.message == expected)
    }

    @Test("where no option stands before the verb, one that does is left to the parser")
    func options() {
        let arguments = ["--config", "/etc/tool", "acounts"]
        #expect(VerbSuggestion(arguments, root: Self.root, optionsFirst: false) == nil)
        let expected = VerbSuggestion(["accounts", "usa"], root: Self.root)
        #expect(VerbSuggestion(["accounts", "usa"], root: Self.root, optionsFirst: false) == expected)
    }
}
