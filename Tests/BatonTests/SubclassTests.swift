// As an app sees the library: without what only the package may see.
import Baton
import Foundation
import Testing

/// An app's own kind of activity.
///
/// @unchecked: what it adds is a constant.
private final class ReadingActivity: NSUserActivity, @unchecked Sendable {
    let book: String

    init(book: String) {
        self.book = book
        super.init(activityType: "com.example.reading")
        title = book
    }

    override func becomeCurrent() {}
}

/// Inherits Apple's initializer.
private final class PlainActivity: NSUserActivity, @unchecked Sendable {}

@Suite struct SubclassTests {
    @Test("an app can make a subclass of NSUserActivity, with an initializer of its own or with Apple's")
    func subclass() {
        let activity = ReadingActivity(book: "Emma")
        #expect(activity.activityType == "com.example.reading")
        #expect(activity.title == "Emma" && activity.book == "Emma")
        #expect(PlainActivity(activityType: "com.example.plain").activityType == "com.example.plain")
    }
}
