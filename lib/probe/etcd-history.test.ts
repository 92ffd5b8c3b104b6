import { expect, test } from 'vitest';
import { historyBytes, historyInWords } from './etcd-history.ts';
import type { ProbeSettings } from './objects.ts';
import { choosePartners } from './partners/partners.ts';

function settingsOf(count: number): ProbeSettings {
  const nodes = Array.from({ length: count }, (_, place) => ({
    ...{ name: `worker-${place}.eu-central-1.compute.internal`, address: `10.${place >> 8}.${place & 255}.7` },
    ...{ zone: `zone-${place % 3}`, subnet: `10.${place >> 8}.0.0/16` },
  }));
  return {
    ...{ run: 300, image: 'quay.io/calico/node:v3.31.4', endpoint: null, vxlanPort: 4789, nodeSelector: {} },
    ...{ addresses: nodes.map(({ address }) => address), names: nodes.map(({ name }) => name) },
    ...{ cgroupFolder: '/run/calico/cgroup', podNetwork: 'there', partners: choosePartners(nodes) },
  };
}

test("5,000 nodes stay below etcd's usual quota, and that is said before; 500 leave little", () => {
  const [many, few] = [settingsOf(5_000), settingsOf(500)];
  console.log(
    `5,000 nodes: ${Math.round(historyBytes(many) / 1024 ** 2)} MiB, 500: ${Math.round(historyBytes(few) / 1024 ** 2)}`,
  );
  expect(historyBytes(many)).toBeLessThan(1.5 * 1024 ** 3);
  expect(historyInWords(many)).toMatch(/leave up to 1\.\d GiB in etcd/);
  expect(historyInWords(few)).toBeNull();
});
