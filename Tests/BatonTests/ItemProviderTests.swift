import Foundation
import Synchronization
import Testing

@testable import Baton

/// Item providers, which A-5's items come from: what is registered, and what is made of it.
@Suite(.timeLimit(.minutes(1))) struct ItemProviderTests {
    private static let png =
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
                + "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==") ?? Data()

    /// The arguments of a handler of Apple's form, called once.
    private struct Answer<Value>: @unchecked Sendable {
        var value: Value?
        var error: (any Error)?

        var code: Int? { error.map { ($0 as NSError).code } }
    }

    private func answer<Value>(
        _ load: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
    ) async -> Answer<Value> {
        await withCheckedContinuation { (waiter: CheckedContinuation<Answer<Value>, Never>) in
            load { waiter.resume(returning: Answer(value: $0, error: $1)) }
        }
    }

    private func makeFile() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("baton-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("note.txt")
        try Data("Hello".utf8).write(to: file)
        return file
    }

    @Test("objects are registered in their types, and made again of them (A-5)")
    func objects() async throws {
        let text = NSItemProvider(object: NSString(string: "Grüße"))
        #expect(text.registeredTypeIdentifiers == ["public.utf8-plain-text"])
        #expect(text.canLoadObject(ofClass: String.self) && text.canLoadObject(ofClass: NSString.self))
        #expect(!text.canLoadObject(ofClass: URL.self) && !text.canLoadObject(ofClass: UIImage.self))
        let read: Answer<String> = await answer { _ = text.loadObject(ofClass: String.self, completionHandler: $0) }
        #expect(read.value == "Grüße" && read.error == nil)
        let wide: Answer<any NSItemProviderReading> = await answer {
            _ = text.loadObject(ofClass: NSMutableString.self, completionHandler: $0)
        }
        #expect(wide.value is NSMutableString)

        let page = NSItemProvider(object: try #require(NSURL(string: "https://example.com/a")))
        let url: Answer<URL> = await answer { _ = page.loadObject(ofClass: URL.self, completionHandler: $0) }
        #expect(url.value?.absoluteString == "https://example.com/a")
        let file = NSItemProvider(object: try #require(NSURL(string: "file:///tmp/note.txt")))
        #expect(file.registeredTypeIdentifiers == ["public.file-url", "public.url"] && file.suggestedName == "note")

        let picture = NSItemProvider(object: try #require(UIImage(data: Self.png)))
        #expect(picture.registeredContentTypes == [.png])
        let image: Answer<any NSItemProviderReading> = await answer {
            _ = picture.loadObject(ofClass: UIImage.self, completionHandler: $0)
        }
        #expect((image.value as? UIImage)?.pngData() == Self.png)
        let none: Answer<String> = await answer { _ = picture.loadObject(ofClass: String.self, completionHandler: $0) }
        #expect(none.value == nil && none.code == NSItemProvider.ErrorCode.itemUnavailableError.rawValue)

        let contact = CNMutableContact()
        contact.givenName = "Ada"
        let card = NSItemProvider(object: contact)
        let person: Answer<any NSItemProviderReading> = await answer {
            _ = card.loadObject(ofClass: CNContact.self, completionHandler: $0)
        }
        #expect((person.value as? CNContact)?.givenName == "Ada")
    }

    @Test("an activity goes from one part of an app to another, and to no other process; an empty picture to none")
    func activities() async throws {
        let activity = NSUserActivity(activityType: "com.example.gallery.photo")
        activity.title = "Photo"
        activity.userInfo = ["name": "1.png"]
        activity.targetContentIdentifier = "1.png"
        let provider = NSItemProvider(object: activity)
        #expect(provider.canLoadObject(ofClass: NSUserActivity.self))
        #expect(provider.registeredTypeIdentifiers(fileOptions: []).count == 1)
        let answer: Answer<any NSItemProviderReading> = await answer {
            _ = provider.loadObject(ofClass: NSUserActivity.self, completionHandler: $0)
        }
        let made = try #require(answer.value as? NSUserActivity)
        #expect(made !== activity && made.activityType == activity.activityType && made.title == "Photo")
        #expect(made.userInfo?["name"] as? String == "1.png" && made.targetContentIdentifier == "1.png")
        #expect(
            NSUserActivity.itemProviderVisibilityForRepresentation(
                withTypeIdentifier: provider.registeredTypeIdentifiers[0]) == .ownProcess)
        #expect(throws: (any Error).self) {
            try NSUserActivity.object(withItemProviderData: Data("x".utf8), typeIdentifier: "")
        }

        #expect(NSItemProvider(object: UIImage()).registeredTypeIdentifiers.isEmpty)
        #expect(SharedItem(UIImage()) == nil && UIImage().pngData() == nil && UIImage().size == .zero)
    }

    @Test("data that is not what its type says is an error, never an object")
    func wrongData() async throws {
        let provider = NSItemProvider()
        provider.registerDataRepresentation(for: .utf8PlainText) { completion in
            completion(Data([0xC3, 0x28]), nil)
            return nil
        }
        provider.registerDataRepresentation(for: .png) { completion in
            completion(Data("no picture".utf8), nil)
            return nil
        }
        let text: Answer<String> = await answer { _ = provider.loadObject(ofClass: String.self, completionHandler: $0) }
        #expect(text.code == -1200 && (text.error as? NSError)?.domain == NSItemProvider.errorDomain)
        let image: Answer<any NSItemProviderReading> = await answer {
            _ = provider.loadObject(ofClass: UIImage.self, completionHandler: $0)
        }
        #expect(image.value == nil && image.code == -1200)
        #expect(NSItemProvider.errorDomain == "NSItemProviderErrorDomain")
    }

    @Test("a class's object is made when it is asked for, and only then; a narrower visibility counts")
    func lazyObjects() async throws {
        let made = Mutex(0)
        let provider = NSItemProvider()
        provider.registerObject(ofClass: String.self, visibility: .ownProcess) { completion in
            let number = made.withLock { made in
                made += 1
                return made
            }
            completion("\(number)", nil)
            return nil
        }
        #expect(provider.hasItemConformingToTypeIdentifier("public.text") && made.withLock { $0 } == 0)
        let first: Answer<String> = await answer {
            _ = provider.loadObject(ofClass: String.self, completionHandler: $0)
        }
        #expect(first.value == "1")
        // It stays in this process.
        #expect(provider.shareableType == nil)
        #expect(try await provider.loadShared() == nil)
    }

    @Test("items come back as they were registered, and as data")
    func items() async throws {
        let provider = NSItemProvider()
        provider.registerItem(forTypeIdentifier: "public.plain-text") { completion, _, options in
            completion?(NSString(string: options?["loud"] == nil ? "quiet" : "loud"), nil)
        }
        let loud = try await provider.loadItem(forTypeIdentifier: "public.text", options: ["loud": true])
        #expect((loud as? NSString)?.isEqual(to: "loud") == true)
        let data: Answer<Data> = await answer {
            provider.loadDataRepresentation(for: .plainText, completionHandler: $0)
        }
        #expect(data.value == Data("quiet".utf8))
        let url = try await NSItemProvider(item: URL(string: "https://example.com/"), typeIdentifier: nil)
            .loadItem(forTypeIdentifier: "public.url")
        #expect((url as? NSURL)?.absoluteString == "https://example.com/")
        await #expect(throws: (any Error).self) { _ = try await provider.loadItem(forTypeIdentifier: "public.png") }
        // A handler that gives nothing at all.
        let empty = NSItemProvider()
        empty.registerItem(forTypeIdentifier: "public.data") { completion, _, _ in completion?(nil, nil) }
        let nothing: Answer<Data> = await answer { empty.loadDataRepresentation(for: .data, completionHandler: $0) }
        #expect(nothing.value == nil && nothing.code == -1000)
    }

    @Test("a file is had as a copy that is gone afterwards, or in place where its provider lets others have it")
    func files() async throws {
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let provider = try #require(NSItemProvider(contentsOf: file))
        #expect(provider.suggestedName == "note" && provider.registeredContentTypesForOpenInPlace.isEmpty)
        let seen = Mutex("")
        let copy: Answer<URL> = await answer { handler in
            provider.loadFileRepresentation(forTypeIdentifier: "public.text") { url, error in
                let text = url.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
                seen.withLock { $0 = text ?? "" }
                handler(url, error)
            }
        }
        #expect(seen.withLock { $0 } == "Hello" && copy.value?.lastPathComponent == "note.txt" && copy.value != file)

        let open = NSItemProvider(contentsOf: file, contentType: .plainText, openInPlace: true)
        #expect(open.hasRepresentationConforming(toTypeIdentifier: "public.text", fileOptions: .openInPlace))
        let own: Answer<URL> = await answer { handler in
            open.loadFileRepresentation(for: .plainText, openInPlace: true) { url, isInPlace, error in
                handler(isInPlace ? url : nil, error)
            }
        }
        #expect(own.value == file)
        // No file of its own: a copy, which the app removes.
        let kept: Answer<URL> = await answer { handler in
            NSItemProvider(object: NSString(string: "Hello")).loadInPlaceFileRepresentation(
                forTypeIdentifier: "public.text"
            ) { url, isInPlace, error in handler(isInPlace ? nil : url, error) }
        }
        let url = try #require(kept.value)
        #expect(try String(contentsOf: url, encoding: .utf8) == "Hello")
        TemporaryFiles.remove(url)
    }

    @Test("a file that is made when it is asked for is had as a copy, and itself only where others may have it")
    func fileHandlers() async throws {
        let file = try makeFile()
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        let provider = NSItemProvider()
        let made = Mutex(0)
        for (type, options) in [(UTType.plainText, NSItemProviderFileOptions()), (.json, .openInPlace)] {
            provider.registerFileRepresentation(
                forTypeIdentifier: type.identifier, fileOptions: options, visibility: .all
            ) { completion in
                made.withLock { $0 += 1 }
                completion(file, true, nil)
                return nil
            }
        }
        #expect(provider.registeredContentTypesForOpenInPlace == [.json] && made.withLock { $0 } == 0)
        for (type, isOwn) in [(UTType.plainText, false), (.json, true)] {
            let answer: Answer<URL> = await answer { handler in
                provider.loadInPlaceFileRepresentation(forTypeIdentifier: type.identifier) { url, isInPlace, error in
                    handler(isInPlace == isOwn ? url : nil, error)
                }
            }
            let url = try #require(answer.value)
            #expect((url == file) == isOwn)
            #expect(try String(contentsOf: url, encoding: .utf8) == "Hello")
            if !isOwn { TemporaryFiles.remove(url) }
        }
        let data: Answer<Data> = await answer { handler in
            provider.loadDataRepresentation(for: .plainText, completionHandler: handler)
        }
        #expect(data.value == Data("Hello".utf8) && made.withLock { $0 } == 3)
    }

    @Test("a request is cancelled by its progress, and its handler is called once")
    func cancelling() async throws {
        let provider = NSItemProvider()
        let late = Mutex<(@Sendable (Data?, (any Error)?) -> Void)?>(nil)
        provider.registerDataRepresentation(for: .data) { completion in
            late.withLock { $0 = completion }
            return Progress(totalUnitCount: 10)
        }
        let calls = Mutex(0)
        let cancelled: Answer<Data> = await answer { handler in
            let progress = provider.loadDataRepresentation(for: .data) { data, error in
                calls.withLock { $0 += 1 }
                handler(data, error)
            }
            progress.cancel()
        }
        #expect(cancelled.value == nil && (cancelled.error as? CocoaError)?.code == .userCancelled)
        late.withLock { $0 }?(Data(), nil)
        #expect(calls.withLock { $0 } == 1)
    }

    @Test("a copy of a provider has its types, and goes its own way")
    func copies() throws {
        let provider = NSItemProvider(object: NSString(string: "Hello"))
        provider.suggestedName = "Greeting"
        let copy = try #require(provider.copy() as? NSItemProvider)
        provider.registerObject(NSData(data: Data([1])), visibility: .all)
        #expect(copy.registeredTypeIdentifiers == ["public.utf8-plain-text"] && copy.suggestedName == "Greeting")
        #expect(provider.registeredContentTypes(conformingTo: .text) == [.utf8PlainText])
    }
}
