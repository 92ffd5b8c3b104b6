import { closeSync } from 'node:fs';
import { openLibrary } from './native-library.ts';

/** AF_NETLINK, SOCK_RAW, NLMSG_ERROR and NLMSG_DONE. */
const [family, raw, anError, atEnd] = [16, 3, 2, 3] as const;
export const netlinkFlags = { request: 1, acknowledge: 4, exclusive: 0x200, create: 0x400, dump: 0x300 } as const;
const headerSize = 16;
const mostBytes = 65_536;

/** A netlink message with its header. `flags` of `netlinkFlags`; `request` is added. */
export function netlinkMessage(type: number, flags: number, ...body: readonly Uint8Array[]): Buffer {
  const payload = Buffer.concat(body);
  const header = Buffer.alloc(headerSize);
  header.writeUInt32LE(header.length + payload.length, 0);
  header.writeUInt16LE(type, 4);
  header.writeUInt16LE(netlinkFlags.request | flags, 6);
  return Buffer.concat([header, payload]);
}

export type Netlink = {
  /** Sends a message that has the flag `acknowledge`. Returns whether the kernel did what it asks for. */
  readonly isDone: (message: Buffer) => boolean;
  /** Sends a request and returns the answers up to the end, or up to an error. `isWhole` is false if receiving broke off. */
  readonly all: (message: Buffer) => {
    readonly answers: readonly { readonly type: number; readonly payload: Buffer }[];
    readonly isWhole: boolean;
  };
  readonly close: () => void;
};

/** Opens a netlink socket (`protocol`: NETLINK_…) in this thread's network namespace; null if that fails. */
export function openNetlink(protocol: number): Netlink | null {
  const libc = openLibrary('libc.so.6');
  const send = libc.bind('int64_t send(int fd, const void *bytes, size_t length, int flags)');
  const receive = libc.bind('int64_t recv(int fd, void *bytes, size_t length, int flags)');
  const fd = Number(libc.bind('int socket(int family, int type, int protocol)')(family, raw, protocol));
  if (fd < 0) return null;
  const into = Buffer.alloc(mostBytes);
  const isSent = (message: Buffer) => Number(send(fd, message, message.length, 0)) === message.length;
  const received = () => into.subarray(0, Math.max(0, Number(receive(fd, into, into.length, 0))));
  return {
    isDone(message) {
      if (!isSent(message)) return false;
      // An acknowledgement is an error message; its number is 0 on success.
      const answer = received();
      return (
        answer.length >= headerSize + 4 && answer.readUInt16LE(4) === anError && answer.readInt32LE(headerSize) === 0
      );
    },
    all(message) {
      const answers: { type: number; payload: Buffer }[] = [];
      if (!isSent(message)) return { answers, isWhole: false };
      for (;;) {
        const messages = received();
        if (messages.length < headerSize) return { answers, isWhole: false };
        for (let at = 0; at + headerSize <= messages.length; ) {
          const length = Math.max(headerSize, messages.readUInt32LE(at));
          const type = messages.readUInt16LE(at + 4);
          if (type === atEnd || type === anError) return { answers, isWhole: true };
          answers.push({ type, payload: Buffer.from(messages.subarray(at + headerSize, at + length)) });
          at += (length + 3) & ~3;
        }
      }
    },
    close: () => closeSync(fd),
  };
}
