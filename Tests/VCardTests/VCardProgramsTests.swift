import Testing
import VCard

/// Cards as programs and telephones write them: each value that an app is shown (P-48).
@Suite struct VCardProgramsTests {
    private func documents(_ text: String) -> [VCardDocument] {
        VCardFile(Array(text.replacing("\n", with: "\r\n").utf8)).documents
    }

    private func card(_ lines: String, version: String = "3.0") throws -> ContactCard {
        let found = documents("BEGIN:VCARD\nVERSION:\(version)\n\(lines)\nEND:VCARD\n")
        try #require(found.count == 1)
        return found[0].card
    }

    @Test("Address books of Apple: an iPhone's number is no mobile one's, and places belong to their address")
    func apple() throws {
        let card = try card(
            """
            N:Appleseed;John;;;
            FN:John Appleseed
            TEL;type=IPHONE;type=CELL;type=VOICE;type=pref:+1 (800) 275-2273
            item1.ADR;type=HOME;type=pref:;;1 Way\\nApt. 2;Hangzhou;Zhejiang;310000;China
            item1.X-ABADR:cn
            item1.X-APPLE-SUBLOCALITY:Jianggan
            item1.X-APPLE-SUBADMINISTRATIVEAREA:Hangzhou Shi
            item2.URL;type=pref:https\\://example.com
            item2.X-ABLabel:_$!<HomePage>!$_
            IMPP;X-SERVICE-TYPE=Skype;type=HOME;type=pref:skype:johnny
            X-SOCIALPROFILE;type=twitter;x-userid=1;x-user=johnny:http://twitter.com/johnny
            BDAY;VALUE=date;X-APPLE-OMIT-YEAR=1604:1604-04-12
            PHOTO;ENCODING=b;TYPE=JPEG;X-ABCROP-RECTANGLE=ABClipRect_1&0&0&5&5&xyz==:/9j/
             4AAQ
            """)
        #expect(card.telephones == [.init(label: "iphone", value: "+1 (800) 275-2273", isPreferred: true)])
        let address = try #require(card.addresses.first?.value)
        #expect(address.street == "1 Way\nApt. 2" && address.isoCountryCode == "cn")
        #expect(address.subLocality == "Jianggan" && address.subAdministrativeArea == "Hangzhou Shi")
        #expect(card.urls == [.init(label: "homepage", value: "https://example.com", isPreferred: true)])
        #expect(card.instantMessages.map(\.value) == [.init(service: "Skype", username: "johnny", url: "skype:johnny")])
        #expect(card.instantMessages.map(\.label) == ["home"])
        #expect(card.socialProfiles.map(\.value.username) == ["johnny"])
        #expect(card.birthday == .init(month: 4, day: 12) && card.image == [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10])
        var again = ContactCard(identifier: "1")
        again.addresses = card.addresses
        let written = VCardWriter().bytes(of: again)
        #expect(String(decoding: written, as: UTF8.self).contains("item1.X-APPLE-SUBLOCALITY:Jianggan\r\n"))
        #expect(VCardFile(written).documents.first?.card.addresses == card.addresses)
    }

    @Test("Android: nickname, relations and days of its own property, labels in the person's letters, text in pieces")
    func android() throws {
        let card = try card(
            """
            N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=59=C4=B1=6C=6D=61=7A;=C5=
            =9E=75=6C=65;;;
            TEL;X-Beach house:1
            TEL;CELL,VOICE;PREF:+90 555 111 22 33
            X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;Neen;1;;;;;;;;;;;;;
            X-ANDROID-CUSTOM:vnd.android.cursor.item/relation;Mary;8;;;;;;;;;;;;;
            X-ANDROID-CUSTOM:vnd.android.cursor.item/relation;Bob;0;Neighbour;;;;;;;;;;;;
            X-ANDROID-CUSTOM:vnd.android.cursor.item/contact_event;2010-06-01;1;;;;;;;;;;;;;
            X-ANDROID-CUSTOM:vnd.com.example/other;x;1
            X-QQ:12345
            BDAY:--05-14
            """, version: "2.1")
        #expect(card.familyName == "Yılmaz" && card.givenName == "Şule" && card.nickname == "Neen")
        #expect(card.telephones.map(\.label) == ["Beach house", "mobile"])
        #expect(card.telephones.map(\.isPreferred) == [false, true])
        #expect(card.relations == [.init(label: "mother", value: "Mary"), .init(label: "Neighbour", value: "Bob")])
        #expect(card.dates == [.init(label: "anniversary", value: .init(year: 2010, month: 6, day: 1))])
        #expect(card.instantMessages.map(\.value.service) == ["QQ"] && card.birthday == .init(month: 5, day: 14))
    }

