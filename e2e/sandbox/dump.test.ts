import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Finding } from '#lib/checks/index.ts';
import { instantClock, type Kube, openDump } from '#lib/kube/index.ts';
import { openSandbox, templates } from '#lib/sandbox/index.ts';
import { type Goal, goals, resources } from '#lib/spec/index.ts';
import { assess, dumpCluster } from '#lib/usecases/index.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-dumped-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The checks that need a live cluster. On a dump their findings are unknown or missing. */
const onlyLive: readonly { readonly check: RegExp; readonly because: string }[] = [
  { check: /^permissions\.plan$/, because: 'what you may do is asked of the API server' },
  { check: /^upgrade\.owner-references$/, because: 'every object of every kind is looked at' },
  {
    check:
      /^(endpoint\.(resolvable|certificate|reachable)|node\.(bpf-loads|mounts|interfaces)|network\.(vxlan-between-nodes|mtu|offload|services-answer)|feature\.vlan-devices|proxy\.not-ipvs)$/,
    because: 'it is measured on the nodes',
  },
  { check: /^image\.pullable$/, because: 'nothing is asked of it before nodes are tested' },
  {
    check: /^(managed-by\.helm|upgrade\.(helm-pending|path))$/,
    because: "the values of a release are in Helm's Secrets",
  },
];

async function judged(kube: Kube, goal: Goal): Promise<ReadonlyMap<string, Finding>> {
  const choices = { goal, acceptProposals: true, acknowledge: {}, fix: [], set: {} };
  const { signal } = new AbortController();
  const clock = instantClock();
  const { findings } = await assess({
    use: (work) => work({ kube, clock }),
    answers: choices,
    choices: () => choices,
    clock,
    signal,
  });
  return new Map(findings.findings.map((one) => [one.id, one]));
}

const comparable = ({ status, severity, because, subjects }: Finding) =>
  `${status} ${severity}: ${because} ${JSON.stringify(subjects)}`;

/** Removes a dump's record, as if kubectl had written the dump. Returns the errors for kinds whose lists then count as incomplete. */
async function partsWithoutRecord(place: string): Promise<string[]> {
  await rm(join(place, 'signalbox-dump.json'));
  const dump = await openDump([place]);
  const parts: string[] = [];
  for (const resource of Object.values(resources).filter((one) => dump.covered(one)))
    try {
      for await (const _ of dump.listMetadata(resource));
    } catch (error) {
      parts.push(String(error));
    }
  return parts;
}

test.each(Object.keys(templates))('a dump of %s is judged as the cluster itself, redacted or not', async (name) => {
  const { kube, close } = await openSandbox(name, { speed: 'instant' });
  try {
    const dumps: Kube[] = [];
    // One dump is a folder, the other an archive; both hold the same files.
    const whole = join(folder, name);
    for (const [detail, place] of [
      ['whole', whole],
      ['redacted', `${whole}.tgz`],
    ] as const) {
      const { signal } = new AbortController();
      const record = await dumpCluster({
        kube,
        path: place,
        detail,
        signalboxVersion: 'v0',
        now: '2026-01-01',
        signal,
      });
      expect(record.complete).toBe(true);
      dumps.push(await openDump([place]));
    }
    for (const goal of goals) {
      const live = await judged(kube, goal);
      // Redaction may affect any goal. Without it the dump holds the same objects for all goals, so one suffices.
      for (const dump of goal === 'enable' ? dumps : dumps.slice(1)) {
        const differing = [...(await judged(dump, goal))].flatMap(([id, finding]) => {
          const before = live.get(id);
          const same =
            before !== undefined && comparable(before) === comparable(finding).replaceAll(dump.name, kube.name);
          const expected =
            ['unknown', 'skipped'].includes(finding.status) && onlyLive.some(({ check }) => check.test(id));
          return same || expected ? [] : [`${goal} ${id}: ${before && comparable(before)} → ${comparable(finding)}`];
        });
        expect(differing).toEqual([]);
      }
    }
    expect(await partsWithoutRecord(whole)).toEqual([]);
  } finally {
    await close();
  }
});
