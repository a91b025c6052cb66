import BatonCore
import Testing

/// Texts that are older than UTF-8.
@Suite struct TextEncodingTests {
    @Test(
        "Bytes of an encoding are the text that they were made of",
        arguments: [
            ("ISO-8859-1", [0xFC, 0x62, 0x65, 0x72] as [UInt8], "über"), ("cp1252", [0x93, 0x80, 0x94], "“€”"),
            ("iso-8859-2", [0xAE, 0x6C, 0x75, 0xBB], "Žluť"), ("ISO_8859-9", [0xDD, 0xFE, 0xFD, 0xF0], "İşığ"),
            ("iso8859-15", [0x35, 0xA4], "5€"), ("windows-1251", [0xCF, 0xF0, 0xE8], "При"),
            ("koi8-r", [0xF0, 0xD2], "Пр"),
            ("ibm866", [0x8F, 0xE0], "Пр"), ("GB18030", [0xC4, 0xE3, 0xBA, 0xC3], "你好"), ("gbk", [0xC4, 0xE3], "你"),
            ("big5", [0xA7, 0x41, 0xA6, 0x6E], "你好"), ("Shift_JIS", [0x93, 0x8C, 0x8B, 0x9E], "東京"),
            ("EUC-JP", [0xC5, 0xEC, 0xB5, 0xFE], "東京"), ("euc-kr", [0xBE, 0xC8], "안"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x45, 0x6C, 0x1B, 0x28, 0x42], "東"), ("utf-16be", [0x67, 0x71], "東"),
        ])
    func reading(label: String, bytes: [UInt8], text: String) {
        #expect(TextEncoding(label: label)?.text(of: bytes[...]) == text)
    }

    @Test("A text says how it is read by a mark, in markup, or to an editor; an unknown word says nothing")
    func declarations() {
        func markup(_ text: String) -> TextEncoding? { .declared(inMarkup: Array(text.utf8)) }
        func text(_ text: String) -> TextEncoding? { .declared(inText: Array(text.utf8)) }
        #expect(markup("<meta charset=Shift_JIS>") == TextEncoding(label: "sjis"))
        #expect(
            markup("<META HTTP-EQUIV=Content-Type CONTENT=\"text/html; charset=ISO-8859-9\">")
                == TextEncoding(label: "windows-1254"))
        #expect(markup("<?xml version='1.0' encoding='koi8-r'?>") == TextEncoding(label: "koi8-r"))
        #expect(markup("<p encoding='koi8-r'>") == nil && markup("<meta charset=nonsense>") == nil)
        // It could be read, so it is none.
        #expect(markup("<meta charset=utf-16>") == .utf8)
        #expect(text("# -*- coding: latin-1 -*-") == .windows1252)
        #expect(text("Title\n% vim: set fileencoding=cp1251 :") == TextEncoding(label: "windows-1251"))
        #expect(text("one\ntwo\ncoding: latin-1") == nil && text("encoding") == nil)
        #expect(TextEncoding(label: "") == nil && TextEncoding(label: "utf-9") == nil)
        #expect(TextEncoding.mark(of: [0xEF, 0xBB, 0xBF, 0x61])?.length == 3 && TextEncoding.mark(of: [0x61]) == nil)
    }

    @Test(
        "Without a word it is UTF-8 where most of it is that, else Windows-1252; one broken character changes nothing")
    func guessing() {
        #expect(TextEncoding.guessed(for: Array("über 東京".utf8)) == .utf8)
        #expect(TextEncoding.guessed(for: Array("über 東京".utf8) + [0xFF]) == .utf8)
        #expect(TextEncoding.guessed(for: [0xFC, 0x62, 0x65, 0x72]) == .windows1252)
        #expect(TextEncoding.guessed(for: [] as [UInt8]) == .utf8)
        // “Отчёт о продажах” of a Russian, read under another LANG.
        let windows: [UInt8] = [
            0xCE, 0xF2, 0xF7, 0xB8, 0xF2, 0x20, 0xEE, 0x20, 0xEF, 0xF0, 0xEE, 0xE4, 0xE0, 0xE6, 0xE0, 0xF5,
        ]
        let koi8: [UInt8] = [
            0xEF, 0xD4, 0xDE, 0xA3, 0xD4, 0x20, 0xCF, 0x20, 0xD0, 0xD2, 0xCF, 0xC4, 0xC1, 0xD6, 0xC1, 0xC8,
        ]
        for bytes in [windows, koi8] {
            #expect(TextEncoding.guessed(for: bytes, language: "de_DE").text(of: bytes[...]) == "Отчёт о продажах")
        }
        let french =
            Array("La fille a cr".utf8) + [0xE9, 0xE9, 0x65] + Array(", d".utf8) + [0xE9, 0x6A, 0xE0]
            + Array(" ".utf8) + [0xE9, 0x74, 0xE9] + Array(" h".utf8) + [
                0xE9, 0x6C, 0xE9, 0x20, 0xE0, 0x20, 0xE9, 0x74, 0xE9,
            ]
        #expect(TextEncoding.guessed(for: french) == .windows1252)
    }

    @Test(
        "What is no UTF-8 and says nothing is read as Windows wrote it in the person's language",
        arguments: [
            ("tr_TR.UTF-8", [0xDE, 0x61, 0x70, 0x6B, 0x61] as [UInt8], "Şapka"),
            ("ru_RU.UTF-8", [0xCF, 0xF0, 0xE8], "При"),
            ("pl", [0xBF, 0xF3, 0xB3, 0x77], "żółw"), ("ja_JP.UTF-8", [0x93, 0x8C, 0x8B, 0x9E], "東京"),
            ("zh_TW.UTF-8", [0xA7, 0x41, 0xA6, 0x6E], "你好"), ("zh_CN", [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
            ("de_DE.UTF-8", [0xFC, 0x62, 0x65, 0x72], "über"), ("C", [0xFC], "ü"), ("", [0xFC], "ü"),
        ])
    func languages(language: String, bytes: [UInt8], text: String) {
        #expect(TextEncoding.guessed(for: bytes, language: language).text(of: bytes[...]) == text)
        #expect(TextEncoding.guessed(for: Array(text.utf8), language: language) == .utf8)
    }

    @Test("A line that cannot be read costs that line")
    func broken() {
        let bytes: [UInt8] = [0x93, 0x8C, 0x0A, 0xFF, 0xFF, 0x0A, 0x8B, 0x9E]
        #expect(TextEncoding(label: "euc-jp") != nil)
        let lines = TextEncoding(label: "shift_jis")?.text(of: bytes[...]).split(separator: "\n") ?? []
        #expect(lines.count == 3 && lines.first == "東" && lines.last == "京")
    }
}
