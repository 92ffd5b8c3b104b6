import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  differencesBetween,
  makePlan,
  type Plan,
  PlanError,
  parsePlan,
  pinnedToRelease,
  planHash,
  type ReleaseProblem,
} from '#lib/plan/index.ts';
import { type Releases, readAndCheck } from '#lib/run/index.ts';
import { openSandbox, sandboxRelease, templates } from '#lib/sandbox/index.ts';
import { type Choices, choicesSchema, type ReleaseContents } from '#lib/spec/index.ts';

/**
 * Plans that were not made here (a file, a journal of another machine): what the definitions do not produce is refused. Real plans of the samples are
 * forged field by field; each forgery must be refused by the definitions, by the release, or by what differs from the plan as it is made now.
 */

type Real = { name: string; plan: Plan; release: ReleaseContents | null };

const signal = new AbortController().signal;
const now = '2026-11-22T08:00:00.000Z';

const releases: Releases = async ({ version, platform }) => {
  const release = sandboxRelease(version);
  const { ocp, ...published } = release.manifests;
  return { ...release, manifests: platform === 'openshift' && ocp ? { ocp } : published };
};

/** Answers that lead to other operations and other values in them. */
const answers: readonly Partial<Choices>[] = [
  { endpoint: { host: '10.0.0.11', port: '6443' } },
  { dsr: true, forgetKubeadmProxy: true, set: { registry: 'mirror.example/', imagePullSecrets: [{ name: 'pull' }] } },
  { keepProxy: true, fix: ['proxy.health-port', 'feature.service-mesh', 'feature.node-local-dns'] },
  {
    set: { 'calicoNetwork.kubeProxyManagement': 'Enabled' },
    fix: ['operator.dns-deadlock', 'install.felix-annotation'],
  },
  { fix: ['proxy.not-ipvs', 'managed-by.helm', 'node.cgroup-path', 'node.flexvolume-path', 'operator.dns-deadlock'] },
  { automatic: true },
  { dataplane: 'Iptables' },
  { set: { 'cni.type': 'Calico', 'cni.ipam.type': 'Calico' }, fix: ['proxy.comes-back'] },
];

