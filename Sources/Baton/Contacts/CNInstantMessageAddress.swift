public import Foundation

/// Where a contact can be reached by instant messages. Contacts'. It does not change, and is safe to use from any thread.
//
// @unchecked: all properties are constants.
open class CNInstantMessageAddress: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The name there.
    public let username: String
    /// The service, as ``CNInstantMessageServiceJabber``.
    public let service: String
    /// As its card has it.
    let url: String

    /// A name in a service.
    public convenience init(username: String, service: String) {
        self.init(username: username, service: service, url: "")
    }

    init(username: String, service: String, url: String) {
        self.username = username
        self.service = service
        self.url = url
        super.init()
    }

    /// Addresses do not change: the same one.
    open func copy(with zone: NSZone? = nil) -> Any { self }
    /// Always true.
    public class var supportsSecureCoding: Bool { true }
    /// Writes the name and the service.
    open func encode(with coder: NSCoder) {
        coder.encode(username as NSString, forKey: "username")
        coder.encode(service as NSString, forKey: "service")
    }

    /// Reads what ``encode(with:)`` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let username = coder.decodeObject(of: NSString.self, forKey: "username"),
            let service = coder.decodeObject(of: NSString.self, forKey: "service")
        else { return nil }
        self.username = String(describing: username)
        self.service = String(describing: service)
        url = ""
        super.init()
    }

    /// The name of a property, for people.
    open class func localizedString(forKey key: String) -> String { CNContact.localizedString(forKey: key) }
    /// The name of a service, for people.
    open class func localizedString(forService service: String) -> String { service }

    /// Addresses are equal if name and service are.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CNInstantMessageAddress).map { $0.username == username && $0.service == service } ?? false
    }
    /// Equal addresses have it in common.
    open override var hash: Int { username.hashValue ^ service.hashValue }
}

/// The key of ``CNInstantMessageAddress/username``. Contacts'.
public let CNInstantMessageAddressUsernameKey = "username"
/// The key of ``CNInstantMessageAddress/service``. Contacts'.
public let CNInstantMessageAddressServiceKey = "service"
/// The service AIM. Contacts'.
public let CNInstantMessageServiceAIM = "AIM"
/// The service Facebook. Contacts'.
public let CNInstantMessageServiceFacebook = "Facebook"
/// The service GaduGadu. Contacts'.
public let CNInstantMessageServiceGaduGadu = "GaduGadu"
/// The service GoogleTalk. Contacts'.
public let CNInstantMessageServiceGoogleTalk = "GoogleTalk"
/// The service ICQ. Contacts'.
public let CNInstantMessageServiceICQ = "ICQ"
/// The service Jabber. Contacts'.
public let CNInstantMessageServiceJabber = "Jabber"
/// The service MSN. Contacts'.
public let CNInstantMessageServiceMSN = "MSN"
/// The service QQ. Contacts'.
public let CNInstantMessageServiceQQ = "QQ"
/// The service Skype. Contacts'.
public let CNInstantMessageServiceSkype = "Skype"
/// The service Yahoo. Contacts'.
public let CNInstantMessageServiceYahoo = "Yahoo"
