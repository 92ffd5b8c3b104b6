// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* The only object, with every program and every map. */
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

/* The kernel offers its helpers only to code under the GPL; every file here is also licensed under Apache 2.0. */
char LICENSE[] SEC("license") = "GPL";
