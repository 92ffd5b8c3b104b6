import { expect, test } from 'vitest';
import { choosePartners } from '#lib/probe/index.ts';
import { offeredProbe } from './offered-probe.ts';
import type { PreparedProbe } from './prepare-probe.ts';

function preparedFor(count: number): PreparedProbe {
  const nodes = Array.from({ length: count }, (_, index) => ({
    ...{ name: `w${index}`, address: `10.0.${index >> 8}.${index & 255}` },
    ...{ distribution: { id: 'ubuntu' }, architecture: 'amd64' },
  }));
  const partners = choosePartners(nodes);
  return {
    question: { nodes, partners, endpoint: null, interfacePattern: null, release: 'v3.31.4' },
    settings: {
      ...{
        run: 300,
        image: 'quay.io/calico/node:v3.31.4',
        endpoint: null,
        vxlanPort: 4789,
        nodeSelector: {},
        partners,
      },
      ...{ addresses: nodes.map(({ address }) => address), names: nodes.map(({ name }) => name) },
      ...{ cgroupFolder: '/run/calico/cgroup', podNetwork: 'there' },
    },
    plan: {} as PreparedProbe['plan'],
    agentless: [],
  };
}

function offerFor(count: number) {
  const offer = offeredProbe(preparedFor(count), null);
  if (offer.kind !== 'offered') throw new Error(offer.because);
  return offer;
}

test('each object that is made is named, the YAML of many groups of nodes is shown once, and the scripts as they are', () => {
  const [few, many] = [offerFor(200), offerFor(600)];
  const host = (...numbers: string[]) => numbers.map((number) => `signalbox-probe/DaemonSet/signalbox-probe${number}`);
  expect(few.ids.filter((id) => id.includes('DaemonSet'))).toEqual(host('', '-pod'));
  expect(many.ids.filter((id) => id.includes('DaemonSet'))).toEqual(host('', '-2', '-3', '-4', '-5', '-pod'));
  expect(few.objects).not.toContain('more like this one');
  expect(many.objects).toContain('# 4 more like this one, for the other nodes.\n---\n');
  expect(many.objects.match(/kind: DaemonSet/g)).toHaveLength(2);
  for (const { script, podScript, objects } of [few, many]) {
    expect(podScript?.length).toBeLessThan(script.length / 3);
    expect(objects).toContain('the script above');
    expect(objects).toContain('the script of the pod network above');
    expect(objects).not.toContain('dns_message');
  }
  expect(few.script).toMatch(/^# WAY /m);
  expect(many.script).not.toMatch(/^#/m);
  expect([few.history, many.history]).toEqual([null, null]);
});

test('how much so many pods leave in etcd is offered before any of them is made', () => {
  expect(offerFor(5_000).history).toMatch(/leave up to 1\.\d GiB in etcd/);
});