async function plansOn(name: string, goal: 'enable' | 'install', given = answers): Promise<Real[]> {
  const sandbox = await openSandbox(name, { speed: 'instant', operator: 'none' });
  try {
    const base = choicesSchema.parse({
      goal,
      acceptProposals: true,
      ...(goal === 'install' ? { release: 'v3.31.4' } : {}),
    });
    const { kube, clock } = sandbox;
    const { facts, findings, release } = await readAndCheck({
      kube,
      clock,
      given: base,
      choices: () => base,
      releases,
      signal,
    });
    return given.flatMap((more, index) => {
      try {
        const choices = choicesSchema.parse({ ...base, ...more });
        return [
          { name: `${goal} on ${name} ${index}`, plan: makePlan({ facts, choices, findings, now, release }), release },
        ];
      } catch (error) {
        if (error instanceof PlanError) return [];
        throw error;
      }
    });
  } finally {
    await sandbox.close();
  }
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe('what is made here is taken', () => {
  test.each(Object.keys(templates))('every plan on %s', async (name) => {
    const real = [...(await plansOn(name, 'enable')), ...(await plansOn(name, 'install'))];
    for (const { name: which, plan, release } of real) {
      expect(parsePlan(copy(plan)), which).toEqual(plan);
      // What was there before an install is of some earlier release, and not told from what somebody made up.
      const found = pinnedToRelease(plan, release).filter(({ message }) => !message.startsWith('would bring back'));
      expect(found, which).toEqual([]);
      if (name.startsWith('empty')) expect(pinnedToRelease(plan, release), which).toEqual([]);
      expect(differencesBetween(copy(plan), plan), which).toEqual([]);
    }
  });
});

type Path = (string | number)[];
type Refusal = 'definitions' | 'release' | 'comparison' | 'nobody';

/** Texts, permissions, times and diffs are derived anew wherever they are shown, and nothing is done by them. */
const told = new Set([
  'title',
  'why',
  'diff',
  'command',
  'needs',
  'usualSeconds',
  'deadlineSeconds',
  'previewed',
  'because',
]);

function refusedBy(forged: unknown, { plan, release }: Real): Refusal {
  let read: Plan;
  try {
    read = parsePlan(copy(forged));
  } catch (error) {
    if (error instanceof PlanError) return 'definitions';
    throw error;
  }
  if (problems(read, release).length > 0) return 'release';
  return differencesBetween(read, plan).length > 0 ? 'comparison' : 'nobody';
}

function problems(plan: Plan, release: ReleaseContents | null): ReleaseProblem[] {
  return pinnedToRelease({ ...plan, hash: planHash(plan) } as Plan, release);
}

/** Every place in the operations where something is said of what is done. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) return [at, ...value.flatMap((one: unknown, index) => pathsIn(one, [...at, index]))];
  if (typeof value === 'object' && value !== null)
    return [at, ...Object.entries(value).flatMap(([key, one]) => (told.has(key) ? [] : pathsIn(one, [...at, key])))];
  return [at];
}

const valueAt = (root: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], root);

function withValue(plan: Plan, path: Path, value: unknown): Plan {
  const forged = copy(plan);
  const holder = valueAt(forged.operations, path.slice(0, -1)) as Record<string | number, unknown>;
  const key = path.at(-1) ?? 0;
  if (value !== undefined) holder[key] = value;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
  return forged;
}

/** Values that are near, of the same form or of another: what an attacker would try. */
function forgeriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [[], [...value, ...value.slice(0, 1)], [...value].reverse(), undefined];
  if (typeof value === 'object' && value !== null)
    return [{}, { ...value, forged: true }, { ...value, hostNetwork: true }, null, undefined];
  if (typeof value === 'string') return [`${value}x`, 'kube-system', '', 'evil.example', null, undefined];
  if (typeof value === 'number') return [value + 1, -1, undefined];
  if (typeof value === 'boolean') return [!value, 'true', undefined];
  return ['evil.example', true, {}, undefined];
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const counted: Record<Refusal, number> = { definitions: 0, release: 0, comparison: 0, nobody: 0 };
/** Undo fields whose values neither definitions nor release tell: `id: path`, with indexes left out. */
const leftInUndos = new Set<string>();

function tried(real: Real, path: Path, value: unknown): void {
  const forged = withValue(real.plan, path, value);
  if (isSame(forged, real.plan)) return;
  const refusal = refusedBy(forged, real);
  counted[refusal]++;
  if (refusal === 'nobody') throw new Error(`${real.name}: ${path.join('.')} = ${JSON.stringify(value)} is taken`);
  const operation = real.plan.operations[Number(path[0])];
  if (refusal === 'comparison' && path[1] === 'undo')
    leftInUndos.add(
      `${operation?.id}: ${path
        .slice(2)
        .filter((key) => typeof key === 'string')
        .join('.')}`,
    );
}

/**
 * Each field gets the next of its forgeries, so that over all plans each form is tried in each place many times. `every`: of the larger plans each
 * n-th field, as what is left out is more of the same: definitions by the dozen, rules of roles.
 */
const samples: readonly { name: string; goal: 'enable' | 'install'; which: number[]; every: number }[] = [
  { name: 'standard', goal: 'enable', which: [1, 3], every: 2 },
  { name: 'helm', goal: 'enable', which: [4], every: 1 },
  { name: 'ipvs', goal: 'enable', which: [4], every: 1 },
  { name: 'bpf-by-hand', goal: 'enable', which: [3], every: 2 },
  { name: 'openshift', goal: 'enable', which: [0], every: 2 },
  { name: 'k3s', goal: 'enable', which: [0], every: 2 },
  { name: 'empty-eks-aws-node', goal: 'install', which: [7], every: 7 },
  { name: 'empty-kubeadm', goal: 'install', which: [1], every: 11 },
  { name: 'empty-openshift', goal: 'install', which: [0], every: 11 },
  { name: 'half-installed', goal: 'install', which: [0], every: 11 },
];

test.each(samples)('one field forged after the other: $goal on $name', async ({ name, goal, which, every }) => {
  const plans = await plansOn(
    name,
    goal,
    which.map((index) => answers[index] ?? {}),
  );
  expect(plans.length).toBeGreaterThan(0);
  for (const real of plans)
    for (const [index, path] of pathsIn(real.plan.operations)
      .filter((one) => one.length > 1)
      .entries()) {
      if (index % every !== 0) continue;
      const forgeries = forgeriesOf(valueAt(real.plan.operations, path));
      tried(real, path, forgeries[index % forgeries.length]);
    }
});

test('operations left out, twice, or in another order', async () => {
  const some = answers.slice(1, 2);
  const plans = [...(await plansOn('standard', 'enable', some)), ...(await plansOn('empty-kubeadm', 'install', some))];
  for (const real of plans) {
    const { operations } = real.plan;
    const numbered = (some: Plan['operations']) => ({
      ...real.plan,
      operations: some.map((operation, index) => ({ ...operation, seq: index + 1 })),
    });
    operations.forEach((operation, at) => {
      counted[refusedBy(numbered(operations.toSpliced(at, 1)), real)]++;
      const twice = refusedBy(numbered(operations.toSpliced(at, 0, operation)), real);
      expect(twice === 'definitions' || operation.id === 'endpoint.active').toBe(true);
      counted[twice]++;
      // Moved by one and to either end: what is refused for these is refused for every place between.
      for (const to of new Set([at - 1, at + 1, 0, operations.length - 1])) {
        if (to === at || to < 0 || to >= operations.length) continue;
        const moved = operations.toSpliced(at, 1).toSpliced(to, 0, operation);
        const refusal = refusedBy(numbered(moved), real);
        expect(refusal).toBe('definitions');
        counted[refusal]++;
      }
    });
  }
});

test('any value in any place', async () => {
  const plans = [
    ...(await plansOn('standard', 'enable')),
    ...(await plansOn('empty-eks-aws-node', 'install', answers.slice(0, 1))),
  ];
  const places = plans.map((real) => ({ real, paths: pathsIn(real.plan.operations).filter((one) => one.length > 1) }));
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.jsonValue({ maxDepth: 3 }), (plan, place, value) => {
      const { real, paths } = places[plan % places.length] as (typeof places)[number];
      tried(real, paths[place % paths.length] ?? [], value);
    }),
    { numRuns: 300 },
  );
});

test('how many were tried, and what only a comparison with the cluster tells', () => {
  console.info('forged plans refused by', counted, [...leftInUndos].sort());
  expect(counted.nobody).toBe(0);
  expect(counted.definitions + counted.release + counted.comparison).toBeGreaterThan(3_000);
});
