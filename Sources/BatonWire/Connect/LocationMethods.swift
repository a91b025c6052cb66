/// `baton.app.v1.LocationService`
package enum LocationMethods {
    private static let service = "baton.app.v1.LocationService"

    package static let getAccess = ConnectMethod<
        Baton_App_V1_GetLocationAccessRequest, Baton_App_V1_GetLocationAccessResponse
    >(service, "GetLocationAccess")
    package static let requestAccess = ConnectMethod<
        Baton_App_V1_RequestLocationAccessRequest, Baton_App_V1_RequestLocationAccessResponse
    >(service, "RequestLocationAccess")
    package static let watch = ConnectMethod<Baton_App_V1_WatchLocationRequest, Baton_App_V1_WatchLocationResponse>(
        service, "WatchLocation")
}

/// `baton.control.v1.LocationAccessService`
package enum LocationAccessMethods {
    private static let service = "baton.control.v1.LocationAccessService"

    package static let list = ConnectMethod<
        Baton_Control_V1_ListLocationAccessRequest, Baton_Control_V1_ListLocationAccessResponse
    >(service, "ListLocationAccess")
    package static let set = ConnectMethod<
        Baton_Control_V1_SetLocationAccessRequest, Baton_Control_V1_SetLocationAccessResponse
    >(service, "SetLocationAccess")
}
