import BatonCore
import BatonTestSupport
import DocumentFormats
import Testing

/// The text of documents, as office programs, mail programs and `pdftotext` write them.
@Suite("Document formats", .timeLimit(.minutes(5)))
struct DocumentFormatsTests {
    private static func contents(_ bytes: [UInt8]) -> DocumentContents? {
        ArchiveText.contents(of: DocumentFile(bytes))
    }

    private static func mail(_ text: String) -> DocumentContents? {
        MailText.contents(of: DocumentFile(Array(text.replacing("\n", with: "\r\n").utf8)))
    }

    @Test("A document has its words, also those of several runs, its title, author and keywords")
    func documents() async throws {
        let samples = try await SampleDocuments()
        let letter = try #require(Self.contents(try samples.bytes("Letter.docx")))
        #expect(letter.text.string.contains("The pelican lands & rests. Left Right "))
        #expect(letter.text.string.hasSuffix("Letterhead"))
        #expect(letter.title == "Harbour fees" && letter.authors == ["Ada Quayside"])
        #expect(letter.attributes["keywords"] == .array([.string("mooring")]))

        let budget = try #require(Self.contents(try samples.bytes("Budget.xlsx")))
        #expect(
            budget.text.string
                == "Gulls & terns Seagull feed 4711 Zürich 2026-03-12 2026-03-12 14:30 09:05 30:00 25% 1234.50 0.3 -7")

        let notes = try #require(Self.contents(try samples.bytes("Notes.odt")))
        #expect(notes.text.string == "First sighting Second")
        #expect(notes.title == "Cormorant diary" && notes.keywords == ["plumage"])
        #expect(Self.contents(try samples.bytes("Prices.ods"))?.text.string == "Herring 12,50")
        #expect(Self.contents(try samples.bytes("Talk.pptx"))?.text.string == "Albatross glides whisper")

