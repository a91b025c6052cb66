"""A bridge between two namespaces that delays frames and drops some, the same ones for the same seed.

    lossy.py NAMESPACE NAMESPACE DELAY_MS LOSS_PERCENT SEED

Each frame is late by DELAY_MS in its direction, so a round trip takes twice as long. Runs until it is terminated.
"""
import collections
import ctypes
import fcntl
import os
import random
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000
CLONE_NEWNET = 0x40000000
# A queue of a router: what comes while it is full is dropped, too.
QUEUE = 1000


def tap(namespace):
    """A TAP device named eth0 in a namespace."""
    with open(f"/run/netns/{namespace}", encoding="utf8") as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"eth0", IFF_TAP | IFF_NO_PI))
    return device


def main():
    first, second = tap(sys.argv[1]), tap(sys.argv[2])
    delay, loss, seed = float(sys.argv[3]) / 1000, float(sys.argv[4]) / 100, int(sys.argv[5])
    # One for each direction, so that what one side sends does not decide which frames of the other are lost.
    lines = {first: (second, collections.deque(), random.Random(seed)),
             second: (first, collections.deque(), random.Random(seed + 1))}
    print("ready", flush=True)
    while True:
        now = time.monotonic()
        due = [queue[0][0] for _, queue, _ in lines.values() if queue]
        readable, _, _ = select.select(list(lines), [], [], max(0, min(due) - now) if due else None)
        now = time.monotonic()
        for device in readable:
            _, queue, dice = lines[device]
            for _ in range(64):
                try:
                    frame = os.read(device, 65536)
                except BlockingIOError:
                    break
                if dice.random() >= loss and len(queue) < QUEUE:
                    queue.append((now + delay, frame))
        for target, queue, _ in lines.values():
            while queue and queue[0][0] <= now:
                try:
                    os.write(target, queue.popleft()[1])
                except OSError:
                    pass


main()
