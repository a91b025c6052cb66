import Testing
import VCard

/// Writing cards: what was read is written and read again, and what is not understood stays.
@Suite struct VCardWriterTests {
    private func document(_ text: String) throws -> VCardDocument {
        try #require(VCardFile(Array(text.replacing("\n", with: "\r\n").utf8)).documents.first)
    }

    private var full: ContactCard {
        var card = ContactCard(identifier: "id-1")
        (card.givenName, card.familyName, card.middleName) = ("Zoë; \\ Ann", "Gül, A", "M")
        (card.namePrefix, card.nameSuffix, card.nickname) = ("Dr.", "Jr.", "Z")
        (card.previousFamilyName, card.phoneticGivenName, card.phoneticFamilyName) = ("Old", "Zo", "Gu")
        (card.phoneticMiddleName, card.phoneticOrganizationName) = ("Em", "Or")
        card.formattedName = "Zoë Gül"
        (card.organizationName, card.departmentName, card.jobTitle) = ("Örg; Inc.", "R&D", "Boss")
        card.note = "a line that is so long that it must be folded: " + String(repeating: "ü\n", count: 100)
        card.telephones = [
            .init(label: "mobile", value: "+49 170 1", isPreferred: true), .init(label: "Beach, house", value: "2"),
            .init(label: "workfax", value: "3"), .init(value: "4"), .init(label: "school", value: "5"),
        ]
        card.emails = [.init(label: "home", value: "a@example.com"), .init(label: "iPhone", value: "b@example.com")]
        var address = ContactCard.Address()
        (address.street, address.city, address.isoCountryCode) = ("1 Way\nFloor 2", "Köln", "de")
        (address.subLocality, address.state, address.postalCode, address.country) = (
            "Süd; A", "NRW", "50667", "Germany"
        )
        card.addresses = [.init(label: "work", value: address), .init(label: "hut", value: address)]
        card.urls = [.init(label: "homepage", value: "https://example.com/?a=1,2;3")]
        card.instantMessages = [
            .init(label: "home", value: .init(service: "Jabber", username: "z@x", url: "xmpp:z@x"))
        ]
        card.socialProfiles = [
            .init(value: .init(service: "Mastodon", username: "z", url: "https://example.social/@z"))
        ]
        card.relations = [.init(label: "mother", value: "Mary"), .init(label: "Boss's boss", value: "Bob")]
        card.birthday = .init(month: 2, day: 29)
        card.dates = [.init(label: "anniversary", value: .init(year: 2020, month: 1, day: 2))]
        card.image = [0x89, 0x50, 0x4E, 0x47] + (0..<200).map { UInt8($0) }
        card.isOrganization = true
        return card
    }

    @Test(
        "What is written is read as the same card, in each version, in lines of at most 76 bytes",
        arguments: [
            VCardVersion.v2, .v3, .v4,
        ])
    func roundTrip(_ version: VCardVersion) throws {
        let bytes = VCardWriter(version: version).bytes(of: full)
        let read = try #require(VCardFile(bytes).documents.first)
        #expect(read.card == full)
        #expect(read.version == version && read.unreadable == 0)
        if version != .v2 {
            #expect(bytes.split(separator: 0x0A).allSatisfy { $0.count <= 76 })
            #expect(bytes.split(separator: 0x0A).allSatisfy { String(validating: $0, as: UTF8.self) != nil })
        }
    }

    @Test("A change leaves every other line as it is, byte for byte, with its label")
    func keeping() throws {
        let text = """
            BEGIN:VCARD
            VERSION:3.0
            UID:1
            FN:Ann
            N:Ann;;;;
            X-UNKNOWN;A=b:this\\, and th
             at
            item1.TEL:123
            item1.X-ABLabel:Beach
            item2.X-OTHER:x
            item2.X-ABLabel:Kept
            item3.EMAIL:ann@example.com
            item3.X-ABLabel:Odd
            CATEGORIES:a,b
            REV:20200101T000000Z
            END:VCARD

            """
        let old = try document(text)
        var card = old.card
        card.telephones[0].value = "456"
        let new = VCardWriter(revision: "20300101T000000Z").bytes(of: card, replacing: old)
        let written = String(decoding: new, as: UTF8.self).replacing("\r\n", with: "\n")
        for line in [
            "X-UNKNOWN;A=b:this\\, and th\n at\n", "item2.X-OTHER:x\nitem2.X-ABLabel:Kept\n",
            "item3.EMAIL:ann@example.com\nitem3.X-ABLabel:Odd\n", "CATEGORIES:a,b\n", "REV:20300101T000000Z\n",
        ] { #expect(written.contains(line), "\(line)") }
        #expect(!written.contains("123") && !written.contains("REV:2020"))
        #expect(try document(written).card == card)
        // Without a change, nothing changes.
        #expect(VCardWriter().bytes(of: old.card, replacing: old) == Array(text.replacing("\n", with: "\r\n").utf8))
    }

    @Test("A text cannot end its line, or begin another property")
    func injection() throws {
        var card = ContactCard(identifier: "1")
        card.formattedName = "Ann\r\nEND:VCARD\r\nBEGIN:VCARD"
        card.telephones = [.init(label: "x\nTEL:2", value: "1\r\nTEL:2")]
        card.socialProfiles = [.init(value: .init(service: "a\"b\r\nTEL:3", username: "u;\nTEL:4:", url: ""))]
        for version in [VCardVersion.v2, .v3, .v4] {
            let documents = VCardFile(VCardWriter(version: version).bytes(of: card)).documents
            #expect(documents.count == 1 && documents[0].card.telephones.count == 1)
        }
    }
}
