import BatonCore
import BatonWire
import Foundation
import SearchText
import SwiftProtobuf
import Synchronization
import Testing

@testable import Spotlight

@Suite("What people find")
struct SpotlightTests {
    private static let places: [Baton_App_V1_SearchableIndexStep] = [
        .item("1", "Yank Sing", "Dim sum restaurant in Rincon Center, San Francisco", domain: "food.chinese"),
        .item("2", "Tadich Grill", "Seafood restaurants of old San Francisco", domain: "food.seafood"),
        .item("3", "Golden Gate Bridge", "A bridge, and walking along it", domain: "sights"),
        .item("4", "Café Zoë", "Coffee. 東京都の地図", domain: "food"),
    ]

    @Test("Words are found in titles and texts, in any form, case and accent; all of them must be there")
    func finding() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        #expect(try await service.titles("yank sing") == ["Yank Sing"])
        #expect(try await Set(service.titles("restaurant")) == ["Yank Sing", "Tadich Grill"])
        #expect(try await service.titles("RESTAURANTS dim") == ["Yank Sing"])
        #expect(try await service.titles("cafe zoe") == ["Café Zoë"])
        #expect(try await service.titles("walked bridges") == ["Golden Gate Bridge"])
        #expect(try await service.titles("京都") == ["Café Zoë"])
        // One character is a word, too, wherever it stands in a run; a part of another one is not.
        for character in ["東", "都", "図"] {
            #expect(try await service.titles(character) == ["Café Zoë"], "\(character)")
        }
        #expect(try await service.titles("橋").isEmpty)
        #expect(try await service.titles("the yank of sing") == ["Yank Sing"])
        #expect(try await service.titles("nothing like it").isEmpty)
        #expect(try await service.titles("").isEmpty)
        service.close()
    }

    @Test("As one types, the last word is the beginning of a name")
    func typing() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        #expect(try await service.titles("y", isTyping: true) == ["Yank Sing"])
        #expect(try await service.titles("golden br", isTyping: true) == ["Golden Gate Bridge"])
        #expect(try await service.titles("yank s", isTyping: true) == ["Yank Sing"])
        #expect(try await service.titles("ya").isEmpty)
        service.close()
    }

    @Test(
        "The last word is the beginning of words in texts, too; those that have it whole come first, and it is not mistyped"
    )
    func beginnings() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(
            Self.places + [
                .item("5", "Notes", "An old seafo of the harbour"), .item("6", "Kart", "Kartoffeln und Türen"),
            ])
        for isTyping in [false, true] {
            #expect(try await Set(service.titles("restau", isTyping: isTyping)) == ["Yank Sing", "Tadich Grill"])
            #expect(try await service.titles("dim restau", isTyping: isTyping) == ["Yank Sing"])
            #expect(try await service.titles("seafo", isTyping: isTyping) == ["Notes", "Tadich Grill"])
            #expect(try await service.titles("türe", isTyping: isTyping) == ["Kart"])
        }
        let search = try await service.search("restau")
        #expect(search.corrections.isEmpty && search.hits.count == 2)
        // Only the last word, and not before it has three letters; a space ends it.
        #expect(try await service.titles("restau dim").isEmpty)
        #expect(try await service.titles("re").isEmpty)
        #expect(try await service.titles("seafo ") == ["Notes"])
        service.close()
    }

    @Test("Words in quotes stand together, and what has a word behind a minus is not found")
    func quotesAndMinus() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        for isTyping in [false, true] {
            #expect(try await service.titles("\"dim sum\"", isTyping: isTyping) == ["Yank Sing"])
            #expect(try await service.titles("“sum dim”", isTyping: isTyping).isEmpty)
            #expect(try await service.titles("restaurant -dim", isTyping: isTyping) == ["Tadich Grill"])
            #expect(try await service.titles("francisco -\"dim sum\"", isTyping: isTyping) == ["Tadich Grill"])
            #expect(try await service.search("francisco -restaurants").hits.isEmpty)
        }
        // In a word or by itself it is no minus, and a query of nothing else asks for the word.
        #expect(try await service.titles("dim-sum") == ["Yank Sing"])
        #expect(try await service.titles("dim - sum") == ["Yank Sing"])
        #expect(try await service.titles("-tadich") == ["Tadich Grill"])
        #expect(try await service.titles("\"dim") == ["Yank Sing"])
        service.close()
    }

    @Test("A mistyped word finds what it was meant for, and the search says so")
    func mistyped() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        #expect(try await service.search("reataurants dmi").hits.first?.item.title == "Yank Sing")
        let search = try await service.search("tadihc restuarant francisco")
        #expect(search.hits.first?.item.title == "Tadich Grill")
        #expect(search.corrections.map(\.word) == ["tadihc", "restuarant"])
        #expect(search.corrections.map { $0.replacements.first } == ["tadich", "restaurant"])
        service.close()
    }

    @Test("A mistyped word finds what was indexed a moment ago, though its words were looked for before")
    func mistypedAtOnce() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        #expect(try await service.search("tadihc").hits.isEmpty)
        try await service.index(Self.places)
        #expect(try await service.search("tadihc").hits.first?.item.title == "Tadich Grill")
        service.close()
    }

    @Test("A word that documents write in two is found in one, and is not mistyped")
    func halves() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([
            .item("1", "Wi-Fi of the cabin", "The password is on the fridge"), .item("2", "Invoice", "1,250.00 EUR"),
            .item("3", "Wife", "fi wi"), .item("4", "AT&T", "Süd Tirol"),
        ])
        let search = try await service.search("wifi password")
        #expect(search.hits.first?.item.title == "Wi-Fi of the cabin" && search.corrections.isEmpty)
        #expect(try await service.titles("wifi") == ["Wi-Fi of the cabin"])
        #expect(try await service.titles("1250") == ["Invoice"])
        #expect(try await service.titles("südtirol") == ["AT&T"])
        // A word that some document has is that word.
        try await service.index([.item("5", "About wifi")])
        #expect(try await service.titles("wifi") == ["About wifi"])
        let marked = try #require(try await service.search("1250").hits.first?.context)
        let bytes = Array(marked.text.utf8)
        #expect(marked.highlights.map { String(decoding: bytes[$0], as: UTF8.self) } == ["1", "250"])
        service.close()
    }

    @Test("What is not what was asked but about the same comes after it, as related")
    func related() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        let hits = try await service.search("yank francisco").hits
        #expect(hits.map(\.item.title).prefix(2) == ["Yank Sing", "Tadich Grill"])
        #expect(hits.prefix(2).map(\.isRelated) == [false, true])
        service.close()
    }

    @Test("The words in their context are marked")
    func context() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        let context = try #require(try await service.search("rincon").hits.first?.context)
        let utf8 = Array(context.text.utf8)
        #expect(context.highlights.map { String(decoding: utf8[$0], as: UTF8.self) } == ["Rincon"])
        service.close()
    }

    @Test(
        "An exact title is first, then newness and use decide between equal texts; a container stands before what it holds"
    )
    func order() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("old", "Budget plan")])
        device.advance(days: 20)
        try await service.index([
            .item("new", "Budget plan two"), .item("exact", "Budget"),
            .item("photo", "Album picture", "holiday holiday holiday", ["containerIdentifier": .string("album")]),
            .item("album", "Pictures of the holiday in the mountains with everybody", "many other words in it"),
        ])
        #expect(try await service.titles("budget").first == "Budget")
        #expect(try await service.titles("budget plan") == ["Budget plan", "Budget plan two"])
        #expect(try await service.search("holiday").hits.map(\.item.key) == ["album", "photo"])
        service.close()
    }

    @Test("An item is opened once, as CSSearchableItemActionType with its identifier, and with an action that it has")
    func opening() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Yank Sing", "", ["actionIdentifiers": .array([.string("call")])])])
        let hit = try #require(try await service.search("yank").hits.first)
        #expect(try await service.open(hit.id).isHandled)
        #expect(try await service.open(hit.id, action: "call").isHandled)
        let opened = device.state.withLock { $0.opened }
        #expect(opened.map(\.type) == ["com.apple.corespotlightitem", "com.apple.corespotlightitem"])
        #expect(opened[0].userInfo == ["kCSSearchableItemActivityIdentifier": .string("1")])
        #expect(opened[1].userInfo["CSActionIdentifier"] == .string("call"))
        #expect(opened[0].app == SearchDevice.notes)
        // By its title, as the person sees it.
        device.state.withLock { $0.options.actionTitles = ["call": "Call the Restaurant"] }
        #expect(try await service.open(hit.id, action: "call the restaurant").isHandled)
        #expect(device.state.withLock { $0.opened.last?.userInfo["CSActionIdentifier"] } == .string("call"))
        await #expect { try await service.open(hit.id, action: "fly") } throws: {
            ($0 as? BatonError)?.reason == "no_such_action"
        }
        try await service.index([.delete("1")])
        await #expect { try await service.open(hit.id) } throws: { ($0 as? BatonError)?.reason == "no_such_result" }
        await #expect { try await service.open("’; DROP") } throws: { ($0 as? BatonError)?.reason == "no_such_result" }
        service.close()
    }

    @Test("A later call wins, an update changes named attributes only, and a null removes one")
    func updates() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "First", "alpha"), .item("1", "Second", "beta")])
        #expect(try await service.titles("alpha").isEmpty)
        #expect(try await service.titles("beta") == ["Second"])
        try await service.index([.item("1", "Third", isUpdate: true, ["comment": .string("gamma")])])
        #expect(try await service.titles("beta gamma") == ["Third"])
        try await service.index([.item("1", "", isUpdate: true, ["textContent": .null])])
        #expect(try await service.titles("beta").isEmpty)
        #expect(try await service.titles("gamma") == ["Third"])
        service.close()
    }

    @Test("Deleting a domain deletes those below it and nothing else")
    func domains() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places + [.item("5", "Foodless", domain: "foodless")])
        try await service.index([.item("1", "Yank Sing of mail", domain: "food")], of: SearchDevice.mail)
        try await service.index([.delete(domain: "food")])
        #expect(try await service.titles("yank") == ["Yank Sing of mail"])
        #expect(try await service.titles("tadich").isEmpty)
        #expect(try await service.titles("cafe").isEmpty)
        #expect(try await service.titles("foodless") == ["Foodless"])
        #expect(try await service.titles("golden") == ["Golden Gate Bridge"])
        service.close()
    }

    @Test("Without a date an item goes after 30 days, with one that has passed at once")
    func expiry() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let now = Int64(device.state.withLock { $0.now })
        try await service.index([
            .item("month", "Month item"), .item("year", "Year item", expires: now + 365 * 86_400_000),
            .item("past", "Past item", expires: now - 1),
        ])
        #expect(try await Set(service.titles("item")) == ["Month item", "Year item"])
        device.advance(days: 31)
        #expect(try await service.titles("item") == ["Year item"])
        service.close()
    }

    @Test("An app sees its own items only, by the whole fingerprint of its team")
    func owners() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([.item("1", "Secret plan")])
        for app in [SearchDevice.mail, SearchDevice.otherNotes] {
            #expect(try await service.identifiers("title == \"Secret*\"", of: app).isEmpty)
            #expect(try await service.identifiers("secret", of: app, user: true).isEmpty)
            try await service.index([.delete("1"), .deleteEverything], of: app)
        }
        #expect(try await service.identifiers("title == \"Secret*\"") == ["1"])
        #expect(try await service.identifiers("secr", user: true) == ["1"])
        service.close()
    }

    @Test("Queries of an app hold over all attributes, by candidates of the index and without")
    func queries() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([
            .item("a", "Trip to Paris", "Louvre", ["rating": .integer(5), "authorNames": .array([.string("Ann")])]),
            .item("b", "Comparison", "Paris", ["rating": .integer(2)]),
        ])
        #expect(try await service.identifiers("title == \"Paris\"wc") == ["a"])
        #expect(try await service.identifiers("title == \"*paris*\"c") == ["b", "a"])
        #expect(try await service.identifiers("rating > 3 || textContent == \"Paris\"") == ["b", "a"])
        #expect(try await service.identifiers("authorNames == \"Ann\" && title == \"trip\"wc") == ["a"])
        #expect(try await service.identifiers("title == \"TRIP TO PARIS\"c") == ["a"])
        await #expect { try await service.identifiers("title == “Paris”") } throws: {
            ($0 as? BatonError)?.reason == "invalid_query"
        }
        service.close()
    }

    @Test("Suggestions complete the last word from names of the app's items, chosen ones first")
    func suggestions() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index(Self.places)
        let query = Baton_App_V1_UserQuery.with {
            $0.text = "golden g"
            $0.maximumSuggestions = 5
        }
        let found = try await service.suggestions(query, of: SearchDevice.notes)
        #expect(found.map(\.text) == ["Golden Gate Bridge"])
        #expect(found.first?.typed.map { [$0.start, $0.length] } == [[0, 6], [7, 1]])
        #expect(try await service.suggestions(query, of: SearchDevice.mail).isEmpty)
        try await service.engaged(.with { $0.suggestion = "golden gates" }, of: SearchDevice.notes)
        #expect(try await service.suggestions(query, of: SearchDevice.notes).first?.text == "golden gates")
        service.close()
    }

    @Test("An activity is found as itself, is opened by itself, and goes when it is deleted or its item is")
    func activities() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        func activity(_ id: String, _ title: String, related: String? = nil, domain: String = "") -> SearchableActivity
        {
            var attributes: [String: PropertyValue] = ["title": .string(title)]
            if let related { attributes["relatedUniqueIdentifier"] = .string(related) }
            return SearchableActivity(
                id: id, app: SearchDevice.notes, attributes: attributes, domain: domain, relatedItem: related,
                saved: 1_800_000_000_000, expires: 1_900_000_000_000, size: 100)
        }
        device.state.withLock { state in
            state.activities = [
                "A": activity("A", "Reading about Zanzibar"), "B": activity("B", "Zanzibar item", related: "7"),
                "C": activity("C", "Zanzibar domain", domain: "trips.africa"),
            ]
        }
        try await service.followActivities()
        #expect(try await Set(service.titles("zanzibar")) == ["Reading about Zanzibar", "Zanzibar domain"])
        let hit = try #require(try await service.search("reading zanzibar").hits.first)
        #expect(try await service.open(hit.id).isHandled)
        #expect(device.state.withLock { $0.opened.last?.userInfo } == ["id": .string("A")])
        try await service.index([.item("7", "Thing"), .delete(domain: "trips")])
        #expect(device.state.withLock { $0.activities["C"] } == nil)
        device.state.withLock { $0.activities["B"] = activity("B2", "Zanzibar item", related: "7") }
        device.state.withLock { state in
            state.activities["B2"] = activity("B2", "Zanzibar item", related: "7")
            state.activities["B"] = nil
        }
        try await service.followActivities()
        #expect(try await Set(service.titles("zanzibar")) == ["Reading about Zanzibar", "Zanzibar item"])
        try await service.index([.delete("7")])
        try await service.followActivities()
        #expect(try await service.titles("zanzibar") == ["Reading about Zanzibar"])
        #expect(device.state.withLock { $0.activities["B2"] } == nil)
        service.close()
    }

    @Test("A locked device finds no item of the class “complete”, opens none, gives its app none, and says why")
    func locked() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.update(
            .with {
                $0.index.protection = .complete
                $0.steps = [.item("secret", "Diary of Zanzibar")]
            }, of: SearchDevice.notes)
        try await service.index([.item("open", "Map of Zanzibar")])
        #expect(try await Set(service.titles("zanzibar")) == ["Diary of Zanzibar", "Map of Zanzibar"])
        let hit = try #require(try await service.search("diary").hits.first)
        device.state.withLock { $0.isUnlocked = false }
        #expect(try await service.titles("zanzibar") == ["Map of Zanzibar"])
        #expect(try await service.identifiers("diary", limit: 20).isEmpty)
        #expect(try await service.identifiers("title == \"*Zanzibar*\"") == ["open"])
        await #expect { try await service.open(hit.id) } throws: { ($0 as? BatonError)?.reason == "no_such_result" }
        #expect(try await service.whyNot(SearchDevice.notes.bundleID, "secret").contains("locked"))
        device.state.withLock { $0.isUnlocked = true }
        #expect(try await service.open(hit.id).isHandled)
        service.close()
    }

    @Test(
        "Documents are found by name and text, and followed when they change, move and go; one in the cloud only by its name"
    )
    func documents() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let folder = TestDocuments()
        let indexer = DocumentIndexer(service, documents: folder, recorder: NullEventRecorder())
        folder.put("1", "Menu.md", "# Dim sum", app: SearchDevice.notes)
        folder.put("2", "Letter.html", "<p>Dear <b>Zo&#235;</b><script>sum()</script>")
        folder.put("3", "Away.txt", "secret dumplings", isReadable: false)
        folder.put("4", "Picture.png", "dumplings")
        await indexer.round()
        #expect(try await service.titles("dim sum") == ["Menu.md"])
        #expect(try await service.titles("dear zoe") == ["Letter.html"])
        #expect(try await service.titles("away") == ["Away.txt"])
        #expect(try await service.titles("dumplings").isEmpty)
        #expect(folder.reads == ["1", "2"])
        let letter = try #require(try await service.search("letter").hits.first)
        #expect(service.name(of: letter.item) == "iCloud Drive")
        var inFolder = letter.item
        inFolder.key = "0000/iCloud.baton.folder.Photos:00ff"
        #expect(service.name(of: inFolder) == "folder Photos")

        // An unchanged document is not read again, by the next daemon neither.
        let next = DocumentIndexer(service, documents: folder, recorder: NullEventRecorder())
        await next.round()
        #expect(folder.reads == ["1", "2"])
        folder.put("1", "Menu.md", "# Noodles", app: SearchDevice.notes, modified: 2000)
        folder.put("3", "Away.txt", "secret dumplings")
        folder.remove("2")
        await next.round()
        #expect(try await service.titles("noodles") == ["Menu.md"])
        #expect(try await service.titles("dumplings") == ["Away.txt"])
        #expect(try await service.titles("dim sum").isEmpty)
        #expect(try await service.titles("letter").isEmpty)

        // Renamed, and its app gone: the document is still the person's.
        folder.put("1", "Card.md", "# Noodles", modified: 2000)
        await next.round()
        #expect(try await service.titles("noodles") == ["Card.md"])
        service.close()
    }

    @Test(
        "What an import extension says of a document finds it, under its own name and path; another version of the app is asked again (P-6)"
    )
    func importedDocuments() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let folder = TestDocuments()
        let indexer = DocumentIndexer(service, documents: folder, recorder: NullEventRecorder())
        folder.says(
            "1",
            [
                "title": .string("Review of Yank Sing"), "textContent": .string("Dumplings"),
                "path": .string("/etc/passwd"),
                "rankingHint": .integer(100), "relatedUniqueIdentifier": .string("x"),
                "keywords": .array([.string("dim")]),
            ])
        folder.says("2", ["textContent": .string("Noodles")])
        folder.put("1", "Lunch.review", "x", importer: "1")
        folder.put("2", "Other.review", "x", importer: "none")
        await indexer.round()
        for words in ["yank", "dumplings", "dim", "lunch"] {
            #expect(try await service.titles(words) == ["Lunch.review"], "\(words)")
        }
        #expect(try await service.titles("other") == ["Other.review"])
        let hit = try #require(try await service.search("dumplings").hits.first)
        _ = try await service.open(hit.id)
        #expect(device.state.withLock { $0.openedFiles } == ["/containers/Lunch.review"])
        folder.put("1", "Lunch.review", "x", importer: "2")
        await indexer.round()
        #expect(try await service.titles("noodles") == ["Lunch.review"])
        #expect(try await service.titles("dumplings").isEmpty)
        service.close()
    }

    @Test("The text of a document is that of its type; what is too large or no text has none")
    func documentTexts() {
        func text(_ content: String, _ name: String) -> String {
            DocumentText.text(of: Array(content.utf8), name: name)
        }
        #expect(text("plain", "a.TXT") == "plain")
        #expect(text("<b>bold</b>", "a.htm").contains("bold") && !text("<b>bold</b>", "a.htm").contains("<"))
        #expect(text("<b>", "a.md") == "<b>")
        #expect(text("code", "a.swift") == "code" && text("see", "README") == "see")
        #expect(text("<note>no <b>tag</b></note>", "a.xml").split(separator: " ") == ["no", "tag"])
        #expect(text("%PDF", "a.pdf").isEmpty && text("none", "txt").isEmpty && text("none", "swift").isEmpty)
        #expect(text("a\0b", "a.txt").isEmpty)
        #expect(DocumentText.text(of: [0xFC, 0x62, 0x65, 0x72], name: "a.txt") == "über")
        #expect(DocumentText.text(of: [0xFF, 0xFE, 0x61, 0x00], name: "a.txt") == "a")
        // As Windows writes quotes, and not control characters of Latin-1.
        #expect(DocumentText.text(of: [0x93, 0x61, 0x94], name: "a.txt") == "“a”")
        let japanese: [UInt8] = [0x93, 0x8C, 0x8B, 0x9E]
        let page = DocumentText.text(of: Array("<meta charset=Shift_JIS><p>".utf8) + japanese, name: "a.html")
        #expect(page.contains("東京"))
        #expect(DocumentText.text(of: Array("-*- coding: sjis -*-\n".utf8) + japanese, name: "a.org").hasSuffix("東京"))
        // UTF-8 is recognised, whatever the file says, and with one broken character, too.
        #expect(text("<meta charset=iso-8859-9>東京", "a.html").contains("東京"))
        #expect(DocumentText.text(of: Array("東京".utf8) + [0xFF], name: "a.txt") == "東京\u{FFFD}")
        #expect(DocumentText.text(of: [0xDE, 0x61, 0x70], name: "a.txt", language: "tr_TR.UTF-8") == "Şap")
        // Names of characters, and tags within words.
        let dessert =
            "<h1>Cr&egrave;me br&ucirc;l&eacute;e</h1>Fu<b>ß<EM>b</EM></b>all&nbsp;ab<br>cd &alpha;&#x3B2; &nope;"
        #expect(
            text(dessert, "a.html").split(separator: " ")
                == ["Crème", "brûlée", "Fußball", "ab", "cd", "αβ", "&nope;"])
        #expect(DocumentText.text(of: [UInt8](repeating: 97, count: (1 << 20) + 1), name: "a.txt").isEmpty)
    }

    @Test("A document is found by the folders in which it lies, below its container")
    func foldersOfDocuments() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let paths = [
            "/home/ann/baton/documents/AAAA/iCloud.baton.Drive/Documents/Recipes/Cakes/IMG_1.jpg",
            "/home/ann/baton/documents/AAAA/iCloud.baton.Drive/Documents/IMG_2.jpg", "/home/ann/Sea/IMG_3.jpg",
            "IMG_4.jpg",
        ]
        try await service.documentsChanged(
            paths.map { path in
                let name = path.split(separator: "/").last.map(String.init) ?? ""
                return FoundDocument(app: nil, key: path, path: path, name: name, text: "", modified: 1)
            }, gone: [])
        #expect(try await service.titles("recipe") == ["IMG_1.jpg"])
        #expect(try await service.titles("recipes cakes img") == ["IMG_1.jpg"])
        #expect(try await service.titles("sea") == ["IMG_3.jpg"])
        #expect(try await service.search("sea").hits.map(\.context.text) == ["IMG_3.jpg"])
        for word in ["documents", "drive", "ann", "home"] {
            #expect(try await service.search(word).hits.isEmpty, "\(word)")
        }
        service.close()
    }

    @Test("A document is found by other forms of its words, whatever the language of the person")
    func languagesOfDocuments() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let texts = [
            "russian": "Встретиться с бухгалтером насчёт договора аренды квартиры.",
            "german":
                "Die Versicherungen haben die Rechnungen noch nicht bezahlt, und ich soll sie an den Arzt schicken.",
            "english": "The children were running to the house, and we had to wait for them.",
        ]
        try await service.documentsChanged(
            texts.map { name, text in
                FoundDocument(app: nil, key: name, path: "/c/\(name)", name: "\(name).txt", text: text, modified: 1)
            }, gone: [])
        for (query, name) in [
            ("договор", "russian"), ("квартира", "russian"), ("Versicherung Rechnung", "german"), ("runs", "english"),
        ] {
            let answer = try await service.search(query)
            #expect(answer.hits.map { $0.item.title } == ["\(name).txt"], "\(query)")
            #expect(answer.corrections.isEmpty, "\(query)")
        }
        service.close()
    }

    @Test("Words of Chinese, Japanese and Korean need no space between them, and each must be there")
    func joinedWords() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        try await service.index([
            .item("1", "北京旅行计划", "第一天去故宫"), .item("2", "東京の天気"), .item("3", "서울의 맛집"),
        ])
        for query in ["北京计划", "北京 计划", "北京旅行", "计划北京"] {
            #expect(try await service.titles(query) == ["北京旅行计划"], "\(query)")
        }
        #expect(try await service.titles("東京天気", isTyping: true) == ["東京の天気"])
        #expect(try await service.titles("서울맛집") == ["서울의 맛집"])
        for query in ["南京计划", "北京天気", "京计"] {
            let search = try await service.search(query)
            #expect(search.hits.allSatisfy(\.isRelated) && search.corrections.isEmpty, "\(query)")
        }
        service.close()
    }

    @Test("Words have the stems of all languages of the index, and are found at the end of longer words")
    func languages() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        func languages(_ code: String) -> [String: PropertyValue] { ["languages": .array([.string(code)])] }
        for (number, code) in ["de", "fr", "es", "tr", "it", "nl"].enumerated() {
            try await service.index([
                .item("\(number)", "Filler", "", languages(code)),
                .item("\(number + 10)", "Filler", "", languages(code)),
            ])
        }
        try await service.index([
            .item("r", "Встреча с Анной", "поезд в Москву", languages("ru")), .item("k", "Käsekuchen ohne Boden"),
        ])
        for query in ["встреча", "встречи", "москва"] {
            #expect(try await service.titles(query) == ["Встреча с Анной"], "\(query)")
        }
        let search = try await service.search("kuchen")
        #expect(search.hits.first?.item.title == "Käsekuchen ohne Boden")
        #expect(search.corrections.map { $0.replacements } == [["kasekuchen"]])
        service.close()
    }

    @Test("A document whose name without its ending is the query is first")
    func documentNames() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        func document(_ name: String, _ text: String, modified: UInt64) -> FoundDocument {
            FoundDocument(app: nil, key: name, path: "/" + name, name: name, text: text, modified: modified)
        }
        let now = device.clock.milliseconds
        try await service.documentsChanged(
            [
                document("Rechnung.pdf", "", modified: now - 90 * 86_400_000),
                document("Rechnung Mai.md", "Rechnung Rechnung Rechnung", modified: now),
            ], gone: [])
        #expect(try await service.titles("rechnung") == ["Rechnung.pdf", "Rechnung Mai.md"])
        #expect(try await service.titles("rechnung pdf") == ["Rechnung.pdf"])
        service.close()
    }

    @Test("Pages and documents are found, opened, and named by their source")
    func pagesAndDocuments() async throws {
        let device = try SearchDevice()
        let service = try device.service()
        let url = try #require(URL(string: "https://www.example.com/best-dim-sum?x=1"))
        try await service.index(
            page: VisitedPage(url: url, title: "The best dim sum", browser: "Chromium", visited: 1_800_000_000_000))
        try await service.documentsChanged(
            [
                FoundDocument(
                    app: SearchDevice.notes, key: "d1", path: "/tmp/Menu.md", name: "Menu.md", text: "# Dim sum",
                    modified: 1_800_000_000_000)
            ],
            gone: [])
        let hits = try await service.search("dim sum").hits
        #expect(Set(hits.map(\.item.title)) == ["The best dim sum", "Menu.md"])
        #expect(hits.map { service.name(of: $0.item) }.contains("www.example.com in Chromium"))
        for hit in hits { #expect(try await service.open(hit.id).isHandled) }
        #expect(Set(device.state.withLock { $0.openedFiles }) == [url.absoluteString, "/tmp/Menu.md"])
        try await service.documentsChanged([], gone: [(SearchDevice.notes, "d1")])
        #expect(try await service.titles("dim sum") == ["The best dim sum"])
        #expect(try await service.forget(.site("example.com")) == 1)
        #expect(try await service.titles("dim sum").isEmpty)
        service.close()
    }
}

