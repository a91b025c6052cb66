import SearchText
import Testing

@Suite("The language of a text that does not say it")
struct LanguageGuessTests {
    @Test(
        "Letters say it, or the words that every text of a language has",
        arguments: [
            ("ru", "Купить молоко, хлеб и ёлку. Договор аренды квартиры."),
            ("el", "Συνάντηση στην Αθήνα για την έκθεση."),
            ("ar", "اجتماع مع المهندس أحمد في القاهرة لمناقشة مشروع البناء الجديد."), ("hi", "कल दिल्ली में बैठक है।"),
            ("de", "Ich habe die Rechnung noch nicht bezahlt, und sie liegt auf dem Tisch bei den anderen."),
            ("en", "The children were running to the house, and we had to wait for them."),
            ("fr", "Les élèves étaient arrivés avec leurs parents, mais il ne les avait pas vus dans la cour."),
            ("es", "El niño no quiere que su madre se vaya, pero ella tiene que trabajar en la ciudad."),
            ("tr", "Ihlamur ağacının altında ılık çay içtik; Iğdır'dan arkadaşlar gelmişti."),
            ("tr", "Bu kitap benim için çok güzel, ama daha ucuz olan bir şey ne kadar?"),
        ])
    func clear(code: String, text: String) {
        var guess = LanguageGuess()
        #expect(guess.language(of: text)?.code == code)
    }

    @Test("Nothing is said of a few words, of names, of languages without a list, and of no words at all")
    func unclear() {
        var guess = LanguageGuess()
        for text in [
            "", "\0\u{FFFD}", "Milk, bread, eggs", "de la en a", "Anna Schmidt, Jean Dupont, Ali Veli", "東京タワー",
            "Spotkanie z księgową w sprawie umowy najmu mieszkania, a potem na obiad do mamy.",
        ] { #expect(guess.language(of: text) == nil, "\(text)") }
        // These have no stems here, and are not Russian.
        #expect(guess.language(of: "Зустріч із бухгалтером щодо договору оренди її квартири")?.code == "und")
        #expect(guess.language(of: "این کتاب را برای شما می‌خوانم و چای می‌نوشم")?.code == "und")
    }

    @Test("A long text takes no longer than its beginning")
    func long() {
        var guess = LanguageGuess()
        let text =
            "The house and the tree are in the garden of the old man. "
            + String(repeating: "der die das und ", count: 100_000)
        #expect(guess.language(of: String(repeating: "a", count: 1_000_000)) == nil)
        #expect(guess.language(of: text) != nil)
    }
}
