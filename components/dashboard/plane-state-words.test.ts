import { expect, test } from 'vitest';
import type { ClusterView } from '#lib/console/wire.ts';
import { planeStateWords } from './plane-state-words.ts';

type Plane = ClusterView['nodes'][number]['plane'];

const serving = { desired: 1234, ready: 1234 };
const installation = { dataplane: 'Iptables', generation: 1, version: 'v3.31.4' };

function wordsFor(
  planes: Partial<Record<Plane, number>>,
  differs: Partial<{ proxy: object; agents: object; unknown: object[]; stale: ClusterView['stale'] }> = {},
): string {
  const nodes = Object.entries(planes).flatMap(([plane, count]) =>
    Array.from({ length: count }, (_, index) => ({ name: `${plane}-${index}`, plane })),
  );
  const status = { installation, agents: null, felix: null, proxy: serving, components: [], unknown: [], ...differs };
  const { stale = null } = differs;
  return planeStateWords({ nodes, status, stale } as unknown as ClusterView).words;
}

/** The number of letters that fit on one line beside *Data plane* at 390 px. */
const mostLetters = 32;

test.each([
  [wordsFor({ standard: 1234 }), 'Standard on every node'],
  [wordsFor({ bpf: 1234 }), 'eBPF on every node'],
  [
    wordsFor({ standard: 1234 }, { agents: { desired: 1234, available: 1233, updated: 1234 } }),
    'Not ready on 1 of 1,234 nodes',
  ],
  [wordsFor({ standard: 1234 }, { proxy: { desired: 1234, ready: 1233 } }), 'Not ready on 1 of 1,234 nodes'],
  [
    wordsFor({ standard: 1233, unknown: 1 }, { agents: { desired: 1234, available: 1233, updated: 1000 } }),
    'Not ready on 1 of 1,234 nodes',
  ],
  [wordsFor({ moving: 1000, bpf: 234 }), 'Moving, 234 of 1,234 on eBPF'],
  [wordsFor({ standard: 1000, bpf: 234 }), 'Mixed, 234 of 1,234 on eBPF'],
  [wordsFor({}), 'No nodes'],
  [wordsFor({}, { unknown: [{ kind: 'Node', because: 'forbidden' }] }), 'Not known'],
  [wordsFor({ standard: 1234 }, { stale: { since: '2026-01-01T00:00:00Z', message: '' } }), 'As of 00:00:00 UTC'],
])('%s: on one line, so that nothing moves when it changes', (words, expected) => {
  expect(words).toBe(expected);
  expect(words.length).toBeLessThanOrEqual(mostLetters);
});
