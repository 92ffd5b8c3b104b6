import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '#lib/folders/testing/test-folder.ts';
import { linkNames, linksOfHost } from './links.ts';

/** Interfaces in the form of sysfs: one file per property. */
function hostWith(links: Record<string, Record<string, string>>): string {
  const folder = testFolder('links');
  for (const [name, files] of Object.entries(links)) {
    mkdirSync(join(folder, name));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), `${text}\n`);
  }
  return folder;
}

const aLink = { ifindex: '2', address: '02:00:00:00:00:01', mtu: '1500', flags: '0x1003', uevent: 'INTERFACE=x' };

test('an interface is read with what it is part of', () => {
  const host = hostWith({
    eth0: { ...aLink, master: 'bond0' },
    bond0: { ...aLink, ifindex: '3', uevent: 'DEVTYPE=bond\nINTERFACE=bond0' },
    'bond0.100': { ...aLink, ifindex: '4', uevent: 'DEVTYPE=vlan\nINTERFACE=bond0.100', flags: '0x1002' },
  });
  expect(linksOfHost(host)).toEqual([
    { name: 'bond0', ifindex: 3, mac: '02:00:00:00:00:01', mtu: 1500, isUp: true, kind: 'plain' },
    { name: 'bond0.100', ifindex: 4, mac: '02:00:00:00:00:01', mtu: 1500, isUp: false, kind: 'vlan' },
    { name: 'eth0', ifindex: 2, mac: '02:00:00:00:00:01', mtu: 1500, isUp: true, kind: 'enslaved' },
  ]);
});

test('one that goes while it is read is left out', () => {
  const host = hostWith({ eth0: aLink, gone: { ifindex: '9' } });
  expect(linkNames(host)).toEqual(['eth0', 'gone']);
  expect(linksOfHost(host).map(({ name }) => name)).toEqual(['eth0']);
});
