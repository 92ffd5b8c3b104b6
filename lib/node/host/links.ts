import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Link = {
  readonly name: string;
  readonly ifindex: number;
  readonly mac: string;
  readonly mtu: number;
  readonly isUp: boolean;
  /** `enslaved`: a member of a bond or bridge, which gets its packets. `vlan`: its packets are tagged on the device below. */
  readonly kind: 'plain' | 'enslaved' | 'vlan';
};

/** Interfaces of the network namespace in which sysfs was mounted. */
const usualFolder = '/sys/class/net';

const up = 1;

/** Only the names: they are compared often to notice changes. */
export const linkNames = (folder = usualFolder): string[] => readdirSync(folder).sort();

/** The interfaces of this host. One that disappears while it is read is left out. */
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