    @Test(
        "Older telephones: each character set that they name",
        arguments: [
            ("ISO-8859-9", "Ay=FEe =DDnan", "Ayşe İnan"), ("windows-1250", "Ji=F8=ED =8Aim=F9nek", "Jiří Šimůnek"),
            ("SHIFT_JIS", "=8ER=93c", "山田"), ("KOI8-R", "=E9=D7=C1=CE", "Иван"), ("GB2312", "=D5=C5=C8=FD", "张三"),
            ("ISO-8859-15", "100 =A4", "100 €"), ("X-UNKNOWN", "Zo=C3=AB", "Zoë"), ("SHIFT_JIS", "Ann=FF", "Annÿ"),
        ])
    func charsets(name: String, text: String, expected: String) throws {
        let card = try card("FN;ENCODING=QUOTED-PRINTABLE;CHARSET=\(name):\(text)", version: "2.1")
        #expect(card.formattedName == expected)
    }

    @Test("A soft break keeps the white space behind it, and the end of a card behind one ends the card")
    func softBreaks() throws {
        let found = documents(
            """
            begin:vcard
            version:2.1
            NOTE;ENCODING=QUOTED-PRINTABLE:Hello=
             World=0D=0Anext=
            END:VCARD
            begin:vcard
            n:Lee;Ann
            end:vcard
            """)
        #expect(found.map(\.card.note) == ["Hello World\nnext", ""])
        #expect(found.map(\.card.givenName) == ["", "Ann"])
        var card = found[0].card
        card.jobTitle = "Cook"
        #expect(VCardFile(VCardWriter().bytes(of: card, replacing: found[0])).documents.map(\.card) == [card])
    }

    @Test("A fold in the middle of a character, and UTF-16 without a mark")
    func bytes() {
        var folded = Array("BEGIN:VCARD\r\nFN:Zo".utf8)
        folded += [0xC3, 0x0D, 0x0A, 0x20, 0xAB] + Array("\r\nEND:VCARD\r\n".utf8)
        let units = Array("BEGIN:VCARD\r\nFN:Zoë\r\nEND:VCARD\r\n".utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        for file in [folded, little, big] {
            #expect(VCardFile(file).documents.map(\.card.formattedName) == ["Zoë"])
        }
    }

    @Test("Version 4: one form of a value with ALTID, what is preferred, several notes, extensions, escaped data URIs")
    func version4() throws {
        let card = try card(
            """
            N;ALTID=1;LANGUAGE=en:Yamada;Taro;Philip,Paul;;
            N;ALTID=1;LANGUAGE=jp:山田;太郎;;Dr.;
            FN:T. Yamada
            FN;PREF=1:Taro Yamada
            ADR;ALTID=1;LANGUAGE=en:;;1 Way;Tokyo;;;Japan
            ADR;ALTID=1;LANGUAGE=jp:;;一;東京;;;日本
            TEL;VALUE=uri;PREF=1;TYPE="VOICE,Hut":tel:+1-555-0100;ext=5
            EMAIL;PREF=2:b@example.com
            NOTE:one
            NOTE;LANGUAGE=en:two
            IMPP;X-SERVICE-TYPE=Jabber:ann@example.com
            PHOTO:data:image/jpeg;base64\\,/9j/4AAQ
            BDAY;VALUE=date-and-or-time:1980-4-12
            TITLE:
            ORG:;;
            """, version: "4.0")
        #expect(
            card.familyName == "Yamada" && card.middleName == "Philip Paul" && card.namePrefix.isEmpty
                && card.formattedName == "Taro Yamada")
        #expect(card.addresses.map(\.value.city) == ["Tokyo"])
        #expect(card.telephones == [.init(label: "Hut", value: "+1-555-0100;ext=5", isPreferred: true)])
        #expect(TelephoneNumber.dialled("+1-555-0100;ext=5") == "+15550100")
        #expect(card.emails == [.init(value: "b@example.com")] && card.note == "one\ntwo")
        #expect(card.instantMessages.map(\.value) == [.init(service: "Jabber", username: "ann@example.com")])
        #expect(card.image?.count == 6 && card.birthday == .init(year: 1980, month: 4, day: 12))
        #expect(card.jobTitle.isEmpty && card.organizationName.isEmpty)
    }

