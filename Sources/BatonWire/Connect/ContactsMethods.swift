/// `baton.app.v1.ContactsService`
package enum ContactsMethods {
    private static let service = "baton.app.v1.ContactsService"

    package static let getAccess = ConnectMethod<
        Baton_App_V1_GetContactAccessRequest, Baton_App_V1_GetContactAccessResponse
    >(service, "GetContactAccess")
    package static let requestAccess = ConnectMethod<
        Baton_App_V1_RequestContactAccessRequest, Baton_App_V1_RequestContactAccessResponse
    >(service, "RequestContactAccess")
    package static let fetch = ConnectMethod<Baton_App_V1_FetchContactsRequest, Baton_App_V1_FetchContactsResponse>(
        service, "FetchContacts")
    package static let save = ConnectMethod<Baton_App_V1_SaveContactsRequest, Baton_App_V1_SaveContactsResponse>(
        service, "SaveContacts")
    package static let watch = ConnectMethod<Baton_App_V1_WatchContactsRequest, Baton_App_V1_WatchContactsResponse>(
        service, "WatchContacts")
}

/// `baton.control.v1.AddressBookService`
package enum AddressBookMethods {
    private static let service = "baton.control.v1.AddressBookService"

    package static let listCards = ConnectMethod<Baton_Control_V1_ListCardsRequest, Baton_Control_V1_ListCardsResponse>(
        service, "ListCards")
    package static let listAccess = ConnectMethod<
        Baton_Control_V1_ListContactAccessRequest, Baton_Control_V1_ListContactAccessResponse
    >(service, "ListContactAccess")
    package static let setAccess = ConnectMethod<
        Baton_Control_V1_SetContactAccessRequest, Baton_Control_V1_SetContactAccessResponse
    >(service, "SetContactAccess")
}