        let book = try #require(Self.contents(try samples.bytes("Book.epub")))
        #expect(book.text.string == "One Café terns" && book.title == "The Island" && book.authors == ["Jo Writer"])
    }

    @Test("A workbook's numbers are shown as its styles say, and what is no number, day or style of it harms nothing")
    func numbers() async throws {
        let samples = try await SampleDocuments()
        for (name, days) in [
            ("Days", "1900-01-01 1900-02-28 1900-03-01 2026-03-12"),
            ("Days1904", "1904-01-02 1904-02-29 1904-03-02 2030-03-13"),
        ] {
            let text = try #require(Self.contents(try samples.bytes("\(name).xlsx"))).text.string
            #expect(text == "4711 12.5 1000 0.3 \(days) 1.256 12:00 8 9 gull", "\(name)")
        }
    }

    @Test("An archive says its numbers in 64 bits, too, and none of them leads out of it")
    func largeArchives() async throws {
        let samples = try await SampleDocuments()
        let whole = try samples.bytes("Big.docx")
        let big = try #require(Self.contents(whole))
        #expect(big.text.string == "A fulmar follows" && big.title == "Whale")
        // Each number at its end is any other one.
        for place in max(0, whole.count - 330)..<whole.count {
            for byte: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var bytes = whole
                for index in place..<min(place + 8, bytes.count) { bytes[index] = byte }
                _ = Self.contents(bytes)
            }
        }
    }

    @Test("A mailbox has the subjects and people of all of its mails, and their texts")
    func mailbox() throws {
        let text = """
            From ann@example.com Thu Mar 12 14:30:00 2026
            From: Ann <ann@example.com>
            To: Bo <bo@example.com>
            Subject: =?utf-8?Q?caf=C3=A9?=

            The first walrus
            From here it is quiet.
            >From there, too.

            From bo@example.com Thu Mar 12 15:30:00 2026
            From: Bo <bo@example.com>
            To: Ann <ann@example.com>
            Subject: Re: ice
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/html

            <p>The second wal<b>rus</b></p>
            --b--

            From ann@example.com Thu Mar 12 16:30:00 2026
            From: Ann <ann@example.com>

            last
            """
        for ending in ["\n", "\r\n"] {
            let bytes = Array(text.replacing("\n", with: ending).utf8)
            let mailbox = try #require(MailText.contents(ofMailbox: DocumentFile(bytes)))
            let words = mailbox.text.string.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(
                words
                    == "café Re: ice The first walrus From here it is quiet. >From there, too. The second walrus last")
            #expect(mailbox.authors == ["Ann <ann@example.com>", "Bo <bo@example.com>"])
            #expect(mailbox.recipients == ["Bo <bo@example.com>", "Ann <ann@example.com>"] && mailbox.title.isEmpty)
            for count in 0..<bytes.count {
                _ = MailText.contents(ofMailbox: DocumentFile(Array(bytes.prefix(count))))
            }
        }
        #expect(MailText.contents(ofMailbox: DocumentFile(Array("Subject: x\n\nFrom x".utf8))) == nil)
        // Subjects leave room for texts.
        let many = String(repeating: "From a\nSubject: \(String(repeating: "s", count: 900))\n\ntext\n\n", count: 3000)
        let long = MailText.contents(ofMailbox: DocumentFile(Array(many.utf8)))
        #expect(long?.text.string.contains("text") == true)
        #expect(DocumentFormat(name: "Archive.MBOX") == .mailbox)
    }

    @Test("A mail has its subject, its people, its text once, and the names of what is attached")
    func mail() async throws {
        let samples = try await SampleDocuments()
        let mail = try #require(MailText.contents(of: DocumentFile(try samples.bytes("Post.eml"))))
        #expect(mail.title.hasPrefix("Größe of the puffin colony, with") && mail.title.hasSuffix("several lines"))
        #expect(mail.authors == ["Zoë Burrow <zoe@example.com>"] && mail.recipients == ["Ann <ann@example.com>"])
        #expect(mail.text.string == "The guillemot naïvely nests – next to it.\n Übersicht.bin")
    }

    @Test("A mail's parts are read by their encodings and character sets, one in the other, and no deeper than a bound")
    func mailParts() throws {
        let plain = Self.mail("Subject: =?iso-8859-1?Q?caf=E9_?=\n =?utf-8?B?w7w=?= x\n\nna=EFve\n")
        #expect(plain?.title == "café ü x" && plain?.text.string == "na=EFve")
        let quoted = "Content-Type: text/plain; charset=\"iso-8859-1\"\nContent-Transfer-Encoding: quoted-printable\n\n"
        #expect(Self.mail("From: a\n\(quoted)na=EFve soft=\n ware\n")?.text.string == "naïve soft ware")
        let nested = """
            From: a
            Content-Type: multipart/mixed; boundary="b"

            before
            --b
            Content-Type: message/rfc822

            Subject: within
            Content-Type: multipart/alternative; boundary=bb

            --bb
            Content-Type: text/html

            <style>x{}</style><p>page</p>
            --bb--
            --b
            Content-Type: image/png; name*=utf-8''%C3%BC.png
            Content-Transfer-Encoding: base64

            AAAA
            --b--
            behind
            """
        #expect(Self.mail(nested)?.text.string.split(whereSeparator: \.isWhitespace) == ["within", "page", "ü.png"])
        // No mail, and one whose parts stand in each other without end.
        #expect(Self.mail("walrus\n\nwalrus") == nil && Self.mail("") == nil)
        let deep = String(repeating: "Content-Type: message/rfc822\nFrom: a\n\n", count: 10_000)
        #expect(Self.mail(deep + "\nwalrus")?.text.string.contains("walrus") == false)
        let many = String(repeating: "--b\n\nx\n", count: 100_000)
        #expect(Self.mail("From: a\nContent-Type: multipart/mixed; boundary=b\n\n\(many)") != nil)
    }

    @Test("A text has a bound, which cuts no character")
    func bounds() {
        let long = Self.mail(
            "From: a\nContent-Type: text/plain; charset=utf-8\n\nx" + String(repeating: "ü", count: 100_000))
        #expect(long?.text.string.utf8.count == BoundedText.maximumBytes - 1)
        #expect(long?.text.string.contains("\u{FFFD}") == false)
    }

    @Test("What pdftotext prints of a PDF file is its text and its properties, wherever it is cut off")
    func pages() {
        let page = """
            <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
            <html xmlns="http://www.w3.org/1999/xhtml"><head><title>Tide tables</title>
            <meta name="Author" content="Max &amp; Co"/>
            </head><body><pre>
            a &lt; b
            """
        let contents = PDFText.contents(ofPage: Array(page.utf8), file: "f")
        #expect(contents.title == "Tide tables" && contents.authors == ["Max & Co"])
        #expect(contents.text.string == "a < b")
        #expect(PDFText.contents(ofPage: Array("<title>f</title>".utf8), file: "f").title.isEmpty)
        for count in 0..<page.utf8.count {
            _ = PDFText.contents(ofPage: Array(page.utf8.prefix(count)), file: "f")
        }
    }

    @Test(
        "Archives that grow without end, are cut off, encrypted or have too many parts have no text, and entities stand for nothing"
    )
    func hostile() async throws {
        let samples = try await SampleDocuments()
        for name in ["Zeros", "Parts", "Short", "Sealed", "Locked"] {
            #expect(Self.contents(try samples.bytes("hostile/\(name).docx")) == nil, "\(name)")
        }
        let tags = Self.contents(try samples.bytes("hostile/Tags.docx"))
        #expect(tags == nil)
        let entities = try #require(Self.contents(try samples.bytes("hostile/Entities.docx")))
        #expect(entities.text.string == "before &e19;&f; behind")
    }

    @Test("Whatever bytes of a document are others, its reader comes to an end")
    func damaged() async throws {
        let samples = try await SampleDocuments()
        var generator = SeededGenerator(seed: 1)
        for name in ["Letter.docx", "Notes.odt", "Book.epub", "Talk.pptx", "Post.eml"] {
            let whole = try samples.bytes(name)
            for _ in 0..<60 {
                var bytes = whole
                // Places and lengths stand at the end of an archive, fields at the beginning of a mail.
                let tail = max(0, bytes.count - 600)
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    let range = Bool.random(using: &generator) ? tail..<bytes.count : 0..<bytes.count
                    bytes[Int.random(in: range, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                }
                if Bool.random(using: &generator) {
                    bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
                }
                _ = Self.contents(bytes)?.attributes
                _ = MailText.contents(of: DocumentFile(bytes))?.attributes
            }
        }
    }
}
