#pragma once
#include <poll.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>
