import BatonCore
import Foundation
import Testing

@testable import Baton

/// Items and what is said of them, without a daemon.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct SearchableItemTests {
    /// The properties of Apple's seven headers.
    private static let properties: [String: [String]] = [
        "General": [
            "displayName", "alternateNames", "path", "contentURL", "thumbnailURL", "thumbnailData", "darkThumbnailURL",
            "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier", "metadataModificationDate", "contentType",
            "contentTypeTree", "keywords", "title", "version", "userCreated", "userOwned", "userCurated", "rankingHint",
            "domainIdentifier", "supportsPhoneCall", "supportsNavigation", "actionIdentifiers", "sharedItemContentType",
            "containerTitle", "containerDisplayName", "containerIdentifier", "containerOrder",
            "providerDataTypeIdentifiers", "providerFileTypeIdentifiers", "providerInPlaceFileTypeIdentifiers",
        ],
        "Documents": [
            "subject", "theme", "contentDescription", "identifier", "audiences", "fileSize", "pageCount", "pageWidth",
            "pageHeight", "securityMethod", "creator", "encodingApplications", "kind", "fontNames",
        ],
        "Events": ["dueDate", "completionDate", "startDate", "endDate", "importantDates", "allDay"],
        "Media": [
            "editors", "participants", "projects", "downloadedDate", "contentSources", "comment", "copyright",
            "lastUsedDate", "contentCreationDate", "contentModificationDate", "addedDate", "duration",
            "contactKeywords", "codecs", "mediaTypes", "streamable", "totalBitRate", "videoBitRate", "audioBitRate",
            "deliveryType", "organizations", "role", "languages", "rights", "publishers", "contributors", "coverage",
            "rating", "ratingDescription", "playCount", "information", "director", "producer", "genre", "performers",
            "originalFormat", "originalSource", "local", "contentRating", "url",
        ],
        "Music": [
            "audioSampleRate", "audioChannelCount", "tempo", "keySignature", "timeSignature",
            "audioEncodingApplication", "composer", "lyricist", "album", "artist", "audioTrackNumber", "recordingDate",
            "musicalGenre", "generalMIDISequence", "musicalInstrumentCategory", "musicalInstrumentName",
        ],
        "Messaging": [
            "accountIdentifier", "accountHandles", "htmlContentData", "textContent", "authors", "primaryRecipients",
            "additionalRecipients", "hiddenAdditionalRecipients", "emailHeaders", "mailboxIdentifiers", "authorNames",
            "recipientNames", "authorEmailAddresses", "recipientEmailAddresses", "authorAddresses",
            "recipientAddresses", "phoneNumbers", "emailAddresses", "instantMessageAddresses", "likelyJunk",
        ],
        "Places": [
            "headline", "instructions", "thoroughfare", "subThoroughfare", "postalCode", "city", "stateOrProvince",
            "country", "fullyFormattedAddress", "altitude", "latitude", "longitude", "speed", "timestamp",
            "imageDirection", "namedLocation",
        ],
        "GPS": [
            "gpsTrack", "gpsStatus", "gpsMeasureMode", "gpsdop", "gpsMapDatum", "gpsDestLatitude", "gpsDestLongitude",
            "gpsDestBearing", "gpsDestDistance", "gpsProcessingMethod", "gpsAreaInformation", "gpsDateStamp",
            "gpsDifferental",
        ],
        "Images": [
            "pixelHeight", "pixelWidth", "pixelCount", "colorSpace", "bitsPerSample", "flashOn", "focalLength",
            "focalLength35mm", "acquisitionMake", "acquisitionModel", "cameraOwner", "lensModel", "isoSpeed",
            "orientation", "layerNames", "whiteBalance", "aperture", "profileName", "resolutionWidthDPI",
            "resolutionHeightDPI", "exposureMode", "exposureTime", "exifVersion", "exifgpsVersion", "hasAlphaChannel",
            "redEyeOn", "meteringMode", "maxAperture", "fNumber", "exposureProgram", "exposureTimeString",
        ],
    ]

    @Test("all 187 properties of Apple's headers are there, each stored under its own name (H-39)")
    func properties() throws {
        #expect(Self.properties.values.reduce(0) { $0 + $1.count } == 187)
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/Baton/CoreSpotlight")
        for (file, names) in Self.properties {
            let path = folder.appendingPathComponent("CSSearchableItemAttributeSet+\(file).swift")
            let text = try String(contentsOf: path, encoding: .utf8)
            for name in names {
                #expect(text.contains("    public var \(name): "), "\(file): \(name)")
                #expect(text.contains("store.set(\"\(name)\", newValue"), "\(file): \(name)")
            }
            #expect(text.components(separatedBy: "    public var ").count - 1 == names.count, "\(file)")
        }
    }

    @Test("persons, headers of messages and types come back as they were set, also from an archive")
    func messages() throws {
        let set = CSSearchableItemAttributeSet(contentType: .text)
        #expect(set.authors == nil && set.likelyJunk == false && set.actionIdentifiers == [])
        let person = CSPerson(displayName: "Ada", handles: ["ada@example.com"], handleIdentifier: "emailAddresses")
        person.contactIdentifier = "card-1"
        set.authors = [person]
        set.primaryRecipients = []
        set.emailHeaders = ["To": ["ada@example.com", "b@example.com"], "X-Count": [3]]
        set.likelyJunk = true
        set.actionIdentifiers = ["call"]
        set.sharedItemContentType = .image
        set.mailboxIdentifiers = [CSMailboxInbox]
        let data = try NSKeyedArchiver.archivedData(withRootObject: set, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSearchableItemAttributeSet.self, from: data))
        #expect(read.authors == [person] && read.authors?.first?.contactIdentifier == "card-1")
        #expect(read.primaryRecipients == [] && read.likelyJunk == true && read.actionIdentifiers == ["call"])
        #expect(read.emailHeaders?["To"] as? [String] == ["ada@example.com", "b@example.com"])
        #expect(read.emailHeaders?["X-Count"] as? [Int] == [3])
        #expect(read.sharedItemContentType == .image && read.mailboxIdentifiers == ["inbox"])
        let key = try #require(CSCustomAttributeKey(keyName: "owner"))
        set.setValue(person, forCustomKey: key)
        #expect(set.value(forCustomKey: key) as? CSPerson == person)
        set.setValue(NSArray(array: [person, NSString("x")]), forCustomKey: key)
        #expect((set.value(forCustomKey: key) as? NSArray)?.firstObject as? CSPerson == person)
        // A value that is no person reads as none.
        #expect(CSPerson(.dictionary([.string("kind"): .string("person")])) == nil)
    }

    @Test("an item has an identifier, is kept for 30 days unless it says otherwise, and its archive gives an equal one")
    func items() throws {
        let set = CSSearchableItemAttributeSet(itemContentType: "public.text")
        set.title = "Title"
        let item = CSSearchableItem(uniqueIdentifier: nil, domainIdentifier: "a.b", attributeSet: set)
        #expect(UUID(uuidString: item.uniqueIdentifier) != nil && item.domainIdentifier == "a.b" && !item.isUpdate)
        let month: TimeInterval = 30 * 24 * 60 * 60
        #expect(abs(item.expirationDate.timeIntervalSinceNow - month) < 60 && item.chosenExpiration == nil)
        item.expirationDate = .distantFuture
        #expect(item.expirationDate == .distantFuture)
        item.expirationDate = nil
        #expect(abs(item.expirationDate.timeIntervalSinceNow - month) < 60)
        let data = try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CSSearchableItem.self, from: data))
        #expect(read == item && read.attributeSet.title == "Title")
        let copy = try #require(item.copy() as? CSSearchableItem)
        copy.attributeSet.title = "Other"
        #expect(item.attributeSet.title == "Title" && copy != item)
        #expect(item.compare(byRank: copy) == .orderedSame)
        (item.rank, copy.rank) = (0, 1)
        #expect(item.compare(byRank: copy) == .orderedAscending && copy.compare(byRank: item) == .orderedDescending)
        let other = CSSearchableItem(uniqueIdentifier: "other", domainIdentifier: nil, attributeSet: copy.attributeSet)
        other.rank = 2
        let results = [CSSearchQuery.Results.Item(item: other), CSUserQuery.Item(item: item)]
        #expect(results.sorted().map(\.id) == [item.uniqueIdentifier, "other"])
        #expect(Set(results + [CSSearchQuery.Item(item: copy)]).count == 2)
    }

    @Test("a text in several languages is read in the person's first one that there is")
    func localized() {
        let text = CSLocalizedString(localizedStrings: ["en": "Hello", "de": "Hallo", "pt-BR": "Olá", 5: "no", "x": 5])
        #expect(text.text(for: ["de-AT", "en"]) == "Hallo" && text.text(for: ["pt-PT"]) == "Olá")
        #expect(text.text(for: ["fr"]) == "Hello" && text.text(for: ["de_DE.UTF-8"]) == "Hallo")
        #expect(CSLocalizedString(localizedStrings: ["fr": "Salut"]).text(for: ["ja"]) == "Salut")
        #expect(CSLocalizedString(localizedStrings: [:]).localizedString() == "")
    }

    @Test("errors have Apple's numbers, and are caught by their names")
    func errors() {
        let numbers: [(CSIndexError.Code, Int)] = [
            (.unknownError, -1), (.indexUnavailableError, -1000), (.invalidItemError, -1001),
            (.invalidClientStateError, -1002), (.remoteConnectionError, -1003), (.quotaExceeded, -1004),
            (.indexingUnsupported, -1005),
        ]
        for (code, number) in numbers {
            let error = CSIndexError(code) as NSError
            #expect(error.code == number && error.domain == "CSIndexErrorDomain")
        }
        #expect((CSSearchQueryError(.invalidQuery) as NSError).code == -2002)
        do {
            throw CSIndexError(.quotaExceeded)
        } catch CSIndexError.quotaExceeded {
        } catch {
            Issue.record("\(error)")
        }
    }
}
