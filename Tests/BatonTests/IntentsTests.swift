import BatonCore
import BatonWire
import Foundation
import SwiftProtobuf
import Testing

@testable import Baton

/// Interactions, intents and people, without a daemon and with one of the test's.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct IntentsTests {
    private static func person(_ name: String, _ address: String) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: address, type: .emailAddress, label: .work), nameComponents: nil,
            displayName: name, image: INImage(imageData: Data([1, 2])), contactIdentifier: "card",
            customIdentifier: "7",
            aliases: [INPersonHandle(value: "+491701234567", type: .phoneNumber)], suggestionType: .socialProfile)
    }

    private static func intent() -> INSendMessageIntent {
        INSendMessageIntent(
            recipients: [person("Anna", "anna@example.org")], content: "Hello", groupName: "",
            serviceName: "MonkeyChat", sender: nil)
    }

    @Test("an interaction holds copies of intent and response, and the defaults of Apple's (P-51, P-52, P-57, P-58)")
    func interaction() throws {
        let activity = NSUserActivity(activityType: "com.xamarin.message")
        let response = INSendMessageIntentResponse(code: .success, userActivity: activity)
        let before = Date()
        let interaction = INInteraction(intent: Self.intent(), response: response)
        let intent = try #require(interaction.intent as? INSendMessageIntent)
        #expect(intent.recipients?.map(\.displayName) == ["Anna"])
        #expect(intent.content == "Hello" && intent.serviceName == "MonkeyChat")
        #expect(intent.speakableGroupName == nil && intent.sender == nil)
        #expect(interaction.intentResponse !== response)
        #expect(interaction.intentResponse?.userActivity === activity)
        #expect(interaction.intentHandlingStatus == .success)
        #expect(interaction.direction == .unspecified && interaction.groupIdentifier == nil)
        #expect(UUID(uuidString: interaction.identifier) != nil)
        let interval = try #require(interaction.dateInterval)
        #expect(interval.start >= before && interval.duration == 0)
        let recipients = interaction.parameterValue(
            for: INParameter(for: INSendMessageIntent.self, keyPath: "recipients"))
        #expect((recipients as? [INPerson])?.first?.displayName == "Anna")
        #expect(INInteraction(intent: intent, response: nil).intentHandlingStatus == .unspecified)
    }

    @Test("an object of an intent of the app's own is a value with a name, which is copied and archived")
    func object() throws {
        let soup = INObject(
            identifier: "soup", display: "Clam Chowder", pronunciationHint: "Clam Chow-der", subtitle: "Hot",
            image: INImage(named: "soup"))
        soup.alternativeSpeakableMatches = [INSpeakableString(spokenPhrase: "Chowder")]
        let speakable: any INSpeakable = soup
        #expect(speakable.spokenPhrase == "Clam Chowder" && speakable.vocabularyIdentifier == "soup")
        #expect(speakable.alternativeSpeakableMatches?.map(\.spokenPhrase) == ["Chowder"])
        let archive = try NSKeyedArchiver.archivedData(withRootObject: soup, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: INObject.self, from: archive))
        #expect(read == soup && read.displayImage != nil && read.pronunciationHint == "Clam Chow-der")
        let copy = try #require(soup.copy() as? INObject)
        copy.subtitleString = nil
        copy.setAlternativeSpeakableMatches(nil)
        #expect(soup.subtitleString == "Hot" && copy.subtitleString == nil && copy != soup)
        let plain = INObject(identifier: nil, display: "Bread")
        #expect(plain.identifier == nil && plain.displayString == "Bread" && plain.alternativeSpeakableMatches == nil)
        #expect(INObject(identifier: nil, display: "Tea", subtitle: "Warm", image: nil).subtitleString == "Warm")
    }

    @Test(
        "the people of an activity: of what was donated with it, else of its attribute set without the one who uses the device (P-23)"
    )
    func shownPeople() throws {
        let activity = NSUserActivity(activityType: "com.xamarin.message")
        let set = CSSearchableItemAttributeSet(itemContentType: "public.message")
        set.accountHandles = ["me@example.org"]
        set.authors = [
            CSPerson(displayName: "Carl", handles: ["carl@example.org"], handleIdentifier: "emailAddresses"),
            CSPerson(displayName: "Me", handles: ["ME@example.org"], handleIdentifier: "emailAddresses"),
        ]
        set.primaryRecipients = [
            CSPerson(displayName: "Carl B.", handles: ["CARL@example.org"], handleIdentifier: "emailAddresses")
        ]
        activity.contentAttributeSet = set
        let carl = try #require(ShownPerson(name: "Carl", addresses: ["carl@example.org"]))
        #expect(activity.snapshot.shownPeople == [carl])

        // A contact alone; the number of a place belongs to no person.
        let contact = CSSearchableItemAttributeSet(itemContentType: "public.contact")
        contact.displayName = "Dora"
        contact.phoneNumbers = ["+49 30 1234567"]
        activity.contentAttributeSet = contact
        #expect(activity.snapshot.shownPeople.map(\.name) == ["Dora"])
        contact.namedLocation = "Yank Sing"
        activity.contentAttributeSet = contact
        #expect(activity.snapshot.shownPeople.isEmpty)

        let response = INSendMessageIntentResponse(code: .success, userActivity: activity)
        INInteraction(intent: Self.intent(), response: response).donate()
        let anna = try #require(
            ShownPerson(
                name: "Anna", addresses: ["anna@example.org", "+491701234567"], contactIdentifier: "card"))
        #expect(activity.snapshot.shownPeople == [anna])
        let context = AppContext(isInFront: true, showing: activity.snapshot).request(sessionID: "1")
        #expect(context.activityID == activity.snapshot.id.rawValue && context.people.map(\.name) == ["Anna"])
    }

    @Test("the status follows the code of each class's response (P-52)")
    func status() {
        func status(_ response: INIntentResponse) -> INIntentHandlingStatus {
            INInteraction(intent: Self.intent(), response: response).intentHandlingStatus
        }
        #expect(status(INSendMessageIntentResponse(code: .unspecified, userActivity: nil)) == .unspecified)
        #expect(
            status(INSendMessageIntentResponse(code: .failureMessageServiceNotAvailable, userActivity: nil)) == .failure
        )
        #expect(status(INSendMessageIntentResponse(code: .inProgress, userActivity: nil)) == .inProgress)
        #expect(status(INStartCallIntentResponse(code: .continueInApp, userActivity: nil)) == .deferredToApplication)
        #expect(
            status(INStartCallIntentResponse(code: .userConfirmationRequired, userActivity: nil))
                == .userConfirmationRequired)
        #expect(status(INStartVideoCallIntentResponse(code: .ready, userActivity: nil)) == .ready)
        #expect(status(INPlayMediaIntentResponse(code: .success, userActivity: nil)) == .success)
        #expect(status(INSendPaymentIntentResponse(code: .failureNotEligible, userActivity: nil)) == .failure)
    }

    @Test("persons, handles and intents are copied and archived whole (P-51)")
    func archives() throws {
        let person = Self.person("Anna", "anna@example.org")
        #expect(person.copy() as? INPerson == person)
        #expect(person.personHandle?.label == .work && person.personHandle?.type == .emailAddress)
        #expect(person.aliases?.first?.value == "+491701234567")
        #expect(person.suggestionType == .socialProfile && person.vocabularyIdentifier == "7")
        let nameless = INPerson(
            personHandle: INPersonHandle(value: "x", type: .unknown), nameComponents: nil, displayName: nil, image: nil,
            contactIdentifier: nil, customIdentifier: nil)
        #expect(nameless.displayName == "x")
        let activity = NSUserActivity(activityType: "com.xamarin.message")
        activity.title = "Sent"
        let interaction = INInteraction(
            intent: Self.intent(), response: INSendMessageIntentResponse(code: .success, userActivity: activity))
        interaction.groupIdentifier = "group"
        interaction.direction = .outgoing
        let data = try NSKeyedArchiver.archivedData(withRootObject: interaction, requiringSecureCoding: true)
        let read = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: INInteraction.self, from: data))
        #expect(read.identifier == interaction.identifier && read.groupIdentifier == "group")
        #expect(read.direction == .outgoing)
        #expect(read.intent == interaction.intent)
        #expect(read.intentResponse?.userActivity?.title == "Sent")
        #expect((read.intentResponse as? INSendMessageIntentResponse)?.code == .success)
    }

    @Test("what the daemon has of an interaction makes the same one again (P-51)")
    func messages() throws {
        let call = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
            contacts: [Self.person("Anna", "anna@example.org")], callCapability: .videoCall)
        let interaction = INInteraction(intent: call, response: nil)
        interaction.dateInterval = DateInterval(start: Date(timeIntervalSince1970: 1000), duration: 60)
        let read = try #require(INInteraction(interaction.message))
        #expect(read.intent == call && read.intentResponse == nil)
        #expect(read.dateInterval == interaction.dateInterval)
        var unknown = interaction.message
        unknown.intent.className = "INFutureIntent"
        #expect(INInteraction(unknown) == nil)
        let media = INPlayMediaIntent(
            mediaItems: [INMediaItem(identifier: "1", title: "Tone", type: .song, artwork: nil)], resumePlayback: true,
            playbackSpeed: 1.5,
            mediaSearch: INMediaSearch(
                mediaType: .song, sortOrder: .newest, mediaName: "Tone", artistName: nil, albumName: nil,
                genreNames: nil,
                moodNames: ["calm"], releaseDate: nil, reference: .my, mediaIdentifier: nil))
        let again = try #require(INInteraction(INInteraction(intent: media, response: nil).message))
        #expect((again.intent as? INPlayMediaIntent)?.mediaItems?.first?.title == "Tone")
        #expect((again.intent as? INPlayMediaIntent)?.playbackSpeed == 1.5)
        #expect((again.intent as? INPlayMediaIntent)?.playShuffled == nil)
        let search = (again.intent as? INPlayMediaIntent)?.mediaSearch
        #expect(search?.sortOrder == .newest && search?.reference == .my && search?.moodNames == ["calm"])
    }

    @Test("without a daemon the completion of a donation has error 1901, those of deletions 1902 to 1904 (P-54)")
    func withoutDaemon() async throws {
        try await withApp { app in
            app.daemon.crash()
            let interaction = INInteraction(intent: Self.intent(), response: nil)
            func code(_ body: () async throws -> Void) async -> Int? {
                do {
                    try await body()
                    return nil
                } catch {
                    #expect((error as NSError).domain == "IntentsErrorDomain")
                    return (error as NSError).code
                }
            }
            #expect(await code { try await interaction.donate() } == 1901)
            #expect(await code { try await INInteraction.deleteAll() } == 1902)
            #expect(await code { try await INInteraction.delete(with: ["a"]) } == 1903)
            #expect(await code { try await INInteraction.delete(with: "group") } == 1904)
            app.daemon.start()
            #expect(await code { try await interaction.donate() } == nil)
            app.daemon.refuseNext(BatonError(.resourceExhausted, reason: "interaction_too_large", "Too large."))
            #expect(await code { try await interaction.donate() } == 1901)
        }
    }

    @Test("an activity has where shortcuts to it may be suggested, and no interaction of its own")
    func activity() {
        let activity = NSUserActivity(activityType: "com.example.edit")
        #expect(activity.interaction == nil && activity.shortcutAvailability.isEmpty)
        activity.shortcutAvailability = [.sleepMusic, .sleepReading]
        activity.suggestedInvocationPhrase = "Read on"
        #expect(activity.shortcutAvailability.rawValue == 20)
        #expect(INShortcut(userActivity: activity).userActivity === activity)
        #expect(INShortcut(intent: Self.intent())?.intent == Self.intent())
        #expect(INShortcut(intent: INSendPaymentIntent(payee: nil, currencyAmount: nil, note: nil)) == nil)
        let amount = INCurrencyAmount(amount: NSDecimalNumber(string: "12.50"), currencyCode: "EUR")
        #expect(amount.amount == NSDecimalNumber(string: "12.5"))
    }

    @Test("the delegate continues an activity whose interaction has the intent and the response (P-55)")
    func continuation() async throws {
        try await withApp { app in
            let delegate = FullDelegate()
            try await app.attach(delegate: delegate)
            let response = INSendMessageIntentResponse(code: .success, userActivity: nil)
            var command = Baton_App_V1_ContinueActivity()
            command.acceptanceID = "A"
            command.payload.description_p.activityID = ActivityID.random().rawValue
            command.payload.description_p.activityType = "INSendMessageIntent"
            command.interaction = INInteraction(intent: Self.intent(), response: response).message
            _ = try await app.ask(.continueActivity(command))
            let interaction = try #require(delegate.activity?.interaction)
            #expect((interaction.intent as? INSendMessageIntent)?.content == "Hello")
            #expect((interaction.intentResponse as? INSendMessageIntentResponse)?.code == .success)
        }
    }
}
