import { closeSync, openSync } from 'node:fs';
import { openLibrary } from '#lib/node/bpf/index.ts';

const newNetwork = 0x40000000;

/** Runs synchronous code in a network namespace on this thread, which always returns to its own. */
export function withinNetwork<Result>(namespace: string, act: () => Result): Result {
  const libc = openLibrary('libc.so.6');
  const setns = libc.bind('int setns(int fd, int type)');
  const own = openSync('/proc/thread-self/ns/net', 'r');
  const there = openSync(`/run/netns/${namespace}`, 'r');
  const enter = (fd: number) => {
    if (setns(fd, newNetwork) !== 0) throw new Error(`setns failed with errno ${libc.errno()}`);
  };
  try {
    enter(there);
    return act();
  } finally {
    enter(own);
    closeSync(own);
    closeSync(there);
  }
}
