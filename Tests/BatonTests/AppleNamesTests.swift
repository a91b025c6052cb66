import BatonWire
import Foundation
import Synchronization
import Testing

@testable import Baton

/// Calls that apps and tutorials for Apple's systems make, and found missing or without effect here (X-4).
@MainActor
@Suite(.timeLimit(.minutes(1))) struct AppleNamesTests {
    private static let name = Notification.Name("com.example.AppleNamesTests")

    @Test("notifications come as a sequence, those of one poster alone where one is named, until the task is cancelled")
    func notifications() async {
        let (poster, other) = (NSNumber(value: 1), NSNumber(value: 2))
        let center = NotificationCenter()
        var all = center.notifications(named: Self.name).makeAsyncIterator()
        var own = center.notifications(named: Self.name, object: poster).makeAsyncIterator()
        center.post(name: Self.name, object: other, userInfo: ["number": 2])
        center.post(name: Self.name, object: poster, userInfo: ["number": 1])
        #expect(await all.next()?.userInfo?["number"] as? Int == 2)
        #expect(await all.next()?.userInfo?["number"] as? Int == 1)
        #expect(await own.next()?.userInfo?["number"] as? Int == 1)
        let listening = Task { @MainActor in
            var count = 0
            for await _ in center.notifications(named: Self.name) { count += 1 }
            return count
        }
        await Task.yield()
        listening.cancel()
        #expect(await listening.value == 0)
    }

    @Test("a controller in another one appears and disappears with it, and hands on what it does not answer")
    func children() {
        final class Screen: UIViewController {
            let journal = Journal()
            override func viewDidAppear(_ animated: Bool) { journal.note("appeared") }
            override func viewDidDisappear(_ animated: Bool) { journal.note("disappeared") }
            override func willMove(toParent parent: UIViewController?) { journal.note("will move") }
            override func didMove(toParent parent: UIViewController?) {
                journal.note(parent == nil ? "left" : "moved")
            }
        }
        let (outer, inner) = (UIViewController(), Screen())
        outer.addChild(inner)
        inner.didMove(toParent: outer)
        #expect(outer.children == [inner] && inner.parent === outer && inner.next === outer)
        #expect(inner.journal.all == ["will move", "moved"])
        outer.appear()
        outer.disappear()
        outer.appear()
        inner.removeFromParent()
        #expect(outer.children.isEmpty && inner.parent == nil)
        #expect(
            inner.journal.all == [
                "will move", "moved", "appeared", "disappeared", "appeared", "disappeared", "left",
            ])
        let second = Screen()
        outer.addChild(second)
        #expect(second.journal.all == ["will move", "appeared"])
    }

    @Test("who asks for remote notifications hears that there are none, and is never left without an answer")
    func remoteNotifications() async throws {
        final class Delegate: NSObject, UIApplicationDelegate, NSApplicationDelegate {
            let codes = Mailbox<Int>()
            func application(
                _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
            ) { codes.send((error as NSError).code) }
            func application(
                _ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
            ) { codes.send(-(error as NSError).code) }
        }
        try await withApp { app in
            let delegate = Delegate()
            app.runtime.application.delegate = delegate
            app.runtime.appKitApplication.delegate = delegate
            app.runtime.application.registerForRemoteNotifications()
            let code = try await delegate.codes.next()
            #expect(code == 3010)
            app.runtime.appKitApplication.registerForRemoteNotifications()
            let appKitCode = try await delegate.codes.next()
            #expect(appKitCode == -3010)
            #expect(!app.runtime.application.isRegisteredForRemoteNotifications)
        }
    }

    @Test(
        "a region that is to be watched fails, and the older method hears of the authorization where it is the only one"
    )
    func location() async throws {
        final class Delegate: NSObject, CLLocationManagerDelegate {
            let events = Mailbox<String>()
            func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
                events.send("status \(status.rawValue)")
            }
            func locationManager(
                _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
            ) { events.send("\(region?.identifier ?? "") \((error as? CLError)?.code.rawValue ?? -1)") }
        }
        try await withApp { _ in
            let (manager, delegate) = (CLLocationManager(), Delegate())
            delegate.locationManagerDidChangeAuthorization(manager)
            let status = try await delegate.events.next()
            #expect(status == "status 0")
            manager.delegate = delegate
            let region = CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 1, longitude: 2), radius: 100, identifier: "home")
            #expect(region.notifyOnEntry && region.notifyOnExit)
            region.notifyOnExit = false
            #expect(!region.notifyOnExit && !CLLocationManager.isMonitoringAvailable(for: CLCircularRegion.self))
            manager.startMonitoring(for: region)
            // The manager may have reported the status in between.
            var event = try await delegate.events.next()
            if event == "status 0" { event = try await delegate.events.next() }
            #expect(event == "home 5")
            try await manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "Route")
            manager.activityType = .fitness
            manager.allowsBackgroundLocationUpdates = true
            #expect(manager.activityType == .fitness && manager.allowsBackgroundLocationUpdates)
        }
    }

    @Test(
        "updates that begin before the person has decided begin with the decision, or fail with it",
        arguments: [(Baton_App_V1_LocationAccess.authorized, "at 41.0"), (.denied, "failed 1")])
    func locationDecision(access: Baton_App_V1_LocationAccess, event: String) async throws {
        final class Delegate: NSObject, CLLocationManagerDelegate {
            let events = Mailbox<String>()
            func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
                events.send("at \(locations.last?.coordinate.latitude ?? 0)")
            }
            func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
                events.send("failed \((error as? CLError)?.code.rawValue ?? -1)")
            }
        }
        try await withApp { app in
            let (manager, delegate) = (CLLocationManager(), Delegate())
            manager.delegate = delegate
            manager.startUpdatingLocation()
            try await app.daemon.locationRefusals.next()
            manager.requestWhenInUseAuthorization()
            app.daemon.decideLocation(access)
            let first = try await delegate.events.next()
            #expect(first == event)
            manager.stopUpdatingLocation()
        }
    }

    @Test(
        "a manager whose updates wait hears of the decision that another one asked for, and begins, or fails",
        arguments: [
            (Baton_App_V1_LocationAccess.authorized, ["status 3", "at 41.0"]), (.denied, ["status 2", "failed 1"]),
        ])
    func locationDecisionOfAnother(access: Baton_App_V1_LocationAccess, expected: [String]) async throws {
        final class Delegate: NSObject, CLLocationManagerDelegate, Sendable {
            let events = Mailbox<String>()
            func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
                events.send("at \(locations.last?.coordinate.latitude ?? 0)")
            }
            func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
                events.send("failed \((error as? CLError)?.code.rawValue ?? -1)")
            }
            func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
                events.send("status \(manager.authorizationStatus.rawValue)")
            }
        }
        try await withApp { app in
            let delegate = Delegate()
            // Its first notification comes after this turn of the main queue.
            let manager = await MainActor.run {
                let manager = CLLocationManager()
                manager.delegate = delegate
                return manager
            }
            let created = try await delegate.events.next()
            #expect(created == "status 0")
            manager.startUpdatingLocation()
            try await app.daemon.locationRefusals.next()
            // The one that asks is let go at once.
            CLLocationManager().requestWhenInUseAuthorization()
            app.daemon.decideLocation(access)
            for event in expected {
                let next = try await delegate.events.next()
                #expect(next == event)
            }
            manager.stopUpdatingLocation()
        }
    }

    @Test("a request for one location is taken back by updates that begin or end, and none is made beside them")
    func locationRequest() async throws {
        try await withApp { _ in
            let manager = CLLocationManager()
            let isRequested = { manager.state.withLock { $0.request != nil } }
            manager.requestLocation()
            #expect(isRequested())
            manager.stopUpdatingLocation()
            #expect(!isRequested())
            manager.requestLocation()
            manager.startUpdatingLocation()
            #expect(!isRequested())
            manager.requestLocation()
            #expect(!isRequested())
            manager.stopUpdatingLocation()
        }
    }

    @Test("directions cannot be computed, and that is said")
    func directions() async throws {
        try await withApp { _ in
            let directions = MKDirections(request: MKDirections.Request())
            let error = await #expect(throws: MKError.self) { try await directions.calculate() }
            #expect(error?.code == .directionsNotFound)
            let codes = Mailbox<UInt>()
            let handler: MKDirections.DirectionsHandler = { response, error in
                codes.send(response == nil ? (error as? MKError)?.code.rawValue ?? 0 : 0)
            }
            directions.calculate(completionHandler: handler)
            let code = try await codes.next()
            #expect(code == MKError.Code.directionsNotFound.rawValue)
        }
    }

    @Test("errors are matched by the names of their codes, and say what they are under one more name")
    func errors() {
        func name(_ error: any Error) -> String {
            switch error {
            case MKError.placemarkNotFound: "place"
            case CLError.regionMonitoringFailure: "region"
            case MPError.notFound: "media"
            default: "other"
            }
        }
        #expect(name(MKError(.placemarkNotFound)) == "place" && name(MKError(.unknown)) == "other")
        #expect(name(CLError(.regionMonitoringFailure)) == "region" && name(MPError(.notFound)) == "media")
        let sentences = [
            MKError(.unknown).userInfo, MPError(.notFound).userInfo, INIntentError(.donatingInteraction).userInfo,
            CSIndexError(.quotaExceeded).userInfo, CSSearchQueryError(.invalidQuery).userInfo,
        ].map { $0[NSLocalizedDescriptionKey] as? String }
        #expect(sentences.allSatisfy { $0?.isEmpty == false })
        #expect((MPError(.notFound) as NSError).localizedDescription == sentences[1])
    }

    @Test("an address is read by the keys of the address book, and by those of contacts where they are the only ones")
    func addressKeys() {
        let place = MKPlacemark(
            coordinate: CLLocationCoordinate2D(),
            addressDictionary: [
                CNPostalAddressStreetKey: "1 Main St", CNPostalAddressCityKey: "Town", "City": "Springfield",
                CNPostalAddressPostalCodeKey: "12345", CNPostalAddressISOCountryCodeKey: "us",
            ])
        #expect(place.postalAddress?.street == "1 Main St" && place.locality == "Springfield")
        #expect(place.postalCode == "12345" && place.isoCountryCode == "us")
    }

    @Test("what a notification is to say is given at once")
    func notificationInfo() {
        let info = CKSubscription.NotificationInfo(
            alertBody: "Changed", title: "Notes", desiredKeys: ["title"], shouldSendContentAvailable: true)
        #expect(info.alertBody == "Changed" && info.title == "Notes" && info.desiredKeys == ["title"])
        #expect(info.shouldSendContentAvailable && !info.shouldBadge && info.category == nil)
        #expect(!CKSubscription.NotificationInfo().shouldSendContentAvailable)
    }

    @Test("a picture is set for a parameter that a key path names, and for none that has no picture")
    func intentPictures() throws {
        let intent = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: nil,
            speakableGroupName: INSpeakableString(spokenPhrase: "Choir"), conversationIdentifier: nil, serviceName: nil,
            sender: nil, attachments: nil)
        intent.setImage(INImage(named: "choir"), forParameterNamed: \.speakableGroupName)
        #expect(intent.image(forParameterNamed: "speakableGroupName") == INImage(named: "choir"))
        #expect(intent.image(forParameterNamed: \.speakableGroupName) == INImage(named: "choir"))
        #expect(intent.image(forParameterNamed: \.sender) == nil && intent.image(forParameterNamed: \.hash) == nil)
        let (start, end) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
        let provider = INDateRelevanceProvider(start: start, end: end)
        #expect(provider.startDate == start && provider.endDate == end)
    }

    @Test("a file that was picked can be used, with and without saying so")
    func securityScope() {
        #expect(URL(fileURLWithPath: "/etc/hostname").startAccessingSecurityScopedResource())
        #expect(URL(string: "https://example.com")?.startAccessingSecurityScopedResource() == false)
    }

    @Test("a document's name is never nil, and an autosave calls back")
    func document() async throws {
        final class Note: NSDocument {}
        let fixture = try DocumentFixture()
        let note = fixture.make { Note() }
        note.displayName = "Draft"
        let name: String = note.displayName
        note.displayName = nil
        #expect(name == "Draft" && note.displayName == "Untitled" && !note.isDraft)
        let errors = Mailbox<Bool>()
        note.autosave(withImplicitCancellability: false) { errors.send($0 == nil) }
        // Nothing is to be saved.
        #expect(try await errors.next() == true)
    }

    @Test("optional methods that an app writes as async are called; where it has neither form the answer comes at once")
    func asyncMethods() async throws {
        final class Presenter: NSObject, NSFilePresenter {
            let presentedItemURL: URL? = nil
            let presentedItemOperationQueue = OperationQueue()
            let journal = Journal()
            func savePresentedItemChanges() async throws {
                await Task.yield()
                journal.note("save")
                throw CocoaError(.fileWriteOutOfSpace)
            }
            func accommodatePresentedSubitemDeletion(at url: URL) async throws { journal.note(url.lastPathComponent) }
        }
        final class Player: NSObject, MPPlayableContentDelegate {
            let journal = Journal()
            func playableContentManager(
                _ contentManager: MPPlayableContentManager, initiatePlaybackOfContentItemAt indexPath: IndexPath
            ) async throws { journal.note("play \(indexPath.count)") }
        }
        let (presenter, answers) = (Presenter(), Mailbox<Int>())
        let asked = presenter as any NSFilePresenter
        asked.savePresentedItemChanges { answers.send(($0 as NSError?)?.code ?? 0) }
        #expect(try await answers.next() == CocoaError.Code.fileWriteOutOfSpace.rawValue)
        asked.accommodatePresentedSubitemDeletion(at: URL(fileURLWithPath: "/a/b")) { _ in answers.send(1) }
        #expect(try await answers.next() == 1)
        #expect(presenter.journal.all == ["save", "b"])
        // Without either form no caller waits for another thread.
        let isAnswered = Mutex(false)
        asked.accommodatePresentedItemDeletion { error in isAnswered.withLock { $0 = error == nil } }
        #expect(isAnswered.withLock { $0 })
        let player = Player()
        (player as any MPPlayableContentDelegate).playableContentManager(
            .shared(), initiatePlaybackOfContentItemAt: IndexPath(indexes: [1, 2])
        ) { answers.send($0 == nil ? 2 : 3) }
        #expect(try await answers.next() == 2)
        #expect(player.journal.all == ["play 2"])
    }

    @Test("no app needs permission for what it donates, and requests are read in the person's first language")
    func preferences() async {
        let status = await INPreferences.requestSiriAuthorization()
        #expect(status == .authorized && INPreferences.siriAuthorizationStatus() == .authorized)
        #expect(INPreferences.languageCode(["LANG": "de_DE.UTF-8"]) == "de-DE")
        #expect(INPreferences.languageCode(["LANGUAGE": "tr:en", "LANG": "C"]) == "tr")
        #expect(
            INPreferences.languageCode(["LANG": "C.UTF-8"]) == "en-US" && INPreferences.languageCode([:]) == "en-US")
    }

    @Test("of the windows of a scene, and of those without one, the one that was made key last is key")
    func keyWindows() async throws {
        try await withApp { app in
            let (first, second) = (UIWindow(), UIWindow())
            first.makeKeyAndVisible()
            second.makeKeyAndVisible()
            let application = app.runtime.application
            #expect(application.windows == [first, second] && application.keyWindow == second)
            #expect(!first.isKeyWindow && second.isKeyWindow)
            first.makeKey()
            #expect(application.keyWindow == first && first.isKeyWindow && !second.isKeyWindow)
        }
        try await withApp { app in
            do {
                let window = UIWindow()
                window.makeKey()
            }
            #expect(app.runtime.application.windows.isEmpty && app.runtime.application.keyWindow == nil)
        }
    }

    @Test("a window's delegate hears of it, may keep it open, and gives its undo manager")
    func windowDelegate() async throws {
        final class Delegate: NSObject, NSWindowDelegate {
            let journal = Journal()
            let manager = UndoManager()
            var letsClose = false
            func windowShouldClose(_ sender: NSWindow) -> Bool { letsClose }
            func windowWillClose(_ notification: Notification) { journal.note("will close") }
            func windowDidBecomeMain(_ notification: Notification) { journal.note("main") }
            func windowDidResignMain(_ notification: Notification) { journal.note("not main") }
            func windowWillReturnUndoManager(_ window: NSWindow) -> UndoManager? { manager }
        }
        try await withApp { _ in
            let (window, delegate) = (NSWindow(), Delegate())
            window.delegate = delegate
            window.makeKeyAndOrderFront(nil)
            window.performClose(nil)
            #expect(window.isVisible && window.undoManager === delegate.manager)
            delegate.letsClose = true
            window.performClose(nil)
            #expect(!window.isVisible && delegate.journal.all == ["main", "will close", "not main"])
        }
    }
}
