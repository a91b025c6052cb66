import BatonCore
import Foundation
import Testing

@testable import Baton

/// What responses of rides and tasks say, through an interaction and an archive.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct RideIntentsTests {
    private static func interaction(_ intent: INIntent, _ response: INIntentResponse) throws -> INInteraction {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: INInteraction(intent: intent, response: response), requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: INInteraction.self, from: data))
    }

    private static func euros(_ text: String) -> NSDecimalNumber { NSDecimalNumber(string: text) }

    private static let place = CLPlacemark(values: [
        "name": .string("Station"), "latitude": .real(52.5), "longitude": .real(13.4),
    ])

    @Test("A response about a ride has the ride with driver, vehicle, price and activities")
    func ride() throws {
        let vehicle = INRideVehicle()
        vehicle.model = "Model"
        vehicle.registrationPlate = "B-AT 1"
        vehicle.location = CLLocation(latitude: 52.25, longitude: 13.5)
        let option = INRideOption(name: "Small", estimatedPickupDate: Date(timeIntervalSince1970: 100))
        option.priceRange = INPriceRange(
            firstPrice: Self.euros("12.50"), secondPrice: Self.euros("9.99"), currencyCode: "EUR")
        option.usesMeteredFare = true
        option.fareLineItems = [INRideFareLineItem(title: "Night", price: Self.euros("2"), currencyCode: "EUR")]
        option.availablePartySizeOptions = [
            INRidePartySizeOption(
                partySizeRange: NSRange(location: 1, length: 3), sizeDescription: "1 to 3",
                priceRange: option.priceRange)
        ]
        let status = INRideStatus()
        #expect(status.phase == .unknown && status.driver == nil && status.rideOption == nil)
        status.rideIdentifier = "7"
        status.phase = .approachingPickup
        status.vehicle = vehicle
        status.driver = INRideDriver(
            phoneNumber: "+49 30 1234567", nameComponents: nil, displayName: "Ayşe", image: nil, rating: "4.9")
        status.rideOption = option
        status.pickupLocation = Self.place
        status.waypoints = [Self.place, Self.place]
        status.estimatedPickupDate = Date(timeIntervalSince1970: 200)
        let cancel = NSUserActivity(activityType: "com.example.cancel")
        cancel.title = "Cancel"
        status.userActivityForCancelingInApplication = cancel
        status.additionalActionActivities = [cancel]
        let response = INRequestRideIntentResponse(code: .success, userActivity: nil)
        #expect(response.rideStatus == nil)
        response.rideStatus = status
        let intent = INRequestRideIntent(
            pickupLocation: Self.place, dropOffLocation: nil, rideOptionName: nil, partySize: 2, paymentMethod: nil,
            scheduledPickupTime: nil)
        let read = try Self.interaction(intent, response)
        #expect((read.intent as? INRequestRideIntent)?.pickupLocation?.name == "Station")
        let ride = try #require((read.intentResponse as? INRequestRideIntentResponse)?.rideStatus)
        #expect(ride.rideIdentifier == "7" && ride.phase == .approachingPickup && ride.completionStatus == nil)
        #expect(ride.vehicle?.model == "Model" && ride.vehicle?.location?.coordinate.latitude == 52.25)
        #expect(ride.driver?.displayName == "Ayşe" && ride.driver?.rating == "4.9")
        #expect(ride.driver?.phoneNumber == "+49 30 1234567" && ride.driver?.personHandle?.type == .phoneNumber)
        #expect(ride.rideOption?.priceRange?.minimumPrice == Self.euros("9.99"))
        #expect(ride.rideOption?.priceRange?.maximumPrice == Self.euros("12.5"))
        #expect(ride.rideOption?.usesMeteredFare == true && ride.rideOption?.fareLineItems?.first?.title == "Night")
        #expect(ride.rideOption?.availablePartySizeOptions?.first?.partySizeRange == NSRange(location: 1, length: 3))
        #expect(ride.waypoints?.count == 2 && ride.pickupLocation?.location?.coordinate.longitude == 13.4)
        #expect(ride.estimatedPickupDate == Date(timeIntervalSince1970: 200) && ride.estimatedDropOffDate == nil)
        #expect(ride.userActivityForCancelingInApplication?.activityType == "com.example.cancel")
        #expect(ride.additionalActionActivities?.map(\.title) == ["Cancel"])
    }

    @Test("A ride ends paid, to be paid, with feedback, or canceled")
    func ends() {
        let amount = INCurrencyAmount(amount: Self.euros("12.50"), currencyCode: "EUR")
        let paid = INRideCompletionStatus.completed(settled: amount)
        #expect(paid.isCompleted && !paid.isOutstanding && paid.paymentAmount == amount)
        let open = INRideCompletionStatus.completed(outstanding: amount)
        open.defaultTippingOptions = [amount]
        #expect(open.isCompleted && open.isOutstanding && open.defaultTippingOptions == [amount])
        let feedback = INRideCompletionStatus.completed(outstanding: [.rate, .tip])
        #expect(feedback.feedbackType == [.rate, .tip] && feedback.isOutstanding)
        let missed = INRideCompletionStatus.canceledMissedPickup()
        #expect(missed.isCanceled && missed.isMissedPickup && !missed.isCompleted)
        #expect(INRideCompletionStatus.canceledByUser().isCanceled)
    }

    @Test("Tasks that are added have their list, titles, place and time")
    func tasks() throws {
        let title = INSpeakableString(spokenPhrase: "Milk")
        let when = INTemporalEventTrigger(
            dateComponentsRange: INDateComponentsRange(start: DateComponents(year: 2030, month: 1), end: nil))
        let place = INSpatialEventTrigger(placemark: Self.place, event: .arrive)
        let task = INTask(
            title: title, status: .notCompleted, taskType: .completable, spatialEventTrigger: place,
            temporalEventTrigger: when, createdDateComponents: nil, modifiedDateComponents: nil, identifier: "t",
            priority: .flagged)
        let list = INTaskList(
            title: INSpeakableString(spokenPhrase: "Shop"), tasks: [task], groupName: nil, createdDateComponents: nil,
            modifiedDateComponents: nil, identifier: "l")
        let response = INAddTasksIntentResponse(code: .success, userActivity: nil)
        response.addedTasks = [task]
        response.modifiedTaskList = list
        let intent = INAddTasksIntent(
            targetTaskList: list, taskTitles: [title], spatialEventTrigger: place, temporalEventTrigger: when,
            priority: .flagged)
        let read = try Self.interaction(intent, response)
        #expect(read.intentHandlingStatus == .success)
        let wanted = try #require(read.intent as? INAddTasksIntent)
        #expect(wanted.taskTitles?.map(\.spokenPhrase) == ["Milk"] && wanted.priority == .flagged)
        #expect(wanted.targetTaskList == list && wanted.spatialEventTrigger?.event == .arrive)
        #expect(wanted.temporalEventTrigger?.dateComponentsRange.startDateComponents?.year == 2030)
        let done = try #require(read.intentResponse as? INAddTasksIntentResponse)
        #expect(
            done.addedTasks == [task]
                && done.modifiedTaskList?.tasks.first?.spatialEventTrigger?.placemark == Self.place)
    }
}
