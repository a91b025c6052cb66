import Testing
import VCard

/// Reading cards of all versions (P-48: a person's card has the person's addresses).
@Suite struct VCardFileTests {
    private func read(_ text: String) -> [VCardDocument] {
        VCardFile(Array(text.replacing("\n", with: "\r\n").utf8)).documents
    }

    private func card(_ lines: String, version: String = "3.0") throws -> ContactCard {
        try #require(read("BEGIN:VCARD\nVERSION:\(version)\n\(lines)\nEND:VCARD\n").first).card
    }

    @Test("P-48: a card of version 3.0 as address books write it is read whole")
    func version3() throws {
        let card = try card(
            """
            UID:7C1A-1
            N:Appleseed;John;Q.\\, R.;Dr.;Jr.
            FN:Dr. John Appleseed
            ORG:Apple Inc.;Orchard
            TITLE:Engineer
            NICKNAME:Johnny
            X-MAIDENNAME:Seed
            X-PHONETIC-FIRST-NAME:Jon
            item1.EMAIL;TYPE=INTERNET;TYPE=pref:john@example.com
            item1.X-ABLabel:_$!<Home>!$_
            EMAIL;TYPE=WORK:work@example.com
            item2.TEL:+1 800 275 2273
            item2.X-ABLabel:Beach house
            TEL;TYPE=CELL;TYPE=VOICE:555-0100
            TEL;TYPE=WORK,FAX:555-0101
            item3.ADR;TYPE=WORK:;;1 Infinite Loop;Cupertino;CA;95014;United States
            item3.X-ABADR:us
            BDAY;X-APPLE-OMIT-YEAR=1604:1604-06-01
            item4.X-ABDATE:2001-02-03
            item4.X-ABLabel:_$!<Anniversary>!$_
            item5.X-ABRELATEDNAMES:Mary
            item5.X-ABLabel:_$!<Mother>!$_
            IMPP;X-SERVICE-TYPE=Jabber;TYPE=HOME:xmpp:john%40example.com
            X-SOCIALPROFILE;TYPE=twitter;x-user=johnny:http://twitter.com/johnny
            X-ABShowAs:COMPANY
            NOTE:two\\nlines
            """)
        #expect(card.identifier == "7C1A-1" && card.isOrganization)
        #expect(
            [card.familyName, card.givenName, card.middleName, card.namePrefix, card.nameSuffix]
                == ["Appleseed", "John", "Q., R.", "Dr.", "Jr."])
        #expect(
            card.organizationName == "Apple Inc." && card.departmentName == "Orchard" && card.jobTitle == "Engineer")
        #expect(card.nickname == "Johnny" && card.previousFamilyName == "Seed" && card.phoneticGivenName == "Jon")
        #expect(card.emails.map(\.label) == ["home", "work"] && card.emails.map(\.isPreferred) == [true, false])
        #expect(card.telephones.map(\.label) == ["Beach house", "mobile", "workfax"])
        #expect(card.addresses.first?.value.isoCountryCode == "us" && card.addresses.first?.value.city == "Cupertino")
        #expect(card.birthday == .init(month: 6, day: 1))
        #expect(card.dates == [.init(label: "anniversary", value: .init(year: 2001, month: 2, day: 3))])
        #expect(card.relations == [.init(label: "mother", value: "Mary")])
        #expect(card.instantMessages.first?.value.username == "john@example.com")
        #expect(card.instantMessages.first?.label == "home")
        #expect(card.socialProfiles.first?.value.service == "twitter")
        #expect(card.note == "two\nlines")
    }

    @Test("Version 2.1: quoted-printable with soft breaks, character sets, bare types, pictures in lines without folds")
    func version2() throws {
        let card = try card(
            """
            N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=
            =B6rg;;;
            FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:J=F6rg M=FCller
            TEL;CELL;PREF:0170 1234567
            EMAIL;INTERNET:joerg@example.com
            PHOTO;JPEG;ENCODING=BASE64:
             /9j/
            4AAQ

            NOTE:after
            """, version: "2.1")
        #expect(card.familyName == "Müller" && card.givenName == "Jörg" && card.formattedName == "Jörg Müller")
        #expect(card.telephones == [.init(label: "mobile", value: "0170 1234567", isPreferred: true)])
        #expect(card.image == [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10])
        #expect(card.note == "after")
    }

    @Test("Version 4.0: PREF, URIs, days without a year, data URIs, KIND and RELATED")
    func version4() throws {
        let document = try #require(
            read(
                """
                BEGIN:VCARD
                VERSION:4.0
                KIND:org
                FN:Orchard
                TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+49-30-1234567
                BDAY:--0415
                ANNIVERSARY:20090808T1430-0500
                RELATED;TYPE=friend;VALUE=text:Ann
                RELATED;TYPE=contact:urn:uuid:f81d4fae
                PHOTO:data:image/png;base64,iVBO
                IMPP:matrix:@ann:example.org
                END:VCARD
                """
            ).first)
        let card = document.card
        #expect(card.isOrganization && card.displayName == "Orchard" && card.identifier.isEmpty)
        #expect(card.telephones == [.init(label: "home", value: "+49-30-1234567", isPreferred: true)])
        #expect(card.birthday == .init(month: 4, day: 15))
        #expect(card.dates.map(\.value) == [.init(year: 2009, month: 8, day: 8)])
        #expect(card.relations == [.init(label: "friend", value: "Ann")])
        #expect(card.image == [0x89, 0x50, 0x4E])
        #expect(card.instantMessages.first?.value.service == "Matrix")
        #expect(document.unreadable == 1)
    }

    @Test("A line that cannot be read costs that line: folds, marks, cards in cards, missing ends")
    func lenience() throws {
        let documents = read(
            """
            rubbish
            BEGIN:VCARD
            VERSION:3.0
            no colon here
            FN;X="unfinished:Ann
             a
            EMAIL:
            BDAY:yesterday
            TEL:1\u{20}
            AGENT:
            BEGIN:VCARD
            FN:Agent
            END:VCARD
            NOTE:still Anna
            begin:vcard
            FN:Next
            """)
        try #require(documents.count == 2)
        #expect(documents[0].card.formattedName == "Anna" && documents[0].card.note == "still Anna")
        #expect(documents[0].card.emails.isEmpty && documents[0].card.birthday == nil)
        #expect(documents[0].unreadable == 2)
        #expect(documents[1].card.formattedName == "Next")
    }

    @Test("Files in UTF-16 and ISO 8859-1, and with the mark of UTF-8")
    func characterSets() throws {
        let text = "BEGIN:VCARD\r\nFN:Zoë\r\nEND:VCARD\r\n"
        let units = Array(text.utf16)
        var (little, big): ([UInt8], [UInt8]) = ([0xFF, 0xFE], [0xFE, 0xFF])
        for unit in units {
            little += [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            big += [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        }
        let latin = text.unicodeScalars.map { UInt8($0.value) }
        for bytes in [little, big, latin, [0xEF, 0xBB, 0xBF] + Array(text.utf8)] {
            #expect(VCardFile(bytes).documents.first?.card.formattedName == "Zoë")
        }
    }

    @Test("Too much is left out: large cards, many cards, many lines and values")
    func bounds() {
        var limits = VCardLimits()
        (limits.cardBytes, limits.cards, limits.lines) = (1000, 2, 5)
        let small = "BEGIN:VCARD\nFN:A\nEND:VCARD\n"
        let large = "BEGIN:VCARD\nNOTE:" + String(repeating: "x", count: 2000) + "\nEND:VCARD\n"
        let file = VCardFile(Array((small + large + small + small).utf8), limits: limits)
        #expect(file.documents.map(\.card.formattedName) == ["A", "A"] && file.skipped == 2)
        let long = "BEGIN:VCARD\n" + String(repeating: "TEL:1\n", count: 9) + "END:VCARD\n"
        #expect(VCardFile(Array(long.utf8), limits: limits).documents.first?.lines.count == 5)
        let many = "BEGIN:VCARD\n" + String(repeating: "TEL:1\n", count: 3000) + "END:VCARD\n"
        #expect(VCardFile(Array(many.utf8)).documents.first?.card.telephones.count == 1000)
    }

    // In the quiet lane: it measures time.
    @Test("Time grows with the size only, whatever is in it")
    func garbage() {
        let seeds = [
            "BEGIN:VCARD\n", "\n ", "=\n", "A;ENCODING=QUOTED-PRINTABLE:=\n", "AGENT:\nBEGIN:VCARD\n", ";", "\"", ":",
            "PHOTO;BASE64:\nAAAA\n", "item1.X-ABLabel:a\n", "\\", "TEL;TYPE=a,b,c:1\n",
        ]
        for seed in seeds {
            func seconds(_ count: Int) -> Double {
                let bytes = Array(("BEGIN:VCARD\nNOTE:" + String(repeating: seed, count: count / seed.utf8.count)).utf8)
                let clock = ContinuousClock()
                return clock.measure { _ = VCardFile(bytes) } / .seconds(1)
            }
            _ = seconds(1000)
            let (one, eight) = (seconds(50_000), seconds(400_000))
            #expect(eight < max(0.1, one * 24), "\(seed.debugDescription): \(one) s, \(eight) s")
        }
    }
}