/// Containers that a test has in its hands.
private final class TestDocuments: SpotlightDocuments {
    private struct State {
        var documents: [String: (listed: ListedDocument, content: String)] = [:]
        var reads: [String] = []
        var imported: [String: [String: PropertyValue]] = [:]
    }

    private let state = Mutex(State())

    var reads: [String] { state.withLock { $0.reads.sorted() } }

    func imported(_ document: ListedDocument) async -> [String: PropertyValue]? {
        state.withLock { $0.imported[document.importer] }
    }

    /// The attributes that an import extension gives every document.
    func says(_ importer: String, _ attributes: [String: PropertyValue]) {
        state.withLock { $0.imported[importer] = attributes }
    }

    func put(
        _ key: String, _ name: String, _ content: String, app: AppIdentity? = nil, modified: UInt64 = 1000,
        isReadable: Bool = true, importer: String = ""
    ) {
        let listed = ListedDocument(
            app: app, key: key, path: "/containers/\(name)", name: name, modified: modified, isReadable: isReadable,
            importer: importer)
        state.withLock { $0.documents[key] = (listed, content) }
    }

    func remove(_ key: String) { state.withLock { $0.documents[key] = nil } }

    func changes(all: Bool, each: (ListedChanges) async throws -> Void) async throws -> Bool {
        let listed = state.withLock { $0.documents.values.map(\.listed).sorted { $0.key < $1.key } }
        try await each(ListedChanges(documents: listed))
        return true
    }

    func content(of document: ListedDocument) async -> [UInt8]? {
        state.withLock { state in
            state.reads.append(document.key)
            return state.documents[document.key].map { Array($0.content.utf8) }
        }
    }
}
