import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Link = {
  readonly name: string;
  readonly ifindex: number;
  readonly mac: string;
  readonly mtu: number;
  readonly isUp: boolean;
  /** `enslaved`: a bond or bridge has its packets. `vlan`: they have a tag on the device below. */
  readonly kind: 'plain' | 'enslaved' | 'vlan';
};

/** Where the kernel shows the interfaces of the network namespace that it was mounted in. */
const usualFolder = '/sys/class/net';

const up = 1;

/** Names alone: whether some came or went is asked often. */
export const linkNames = (folder = usualFolder): string[] => readdirSync(folder).sort();

/** The interfaces of this host. One that goes while it is read is left out. */
export function linksOfHost(folder = usualFolder): Link[] {
  return linkNames(folder).flatMap((name) => {
    const read = (file: string) => readFileSync(join(folder, name, file), 'utf8').trim();
    try {
      const ifindex = Number(read('ifindex'));
      const isVlan = /^DEVTYPE=vlan$/m.test(read('uevent'));
      const isEnslaved = existsSync(join(folder, name, 'master'));
      return [
        {
          ...{ name, ifindex, mac: read('address'), mtu: Number(read('mtu')) },
          isUp: (Number(read('flags')) & up) !== 0,
          kind: isVlan ? 'vlan' : isEnslaved ? 'enslaved' : 'plain',
        } satisfies Link,
      ];
    } catch {
      return [];
    }
  });
}
