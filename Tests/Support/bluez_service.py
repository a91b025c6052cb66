#!/usr/bin/env python3
"""Stands for BlueZ on a bus of a test, with python-dbusmock: an adapter, a pair of headphones and a car.

Standard input: `connect NAME`, `disconnect NAME`, with `headphones` or `car`; `lie NAME` (properties of wrong types); `flood NAME`.
BluetoothService of BatonTestSupport runs it.
"""

import ctypes, signal, subprocess, sys, time
import dbus

NAME, DEVICE, MOCK = "org.bluez", "org.bluez.Device1", "org.freedesktop.DBus.Mock"
THINGS = {
    "headphones": ("00:11:22:33:44:55", "Test Buds", "audio-headphones", 0x240418),
    "car": ("00:11:22:33:44:66", "Test Car", "audio-card", 0x240420),
}

def main():
    # It ends with this program, however that ends (PR_SET_PDEATHSIG).
    follow = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    command = [sys.executable, "-m", "dbusmock", "--system", "--template", "bluez5"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=follow)
    try:
        bus = dbus.SystemBus()
        for _ in range(200):
            if bus.name_has_owner(NAME):
                break
            time.sleep(0.05)
        mock = dbus.Interface(bus.get_object(NAME, "/org/bluez"), "org.bluez.Mock")
        mock.AddAdapter("hci0", "test")
        objects = {}
        for name, (address, alias, icon, number) in THINGS.items():
            path = mock.AddDevice("hci0", address, alias)
            objects[name] = dbus.Interface(bus.get_object(NAME, path), MOCK)
            objects[name].UpdateProperties(DEVICE, {"Icon": icon, "Class": dbus.UInt32(number)})
        print("ready", flush=True)
        for line in sys.stdin:
            command, _, name = line.strip().partition(" ")
            update = lambda value: objects[name].UpdateProperties(DEVICE, {"Connected": value})
            if command == "connect":
                update(True)
            elif command == "disconnect":
                update(False)
            elif command == "flood":
                for number in range(500):
                    update(number % 2 == 0)
            elif command == "lie":
                objects[name].UpdateProperties(DEVICE, {"Connected": True})
                objects[name].UpdateProperties(DEVICE, {"Icon": dbus.UInt32(7), "UUIDs": "none", "Alias": dbus.Array([], "s")})
            print("done " + command, flush=True)
    finally:
        server.kill()

main()
