import Foundation

/// A message that is being written.
struct Draft: Equatable {
    var recipients: [String] = []
    var subject = ""
    var body = ""
    /// The field that the person is in.
    var focus = Field.body
    /// How many characters of the body are before the cursor.
    var cursor = 0
    /// The name of the attached picture. The picture itself is too large for an activity.
    var picture: String?

    enum Field: String { case to, subject, body }

    init() {}

    /// - Returns: nil if these are no fields of a message: an activity comes from another device, and is checked.
    init?(_ userInfo: [AnyHashable: Any]) {
        guard let recipients = userInfo["to"] as? [String], let subject = userInfo["subject"] as? String,
            let body = userInfo["body"] as? String, let cursor = userInfo["cursor"] as? Int,
            (0...body.count).contains(cursor), let focus = (userInfo["focus"] as? String).flatMap(Field.init)
        else { return nil }
        self.recipients = recipients
        self.subject = subject
        self.body = body
        self.cursor = cursor
        self.focus = focus
        picture = userInfo["picture"] as? String
    }

    var userInfo: [AnyHashable: Any] {
        var userInfo: [AnyHashable: Any] = ["to": recipients, "subject": subject, "body": body, "cursor": cursor]
        userInfo["focus"] = focus.rawValue
        userInfo["picture"] = picture
        return userInfo
    }

    /// Every field in one line, with “|” where the cursor is.
    var line: String {
        let text = "\(body.prefix(cursor))|\(body.dropFirst(cursor))".replacingOccurrences(of: "\n", with: "\\n")
        let attached = picture.map { ", with \($0)" } ?? ""
        return "writes to \(recipients.joined(separator: ", ")): “\(subject)”, “\(text)”\(attached)"
    }
}
