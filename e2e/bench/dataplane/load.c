/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bench sends and answers, as small as a program can be beside what the kernel does for it.
 *   load serve PORT                        answers TCP there, one client after the other
 *   load serve-datagrams PORT
 *   load KIND SECONDS PORT ADDRESS...
 * KIND: `connections` one after the other, a byte each way; `ping` a byte to and fro over one connection; `datagrams` a socket and a byte each way for each;
 * `upload` and `download` over one connection. Prints how often (or how many bytes), seconds, its own seconds of processor, and how long one took in
 * microseconds (connect() of `connections`): p50 and p99.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 4000000
#define PIECE 131072

static char piece[PIECE];
static float times[MOST];

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

/* The first byte says what the client wants. */
static void answer(int one)
{
	char byte;

	while (read(one, &byte, 1) == 1) {
		if (byte == 'd')
			while (send(one, piece, PIECE, MSG_NOSIGNAL) > 0)
				;
		else if (byte == 'u')
			while (read(one, piece, PIECE) > 0)
				;
		else if (send(one, &byte, 1, MSG_NOSIGNAL) != 1)
			break;
	}
	close(one);
}

static int serve(int type, int port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port)};
	int listener = socket(AF_INET, type, 0), on = 1;
	char byte;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(listener, (struct sockaddr *)&at, sizeof(at)) || (type == SOCK_STREAM && listen(listener, 1024)))
		return perror("serve"), 1;
	puts("ready");
	fflush(stdout);
	for (;;) {
		struct sockaddr_in from;
		socklen_t length = sizeof(from);

		if (type == SOCK_STREAM) {
			int one = accept(listener, NULL, NULL);

			if (one >= 0)
				answer(one);
		} else if (recvfrom(listener, &byte, 1, 0, (struct sockaddr *)&from, &length) == 1) {
			sendto(listener, &byte, 1, 0, (struct sockaddr *)&from, length);
		}
	}
}

/* `took`: by connect() alone, in microseconds. */
static int connected(int type, const char *address, int port, float *took)
{
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
	/* Nothing is left waiting, so that ports do not run out. */
	struct linger at_once = {.l_onoff = 1};
	/* A datagram that got lost is no reason to wait for ever. */
	struct timeval patience = {.tv_sec = 2};
	int one = socket(AF_INET, type, 0);
	double before;

	inet_pton(AF_INET, address, &to.sin_addr);
	if (type == SOCK_STREAM)
		setsockopt(one, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	else
		setsockopt(one, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	before = now(CLOCK_MONOTONIC);
	if (connect(one, (struct sockaddr *)&to, sizeof(to))) {
		perror("connect");
		exit(1);
	}
	*took = (now(CLOCK_MONOTONIC) - before) * 1e6;
	return one;
}

static void exchange(int one)
{
	char byte = 'x';

	if (write(one, &byte, 1) != 1 || read(one, &byte, 1) != 1) {
		perror("ask");
		exit(1);
	}
}

static int ask(const char *kind, double seconds, int port, int count, char **addresses)
{
	double began = now(CLOCK_MONOTONIC), until = began + seconds, used;
	double done = 0;
	long asked = 0;
	int one = -1, is_bulk = 0;

	if (!strcmp(kind, "ping")) {
		one = connected(SOCK_STREAM, addresses[0], port, times);
	} else if (!strcmp(kind, "upload") || !strcmp(kind, "download")) {
		is_bulk = 1;
		one = connected(SOCK_STREAM, addresses[0], port, times);
		if (write(one, kind, 1) != 1)
			return perror("ask"), 1;
	}
	while (asked < MOST) {
		double before = now(CLOCK_MONOTONIC);

		if (before > until)
			break;
		if (is_bulk) {
			ssize_t moved = kind[0] == 'u' ? write(one, piece, PIECE) : read(one, piece, PIECE);

			if (moved <= 0)
				return perror(kind), 1;
			done += moved;
			asked = 1;
			continue;
		}
		if (!strcmp(kind, "connections")) {
			one = connected(SOCK_STREAM, addresses[asked % count], port, times + asked);
			exchange(one);
			close(one);
		} else if (!strcmp(kind, "datagrams")) {
			one = connected(SOCK_DGRAM, addresses[asked % count], port, times + asked);
			exchange(one);
			close(one);
			times[asked] = (now(CLOCK_MONOTONIC) - before) * 1e6;
		} else {
			exchange(one);
			times[asked] = (now(CLOCK_MONOTONIC) - before) * 1e6;
		}
		done = ++asked;
	}
	used = now(CLOCK_PROCESS_CPUTIME_ID);
	seconds = now(CLOCK_MONOTONIC) - began;
	qsort(times, asked, sizeof(*times), by_size);
	printf("%.0f %f %f %f %f\n", done, seconds, used, times[asked / 2], times[asked * 99 / 100]);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "serve"))
		return serve(SOCK_STREAM, atoi(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "serve-datagrams"))
		return serve(SOCK_DGRAM, atoi(argv[2]));
	if (argc > 4)
		return ask(argv[1], atof(argv[2]), atoi(argv[3]), argc - 4, argv + 4);
	return 2;
}
