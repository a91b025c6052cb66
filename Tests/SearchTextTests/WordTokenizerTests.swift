import SearchText
import Testing

@Suite("Words of texts")
struct WordTokenizerTests {
    private func words(_ text: String) -> [String] {
        var tokenizer = WordTokenizer()
        return tokenizer.words(of: text).map(\.text)
    }

    @Test("Case and diacritics are folded, in composed and decomposed letters alike")
    func folding() {
        #expect(words("Café CAFÉ cafe\u{301} Straße Ærø Łódź") == ["cafe", "cafe", "cafe", "strasse", "aero", "lodz"])
        #expect(words("ﬁnal Ｗide ½") == ["final", "wide", "12"])
        #expect(words("שָׁלוֹם مُحَمَّد") == ["שלום", "محمد"])
    }

    @Test("A word ends where lower case meets upper; the whole is a word too")
    func compounds() {
        #expect(words("MyWindowClass") == ["mywindowclass", "my", "window", "class"])
        #expect(words("iPhone 15 NSWindow") == ["iphone", "i", "phone", "15", "nswindow"])
    }

    @Test("Runs of Chinese, Japanese and Korean are pairs of characters")
    func pairs() {
        #expect(words("東京都 tower カメラ") == ["東京", "京都", "tower", "カメ", "メラ"])
        #expect(words("水 서울시") == ["水", "서울", "울시"])
    }

    @Test("An ending after an apostrophe is no word, what follows an article is")
    func apostrophes() {
        #expect(
            words("Let's see O'Brien’s l’avion rock'n'roll ''") == [
                "let", "see", "o", "brien", "l", "avion", "rock", "roll",
            ])
    }

    @Test("Each word's place in the text is that of its bytes")
    func ranges() {
        let text = "Zoë’s Café, MyWindow 東京"
        var tokenizer = WordTokenizer()
        let pieces = tokenizer.words(of: text).map { word in
            String(decoding: Array(text.utf8)[word.range], as: UTF8.self)
        }
        #expect(pieces == ["Zoë", "Café", "MyWindow", "My", "Window", "東京"])
    }

    @Test("What the index cannot tell apart from a space never stands in a word, whatever the text is")
    func hostile() {
        var random = SystemRandomNumberGenerator()
        var tokenizer = WordTokenizer()
        for _ in 0..<200 {
            let scalars = (0..<200).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x2_FFFF, using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            for word in tokenizer.words(of: text) {
                #expect(!word.bytes.isEmpty && word.bytes.count <= 64)
                #expect(word.range.lowerBound < word.range.upperBound && word.range.upperBound <= text.utf8.count)
                for byte in word.bytes where byte < 0x80 {
                    #expect((0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte), "\(word.bytes)")
                }
                #expect(String(validating: word.bytes, as: UTF8.self) != nil)
            }
        }
    }

    @Test("A folded word folds to itself")
    func idempotence() {
        let text = "Straße ÆON Ǆ ﬀ İstanbul ΣΊΣΥΦΟΣ ῼ ²³ K Å ẛ̣ ﷺ"
        for word in words(text) { #expect(words(word) == [word]) }
    }
}

@Suite("Stems, stop words and languages")
struct StemTests {
    @Test("Words have the stems of their language, and none without one")
    func stems() {
        func stem(_ word: String, _ language: String) -> String {
            String(decoding: WordStemmer(TextLanguage(language)).stem(Array(word.utf8)), as: UTF8.self)
        }
        #expect(stem("running", "en-US") == "run")
        #expect(stem("restaurants", "en") == stem("restaurant", "en"))
        #expect(stem("hauser", "de_DE.UTF-8") == stem("hausern", "de"))
        #expect(stem("running", "") == "running")
        #expect(stem("running", "tlh") == "running")
        #expect(stem("东京", "en") == "东京")
        #expect(TextLanguage("nb-NO") == TextLanguage("no"))
        #expect(TextLanguage("C.UTF-8") == .english)
    }

    @Test(
        "Endings that have letters which folding takes are known in Turkish and Russian, typed with and without them",
        arguments: [
            ("tr", "kitap kitaplar kitapları kitaplari"), ("tr", "toplantı toplantılar toplantilarda TOPLANTI"),
            ("tr", "gözlük gözlükler gözlüğü gozlugu"), ("tr", "köpek köpeği köpekler"),
            ("tr", "kız kızlar kızı kizlar"),
            ("tr", "telefon telefonlar telefonu telefonda"), ("tr", "öğrenci öğrenciler öğrencinin"),
            ("tr", "ışık ışıklar ışığı isiklar"), ("tr", "sınav sınavlar sınavda"), ("tr", "proje projeler projenin"),
            ("ru", "новый новая новые нового"), ("ru", "синий синяя синие"), ("ru", "книга книги книгу"),
        ])
    func foldedEndings(language: String, forms: String) {
        let stemmer = WordStemmer(TextLanguage(language))
        var tokenizer = WordTokenizer()
        let words = tokenizer.words(of: forms)
        let stems = Set(words.map { String(decoding: stemmer.stem($0.bytes), as: UTF8.self) })
        #expect(stems.count == 1, "\(stems)")
        // As words are in the index.
        for stem in stems { #expect(tokenizer.words(of: stem).map(\.text) == [stem]) }
    }

    @Test("Stop words are those of the language")
    func stopWords() {
        #expect(StopWords.contains("the", in: .english))
        #expect(StopWords.contains("und", in: TextLanguage("de")))
        #expect(StopWords.contains("ve", in: TextLanguage("tr")) && StopWords.contains("что", in: TextLanguage("ru")))
        // Water is no “şu”.
        #expect(!StopWords.contains("su", in: TextLanguage("tr")))
        #expect(!StopWords.contains("und", in: .english))
        #expect(!StopWords.contains("the", in: TextLanguage("ja")))
    }

    @Test("The context is the part with most of the words, cut at words, and says where they are")
    func context() {
        let text =
            String(repeating: "Nothing here. ", count: 40) + "The dim sum of Yank Sing is\nnear Rincon Center. "
            + String(repeating: "More text. ", count: 40)
        var tokenizer = WordTokenizer()
        let words = tokenizer.words(of: text)
        let context = TextContext.around(words, in: text) { ["yank", "sing"].contains($0.text) }
        #expect(context.text.contains("Yank Sing is near Rincon"))
        #expect(context.text.utf8.count <= 160)
        let utf8 = Array(context.text.utf8)
        #expect(context.highlights.map { String(decoding: utf8[$0], as: UTF8.self) } == ["Yank", "Sing"])
        #expect(TextContext.around(words, in: text) { _ in false }.highlights.isEmpty)
        #expect(TextContext.around([], in: "") { _ in true }.text.isEmpty)
    }
}
