#!/usr/bin/env python3
"""Stands for GeoClue on a bus of a test, with python-dbusmock: it tells a position when it is started, and others on demand.

Standard input: `move LATITUDE LONGITUDE`, `lie` (positions that are none), `hang` (no answer any more) and `answer`. GeoClueService of BatonTestSupport runs it.
"""

import ctypes, signal, subprocess, sys, time
import dbus, dbus.lowlevel

NAME, ROOT, MOCK = "org.freedesktop.GeoClue2", "/org/freedesktop/GeoClue2", "org.freedesktop.DBus.Mock"
MANAGER, CLIENT, PLACE = NAME + ".Manager", NAME + ".Client", NAME + ".Location"

def main():
    # It ends with this program, however that ends (PR_SET_PDEATHSIG).
    follow = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    command = [sys.executable, "-m", "dbusmock", "--system", NAME, ROOT + "/Manager", MANAGER]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=follow)
    try:
        bus = dbus.SystemBus()
        for _ in range(200):
            if bus.name_has_owner(NAME):
                break
            time.sleep(0.05)
        manager = dbus.Interface(bus.get_object(NAME, ROOT + "/Manager"), MOCK)
        manager.AddMethod(MANAGER, "GetClient", "", "o", f"ret = dbus.ObjectPath('{ROOT}/Client/1')")

        def place(number, latitude, longitude):
            manager.AddObject(
                f"{ROOT}/Location/{number}", PLACE,
                {"Latitude": dbus.Double(latitude), "Longitude": dbus.Double(longitude), "Accuracy": dbus.Double(25),
                 "Altitude": dbus.Double(-1.797e308), "Speed": dbus.Double(-1), "Heading": dbus.Double(-1)},
                dbus.Array([], "(ssss)"))

        place(0, 41.0082, 28.9784)
        start = f"self.EmitSignal('{CLIENT}', 'LocationUpdated', 'oo', ['/', '{ROOT}/Location/0'])"
        manager.AddObject(
            f"{ROOT}/Client/1", CLIENT, {"DesktopId": "", "DistanceThreshold": dbus.UInt32(0)},
            dbus.Array([("Start", "", "", start), ("Stop", "", "", "")], "(ssss)"))
        client = dbus.Interface(bus.get_object(NAME, ROOT + "/Client/1"), MOCK)
        print("ready", flush=True)
        number = 0
        for line in sys.stdin:
            words = line.split()
            if words[0] == "hang":
                server.send_signal(signal.SIGSTOP)
            elif words[0] == "answer":
                server.send_signal(signal.SIGCONT)
            elif words[0] == "lie":
                # No place on the earth, a text for a number, an object that is not there, and what another program says.
                for path, latitude in ((900, dbus.Double(91)), (901, dbus.Double(float("nan"))), (902, "north")):
                    manager.AddObject(
                        f"{ROOT}/Location/{path}", PLACE, {"Latitude": latitude, "Longitude": dbus.Double(13.4)},
                        dbus.Array([], "(ssss)"))
                for path in (900, 901, 902, 903):
                    lie = dbus.Array(["/", f"{ROOT}/Location/{path}"], "o")
                    client.EmitSignal(CLIENT, "LocationUpdated", "oo", lie)
                client.EmitSignal(CLIENT, "LocationUpdated", "s", ["nonsense"])
                stranger = dbus.lowlevel.SignalMessage(f"{ROOT}/Client/1", CLIENT, "LocationUpdated")
                stranger.append("/", f"{ROOT}/Location/0", signature="oo")
                bus.send_message(stranger)
            if words[0] != "move":
                print("done " + line.strip(), flush=True)
                continue
            _, latitude, longitude = words
            number += 1
            place(number, float(latitude), float(longitude))
            paths = dbus.Array([dbus.ObjectPath(f"{ROOT}/Location/{n}") for n in (number - 1, number)], "o")
            client.EmitSignal(CLIENT, "LocationUpdated", "oo", paths)
            print("done " + line.strip(), flush=True)
    finally:
        server.kill()

main()
