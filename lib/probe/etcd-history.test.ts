import { expect, test } from 'vitest';
import { historyBytes, historyInWords } from './etcd-history.ts';
import type { ProbeSettings } from './objects/settings.ts';
import { choosePartners } from './partners/partners.ts';

/** `nodesOfLink`: how many nodes share a machine, if known. `families`: the address families of VXLAN. */
function settingsOf(
  count: number,
  { nodesOfLink, families }: { nodesOfLink: number | null; families: 1 | 2 },
): ProbeSettings {
  const nodes = Array.from({ length: count }, (_, index) => ({
    ...{ name: `worker-${index}.eu-central-1.compute.internal`, address: `10.${index >> 8}.${index & 255}.7` },
    ...{ zone: `zone-${index % 3}`, subnet: `10.${index >> 8}.0.0/16` },
    link: nodesOfLink === null ? null : `topology.scs.openstack.org/host-id=${Math.floor(index / nodesOfLink)}`,
  }));
  return {
    ...{ run: 300, image: 'quay.io/calico/node:v3.31.4', endpoint: null, vxlanPort: 4789, nodeSelector: {} },
    ...{ addresses: nodes.map(({ address }) => address), names: nodes.map(({ name }) => name) },
    ...(families === 2 && { addressesV6: nodes.map((_, index) => `2001:db8:0:77::${index}`) }),
    ...{ cgroupFolder: '/run/calico/cgroup', podNetwork: 'there', partners: choosePartners(nodes) },
  };
}

test.each([1, 2] as const)(
  "5,000 nodes stay below etcd's usual quota with addresses of %i families, however many share a machine, and that is said before; 500 leave little",
  (families) => {
    const mib = (settings: ProbeSettings) => Math.round(historyBytes(settings) / 1024 ** 2);
    const alone = settingsOf(5_000, { nodesOfLink: null, families });
    expect(historyInWords(alone)).toMatch(/leave up to 1\.\d GiB in etcd/);
    const sizes = [2, 3, 4, 40].map((nodesOfLink) => {
      const [many, few] = [5_000, 500].map((count) => settingsOf(count, { nodesOfLink, families }));
      if (!many || !few) throw new Error('no settings');
      expect(historyInWords(few)).toBeNull();
      return `${nodesOfLink}: ${mib(many)}`;
    });
    console.log(`5,000 nodes: ${mib(alone)} MiB, by nodes of a machine ${sizes.join(', ')}`);
    // Nine tenths of etcd's default quota (etcd.io/docs › System limits: 2 GiB).
    for (const one of [mib(alone), ...sizes.map((text) => Number(text.split(' ')[1]))])
      expect(one).toBeLessThan(0.9 * 2_048);
  },
);
