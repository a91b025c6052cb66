package import BatonCore

/// The answer to `/Discover`: who the receiver is. Without a name the sender shows no receiver.
package struct DiscoverAnswer: Hashable, Sendable {
    package var computerName: String?
    /// As in `MacBookPro18,3`; it chooses the picture.
    package var modelName: String?
    /// JSON that says which formats of media the receiver plays.
    package var mediaCapabilities: [UInt8]?
    /// As ``DiscoverRequest/senderRecordData``.
    package var recordData: [UInt8]?

    /// Plays the formats that everybody plays, so that senders convert others.
    package static let plainMedia = Array(#"{"Version":1}"#.utf8)

    package init(computerName: String?, modelName: String?, mediaCapabilities: [UInt8]? = Self.plainMedia) {
        self.computerName = computerName
        self.modelName = modelName
        self.mediaCapabilities = mediaCapabilities
    }

    /// - Throws: as ``DiscoverRequest``.
    package init(_ body: [UInt8]) throws(BatonError) {
        let value = try BinaryPropertyList.decode(body, limits: .init(size: AirDropLimits.answerSize))
        let fields = try PropertyListFields(value, "/Discover")
        computerName = try fields.displayedText("ReceiverComputerName")
        modelName = try fields.displayedText("ReceiverModelName")
        mediaCapabilities = try fields.data("ReceiverMediaCapabilities", maximum: AirDropLimits.answerSize)
        recordData = try fields.data("ReceiverRecordData", maximum: AirDropLimits.answerSize)
    }

    package var body: [UInt8] {
        var members: [String: PropertyListValue] = [:]
        members.set("ReceiverComputerName", text: computerName)
        members.set("ReceiverModelName", text: modelName)
        members.set("ReceiverMediaCapabilities", data: mediaCapabilities)
        members.set("ReceiverRecordData", data: recordData)
        return BinaryPropertyList.encode(.dictionary(members))
    }
}
