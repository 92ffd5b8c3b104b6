// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* The one object: every program and every map. */
#include "kernel.h"
#include "service.h"
#include "affinity.h"
#include "route.h"
#include "interface.h"
#include "config.h"
#include "conntrack.h"
#include "socket-origin.h"
#include "statistics.h"
#include "socket.h"
#include "device.h"

/* The kernel lends its helpers only to what is under the GPL; every file here may also be had under the Apache License. */
char LICENSE[] SEC("license") = "GPL";
