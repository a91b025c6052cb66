import VCard

/// A file of cards, in any version and character set.
enum VCardTarget: FuzzTarget {
    static let name = "vcard"

    static func seeds() -> [[UInt8]] {
        [
            """
            BEGIN:VCARD\r\nVERSION:3.0\r\nN:Appleseed;Anna;;;\r\nFN:Anna Appleseed\r\nTEL;TYPE=CELL:+49 151 1234567\r
            item1.EMAIL;TYPE=INTERNET:anna@example.org\r\nitem1.X-ABLabel:_$!<Work>!$_\r\nUID:1\r\nEND:VCARD\r\n
            """,
            """
            BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCller;J=\r\n=F6rg\r
            PHOTO;ENCODING=BASE64;TYPE=PNG:\r\n iVBORw0KGgo=\r\n\r\nEND:VCARD\r\n
            """,
            """
            BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Team\r\nKIND:group\r\nMEMBER:urn:uuid:1\r\nIMPP:xmpp:anna@example.org\r
            BDAY:--0415\r\nADR;LABEL="A, B":;;1 Main Street;Town;;12345;\r\nEND:VCARD\r\n
            """,
        ].map { Array($0.utf8) }
    }

    static func run(_ bytes: [UInt8]) {
        let file = VCardFile(bytes)
        for document in file.documents {
            precondition(document.range.lowerBound >= 0 && document.range.upperBound <= file.bytes.count)
        }
        // The same bytes in UTF-8 say the same again.
        precondition(VCardFile(file.bytes).documents.map(\.card) == file.documents.map(\.card))
    }
}