    @Test("Evolution, Nextcloud, Thunderbird: quoted types, slots, addresses of messengers")
    func desktops() throws {
        let card = try card(
            """
            TEL;X-EVOLUTION-UI-SLOT=1;TYPE="work,voice":030 1
            TEL;TYPE="HOME,VOICE":030 2
            EMAIL;TYPE=work;PREF=1:a@example.com
            X-JABBER;X-EVOLUTION-UI-SLOT=1;TYPE=HOME:a@example.org
            X-EVOLUTION-SPOUSE:Bob
            RELATED;TYPE=friend:Cid
            URL;TYPE=work;VALUE=URL:https://example.com/a\\,b
            X-SOCIALPROFILE;TYPE=MASTODON:https://example.social/@ann
            BDAY;VALUE=DATE:19800412
            ANNIVERSARY:0000-04-12
            PHOTO;VALUE=uri:file:///etc/passwd
            """)
        #expect(card.telephones.map(\.label) == ["work", "home"] && card.emails.map(\.isPreferred) == [true])
        #expect(
            card.instantMessages == [.init(label: "home", value: .init(service: "Jabber", username: "a@example.org"))])
        #expect(card.relations == [.init(label: "spouse", value: "Bob"), .init(label: "friend", value: "Cid")])
        #expect(card.urls.map(\.value) == ["https://example.com/a,b"])
        #expect(card.socialProfiles.map(\.value.username) == ["@ann"])
        #expect(card.birthday == .init(year: 1980, month: 4, day: 12) && card.image == nil)
        #expect(card.dates.map(\.value) == [.init(month: 4, day: 12)])
    }

    @Test("A change of one value leaves the lines of the others as they are, in their place (P-48)")
    func keeping() throws {
        let text = """
            BEGIN:VCARD
            VERSION:4.0
            FN:Ann
            TEL;X-EVOLUTION-UI-SLOT=1;TYPE="work,voice":1
            TEL;TYPE=cell:2
            item1.TEL;TYPE=PREF:3
            item1.X-ABLabel:Hut
            ADR;ALTID=1;LANGUAGE=en:PO 1;;1 Way;Tokyo;;;Japan
            ADR;ALTID=1;LANGUAGE=jp:;;一;東京;;;日本
            TITLE:Cook
            TITLE:Baker
            PHOTO;ENCODING=b:/9j/

            IMPP:
            REV:20200101T000000Z
            END:VCARD

            """
        let old = try #require(documents(text).first)
        var card = old.card
        card.telephones[1].value = "4"
        card.telephones.append(.init(label: "Hut", value: "5"))
        card.jobTitle = "Chef"
        card.addresses.append(.init(label: "work", value: card.addresses[0].value))
        let written = String(decoding: VCardWriter().bytes(of: card, replacing: old), as: UTF8.self)
            .replacing("\r\n", with: "\n")
        #expect(
            written == """
                BEGIN:VCARD
                VERSION:4.0
                FN:Ann
                TEL;X-EVOLUTION-UI-SLOT=1;TYPE="work,voice":1
                TEL;TYPE=cell:4
                item1.TEL;TYPE=PREF:3
                item2.TEL:5
                item2.X-ABLabel:Hut
                item1.X-ABLabel:Hut
                ADR;ALTID=1;LANGUAGE=en:PO 1;;1 Way;Tokyo;;;Japan
                ADR;ALTID=1;LANGUAGE=jp:;;一;東京;;;日本
                ADR;TYPE=work:;;PO 1\\n1 Way;Tokyo;;;Japan
                TITLE:Chef
                TITLE:Baker
                PHOTO;ENCODING=b:/9j/

                IMPP:
                REV:20200101T000000Z
                END:VCARD

                """)
        #expect(documents(written).first?.card == card)
        card.addresses.removeFirst()
        let less = String(decoding: VCardWriter().bytes(of: card, replacing: old), as: UTF8.self)
        #expect(!less.contains("ALTID"))
    }
}
