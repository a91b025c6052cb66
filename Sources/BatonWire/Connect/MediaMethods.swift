/// `baton.app.v1.MediaService`
package enum MediaMethods {
    private static let service = "baton.app.v1.MediaService"

    package static let updateNowPlaying = ConnectMethod<
        Baton_App_V1_UpdateNowPlayingRequest, Baton_App_V1_UpdateNowPlayingResponse
    >(service, "UpdateNowPlaying")
}

/// `baton.control.v1.MediaControlService`
package enum MediaControlMethods {
    private static let service = "baton.control.v1.MediaControlService"

    package static let listPlayers = ConnectMethod<
        Baton_Control_V1_ListPlayersRequest, Baton_Control_V1_ListPlayersResponse
    >(service, "ListPlayers")
    package static let controlPlayer = ConnectMethod<
        Baton_Control_V1_ControlPlayerRequest, Baton_Control_V1_ControlPlayerResponse
    >(service, "ControlPlayer")
    package static let moveMedia = ConnectMethod<
        Baton_Control_V1_MoveMediaRequest, Baton_Control_V1_MoveMediaResponse
    >(service, "MoveMedia")
}

/// `baton.link.v1.MediaLinkService`
package enum MediaLinkMethods {
    private static let service = "baton.link.v1.MediaLinkService"

    package static let controlMedia = ConnectMethod<
        Baton_Link_V1_ControlMediaRequest, Baton_Link_V1_ControlMediaResponse
    >(service, "ControlMedia")
    package static let giveMedia = ConnectMethod<Baton_Link_V1_GiveMediaRequest, Baton_Link_V1_GiveMediaResponse>(
        service, "GiveMedia")
    package static let takeMedia = ConnectMethod<Baton_Link_V1_TakeMediaRequest, Baton_Link_V1_TakeMediaResponse>(
        service, "TakeMedia")
}
