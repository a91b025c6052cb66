/// `baton.control.v1.AirDropService`
package enum AirDropMethods {
    private static let service = "baton.control.v1.AirDropService"

    package static let getAirDrop = ConnectMethod<Baton_Control_V1_GetAirDropRequest, Baton_Control_V1_AirDropState>(
        service, "GetAirDrop")
    package static let setVisibility = ConnectMethod<
        Baton_Control_V1_SetAirDropVisibilityRequest, Baton_Control_V1_AirDropState
    >(service, "SetAirDropVisibility")
    package static let watchNearby = ConnectMethod<Baton_Control_V1_WatchNearbyRequest, Baton_Control_V1_NearbyPeers>(
        service, "WatchNearby")
    package static let sendItems = ConnectMethod<Baton_Control_V1_SendItemsRequest, Baton_Control_V1_SendEvent>(
        service, "SendItems")
    package static let watchReceiving = ConnectMethod<
        Baton_Control_V1_WatchReceivingRequest, Baton_Control_V1_ReceivingEvent
    >(service, "WatchReceiving")
    package static let answerAsk = ConnectMethod<
        Baton_Control_V1_AnswerAskRequest, Baton_Control_V1_AnswerAskResponse
    >(service, "AnswerAsk")
    package static let listTransfers = ConnectMethod<
        Baton_Control_V1_ListTransfersRequest, Baton_Control_V1_ListTransfersResponse
    >(service, "ListTransfers")
    package static let listContacts = ConnectMethod<
        Baton_Control_V1_ListContactsRequest, Baton_Control_V1_ListContactsResponse
    >(service, "ListContacts")
    package static let removeContact = ConnectMethod<
        Baton_Control_V1_RemoveContactRequest, Baton_Control_V1_RemoveContactResponse
    >(service, "RemoveContact")
    package static let addContact = ConnectMethod<Baton_Control_V1_AddContactRequest, Baton_Control_V1_PairingEvent>(
        service, "AddContact")
    package static let explainNearby = ConnectMethod<
        Baton_Control_V1_ExplainNearbyRequest, Baton_Control_V1_ExplainResponse
    >(service, "ExplainNearby")
    package static let serveWeb = ConnectMethod<
        Baton_Control_V1_ServeWebRequest, Baton_Control_V1_WebTransferEvent
    >(service, "ServeWeb")
}
