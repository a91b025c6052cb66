package import BatonCore

/// The body of a `POST /Ask`: who wants to send what. The answer comes when the person has decided.
///
/// All that is in it is the sender's claim. Only the connection says who the sender is.
package struct AskRequest: Hashable, Sendable {
    /// Cleaned, so that it can be shown.
    package var senderComputerName: String
    package var senderModelName: String?
    /// A random number of the sender's, which does not identify it.
    package var senderID: String?
    /// The app that sends.
    package var bundleID: String?
    package var convertsMedia = false
    package var files: [OfferedFile]
    package var links: [OfferedLink]
    /// A picture of the first file, JPEG 2000 of at most 540 × 540 points. Not decoded here.
    package var icon: [UInt8]?
    /// As ``DiscoverRequest/senderRecordData``.
    package var senderRecordData: [UInt8]?

    package init(
        senderComputerName: String, senderModelName: String?, senderID: String?, bundleID: String?,
        files: [OfferedFile] = [], links: [OfferedLink] = []
    ) {
        self.senderComputerName = senderComputerName
        self.senderModelName = senderModelName
        self.senderID = senderID
        self.bundleID = bundleID
        self.files = files
        self.links = links
    }

    /// Links are here already; files need an upload.
    package var needsUpload: Bool { !files.isEmpty }

    /// - Throws: `property_list_invalid`, `property_list_too_large`, `airdrop_message_invalid`, `airdrop_invalid_link`,
    ///   `airdrop_too_many_items`.
    package init(_ body: [UInt8]) throws(BatonError) {
        let value = try BinaryPropertyList.decode(body, limits: .init(size: AirDropLimits.askSize))
        let fields = try PropertyListFields(value, "/Ask")
        senderComputerName = try fields.require(try fields.displayedText("SenderComputerName"), "SenderComputerName")
        senderModelName = try fields.displayedText("SenderModelName")
        senderID = try fields.displayedText("SenderID")
        bundleID = try fields.displayedText("BundleID")
        convertsMedia = try fields.flag("ConvertMediaFormats") ?? false
        icon = try fields.data("FileIcon", maximum: AirDropLimits.iconSize)
        senderRecordData = try fields.data("SenderRecordData", maximum: AirDropLimits.discoverSize)
        files = try Self.files(fields)
        links = try Self.links(fields)
        guard !files.isEmpty || !links.isEmpty else {
            throw PropertyListFields.invalid("/Ask has neither Files nor Items")
        }
    }

    private static func files(_ fields: PropertyListFields) throws(BatonError) -> [OfferedFile] {
        var files: [OfferedFile] = []
        var names: Set<String> = []
        for (index, value) in try fields.array("Files", maximum: AirDropLimits.files).enumerated() {
            let file = try OfferedFile(value, "Files[\(index)]")
            guard names.insert(file.archiveName).inserted else {
                throw PropertyListFields.invalid("two of Files have the same FileBomPath")
            }
            files.append(file)
        }
        return files
    }

    private static func links(_ fields: PropertyListFields) throws(BatonError) -> [OfferedLink] {
        var links: [OfferedLink] = []
        for (index, value) in try fields.array("Items", maximum: AirDropLimits.links).enumerated() {
            guard case .string(let text) = value else {
                throw PropertyListFields.invalid("Items[\(index)] must be a text, not \(value.kind)")
            }
            links.append(try OfferedLink(text))
        }
        return links
    }

    package var body: [UInt8] {
        var members: [String: PropertyListValue] = [
            "SenderComputerName": .string(senderComputerName), "ConvertMediaFormats": .boolean(convertsMedia),
        ]
        members.set("SenderModelName", text: senderModelName)
        members.set("SenderID", text: senderID)
        members.set("BundleID", text: bundleID)
        members.set("FileIcon", data: icon)
        members.set("SenderRecordData", data: senderRecordData)
        if !files.isEmpty { members["Files"] = .array(files.map(\.value)) }
        if !links.isEmpty { members["Items"] = .array(links.map { .string($0.text) }) }
        return BinaryPropertyList.encode(.dictionary(members))
    }
}
