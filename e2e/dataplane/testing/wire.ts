import { closeSync } from 'node:fs';
import { openLibrary } from '#lib/node/bpf/index.ts';
import type { Topology } from './topology.ts';
import { withinNetwork } from './within-network.ts';

/** A link as a packet socket sees it (packet(7)): frames from their Ethernet header on, both directions. */
export type Wire = {
  /** Frames since the last call. */
  readonly taken: () => Buffer[];
  readonly send: (frame: Buffer) => void;
  readonly close: () => void;
};

const [ofPackets, raw, withoutWaiting] = [17, 3, 0o4000] as const;
const everyProtocol = Buffer.from([0, 3]);
const longestFrame = 70_000;

export function wire(net: Topology, place: string, link: string): Wire {
  const libc = openLibrary('libc.so.6');
  const [socket, bind, receive, send] = [
    libc.bind('int socket(int family, int type, int protocol)'),
    libc.bind('int bind(int fd, const void *address, uint32_t length)'),
    libc.bind('long recv(int fd, void *into, size_t length, int flags)'),
    libc.bind('long send(int fd, const void *from, size_t length, int flags)'),
  ];
  const checked = (result: unknown, doing: string) => {
    if (Number(result) < 0) throw new Error(`${doing} failed with errno ${libc.errno()}`);
    return Number(result);
  };
  const protocol = everyProtocol.readUInt16LE();
  const fd = checked(
    withinNetwork(net.namespace(place), () => socket(ofPackets, raw | withoutWaiting, protocol)),
    'socket',
  );
  const address = Buffer.alloc(20);
  address.writeUInt16LE(ofPackets, 0);
  everyProtocol.copy(address, 2);
  address.writeInt32LE(net.ifindex(place, link), 4);
  checked(bind(fd, address, address.length), 'bind');
  const into = Buffer.alloc(longestFrame);
  return {
    taken() {
      const frames: Buffer[] = [];
      for (;;) {
        const length = Number(receive(fd, into, into.length, 0));
        if (length < 0) return frames;
        frames.push(Buffer.from(into.subarray(0, length)));
      }
    },
    send: (frame) => void checked(send(fd, frame, frame.length, 0), 'send'),
    close: () => closeSync(fd),
  };
}
