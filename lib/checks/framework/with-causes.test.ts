import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checks } from '../checks.ts';
import { aFacts, aNode } from '../testing/a-facts.ts';
import { find, runAll } from '../testing/find.ts';
import { anyChoices, someFacts } from '../testing/some-facts.ts';
import { verdictOf } from './verdict.ts';

const local = { endpoint: { host: 'localhost', port: '6443' } };

test.each(['endpoint.resolvable', 'endpoint.stable', 'endpoint.certificate', 'operator.dns-deadlock'])(
  'an endpoint on localhost is one finding, and %s follows from it',
  (id) => {
    expect(find(id, {}, local).followsFrom).toBe('endpoint.not-local');
    expect(find(id, {}, { endpoint: { host: 'api.example.com', port: '6443' } }).followsFrom).toBeNull();
  },
);

test('while no address is accepted, its checks wait for that, and a bad proposal is still told', () => {
  const suggested = { host: 'localhost', port: 6443, because: 'it is there', doubts: [] };
  const proposed = (id: string) => find(id, { endpoint: { suggested } }, { endpoint: undefined });
  expect([proposed('endpoint.form').status, proposed('endpoint.form').followsFrom]).toEqual([
    'unknown',
    'endpoint.present',
  ]);
  expect([proposed('endpoint.not-local').status, proposed('endpoint.not-local').followsFrom]).toEqual(['fail', null]);
});

const old = { distribution: { id: 'ubuntu', version: '18.04' }, osImage: 'Ubuntu 18.04.6 LTS' };

test('a distribution follows from the kernel where it is the same nodes', () => {
  const both = aNode({ name: 'a', kernel: '4.15.0-20-generic', ...old });
  expect(find('node.distribution', { nodes: [both] }).followsFrom).toBe('node.kernel');
  const newKernel = aNode({ name: 'b', kernel: '5.4.0-150-generic', ...old });
  expect(find('node.distribution', { nodes: [both, newKernel] }).followsFrom).toBeNull();
});

test('on a platform without eBPF nothing else is open, and an outage still is', () => {
  const { findings } = runAll(aFacts({ platform: { kind: 'gke' }, proxy: { running: false } }));
  const own = findings.filter(({ status, followsFrom }) => followsFrom === null && /fail|unknown/.test(status));
  expect(own.map(({ id }) => id)).toEqual(['platform.supported', 'proxy.gone-without-bpf']);
});

test('a finding that follows from another says that it does not apply yet', () => {
  expect(find('endpoint.certificate', {}, local).title).toBe('Certificate at the endpoint: does not apply yet');
  expect(find('endpoint.certificate', {}, { endpoint: { host: 'api.example.com', port: '6443' } }).title).toBe(
    'Certificate at the endpoint: not verified',
  );
  for (const { title, followsFrom } of runAll(aFacts({ platform: { kind: 'gke' } })).findings)
    expect(/: does not apply yet$/.test(title)).toBe(followsFrom !== null);
});

test('a chain names its first finding, and an accepted or fixed cause folds nothing', () => {
  const facts = aFacts({ platform: { kind: 'gke' } });
  expect(runAll(facts).findings.find(({ id }) => id === 'endpoint.resolvable')?.followsFrom).not.toBe(
    'endpoint.present',
  );
  expect(find('endpoint.resolvable', facts, local).followsFrom).toBe('platform.supported');
});

test('a finding that follows from another never changes the verdict', () => {
  fc.assert(
    fc.property(someFacts, anyChoices, (facts, choices) => {
      const { findings, verdict } = runAll(facts, choices);
      expect(verdict).toBe(verdictOf(findings.map((finding) => ({ ...finding, followsFrom: null }))));
      for (const { followsFrom } of findings) {
        const cause = findings.find(({ id }) => id === followsFrom);
        if (followsFrom !== null)
          expect(cause).toMatchObject({ status: 'fail', acknowledged: null, followsFrom: null });
      }
    }),
    { numRuns: 100 },
  );
});

test('checks follow from checks that there are, and from none that follows from them', () => {
  const causes = new Map(checks.map(({ id, followsFrom = {} }) => [id, Object.keys(followsFrom)]));
  const reaches = (id: string, seen: readonly string[]): boolean =>
    seen.includes(id) || (causes.get(id) ?? []).some((cause) => reaches(cause, [...seen, id]));
  for (const [id, of] of causes) {
    for (const cause of of) expect([...causes.keys()]).toContain(cause);
    expect(`${id} ${reaches(id, []) ? 'follows from itself' : 'ends'}`).toBe(`${id} ends`);
  }
});
