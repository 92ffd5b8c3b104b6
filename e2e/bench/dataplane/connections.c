/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection after the other, a byte each way: as small as a program can be beside what the kernel does for it.
 *   connections serve PORT
 *   connections ask SECONDS PORT ADDRESS...
 * `ask` prints connections, seconds, its own seconds of processor, and the time of connect() in microseconds: p50 and p99.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 4000000

static double now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int by_size(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return x < y ? -1 : x > y;
}

static int serve(int port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
	int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	char byte;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) || listen(listener, 1024))
		return perror("serve"), 1;
	puts("ready");
	fflush(stdout);
	for (;;) {
		int one = accept(listener, NULL, NULL);

		if (one < 0)
			continue;
		if (read(one, &byte, 1) == 1 && write(one, &byte, 1) == 1)
			while (read(one, &byte, 1) > 0)
				;
		close(one);
	}
}

static int ask(double seconds, int port, int count, char **addresses)
{
	/* Nothing is left waiting, so that ports do not run out. */
	struct linger at_once = {.l_onoff = 1};
	float *times = malloc(MOST * sizeof(*times));
	double began = now(CLOCK_MONOTONIC), used;
	long done = 0;
	char byte = 'x';

	while (now(CLOCK_MONOTONIC) - began < seconds && done < MOST) {
		struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
		int one = socket(AF_INET, SOCK_STREAM, 0);
		double before;

		inet_pton(AF_INET, addresses[done % count], &to.sin_addr);
		setsockopt(one, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
		before = now(CLOCK_MONOTONIC);
		if (connect(one, (struct sockaddr *)&to, sizeof(to)))
			return perror("connect"), 1;
		times[done++] = (now(CLOCK_MONOTONIC) - before) * 1e6;
		if (write(one, &byte, 1) != 1 || read(one, &byte, 1) != 1)
			return perror("ask"), 1;
		close(one);
	}
	used = now(CLOCK_PROCESS_CPUTIME_ID);
	seconds = now(CLOCK_MONOTONIC) - began;
	qsort(times, done, sizeof(*times), by_size);
	printf("%ld %f %f %f %f\n", done, seconds, used, times[done / 2], times[done * 99 / 100]);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve(atoi(argv[2]));
	if (argc > 4 && !strcmp(argv[1], "ask"))
		return ask(atof(argv[2]), atoi(argv[3]), argc - 4, argv + 4);
	return 2;
}
