import { expect, test } from 'vitest';
import { checks, type Finding } from '#lib/checks/index.ts';
import { notForHere } from '#lib/checks/testing/remedy-rules.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type Act, makePlan, PlanError } from '#lib/plan/index.ts';
import type { Releases } from '#lib/run/index.ts';
import { openSandbox, sandboxRelease, templates } from '#lib/sandbox/index.ts';
import { type Choices, choicesSchema, type Goal, type Resource, resources } from '#lib/spec/index.ts';
import { assess } from '#lib/usecases/index.ts';
import { byHand } from './testing/by-hand/by-hand.ts';
import { isWrite, kubectl } from './testing/kubectl-on-store.ts';

/**
 * Following a remedy makes its finding pass. On every sandbox with the finding, the test carries out the remedy's commands, or its fix in a plan, and then
 * runs the check again. Findings of unusual clusters, and remedies that only an administrator can carry out, have rows in `byHand`. No check is exempt.
 */

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/**
 * Checks whose remedy is to remove, move or replace the subjects: without these the check passes. A check that names only the first of several subjects, or
 * depends on something else, fails here.
 */
const takesAway: readonly string[] = [
  'node.architecture',
  'node.kernel',
  'node.distribution',
  'node.linux-only',
  'node.ready',
  'node.kernel-flavour',
  'node.kernel-known-bad',
  'platform.eks-auto-mode',
  'node.mixed-dataplane',
  'network.other-product',
  'network.overlay-choice',
  'feature.floating-ips',
  'feature.sctp',
  'feature.log-action',
  'feature.source-ranges',
  'feature.traffic-limits',
  'install.imageset',
  'upgrade.host-endpoints',
  'upgrade.sidecars',
  'upgrade.cli-version',
  'node.below-advice',
  'feature.l7-logs',
  'feature.application-layer-policy',
  'feature.waf',
  'feature.admin-network-policy',
  'install.nothing-there',
];

/** Checks whose remedy is another answer: with this answer they pass. */
const answers: Readonly<Record<string, Partial<Choices>>> = {
  'endpoint.present': { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  'endpoint.not-cluster-ip': { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  'endpoint.not-local': { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  'endpoint.stable': { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  'endpoint.resolvable': { endpoint: { host: '10.0.0.100', port: '6443' } },
};

async function takeAway(kube: Kube, { subjects }: Finding): Promise<void> {
  for (const { kind: shown, namespace, name } of subjects) {
    // A subject names the group if two groups have its kind: `GlobalNetworkPolicy.projectcalico.org`.
    const [kind = '', ...group] = shown.split('.');
    const missing = await Promise.all(
      Object.values<Resource>(resources)
        .filter((one) => one.kind === kind && one.group.endsWith(group.join('.')))
        .filter((one) => one.namespaced === (namespace !== null))
        .map((resource) =>
          kube.delete({ resource, name, ...(namespace === null ? {} : { namespace }) }).then(
            () => true,
            (error: unknown) => {
              if (isKubeError(error, 'not-found', 'not-served')) return false;
              throw error;
            },
          ),
        ),
    );
    expect(missing, `${shown} ${namespace}/${name}`).toContain(true);
  }
}

async function look(sandbox: Sandbox, goal: Goal, fix: readonly string[] = [], answer: Partial<Choices> = {}) {
  const release = goal === 'upgrade' ? { release: 'v3.31.7' } : {};
  const choices: Choices = choicesSchema.parse({ goal, acceptProposals: true, fix, ...release, ...answer });
  const releases: Releases = async ({ version }) => sandboxRelease(version);
  const { signal } = new AbortController();
  const options = { answers: choices, choices: () => choices, signal, ...(goal === 'enable' ? {} : { releases }) };
  const looked = await assess({ ...options, use: (work) => work(sandbox), clock: sandbox.clock });
  return { ...looked, choices };
}

/** Carries out an act that writes. Skips waits, because no controllers run here. */
async function carryOut(kube: Kube, act: Act): Promise<void> {
  switch (act.kind) {
    case 'merge-patch':
      await kube.patch(act.target, { type: 'merge', body: act.body });
      return;
    case 'apply':
      await kube.apply(act.target.resource, act.body as never, { force: act.force });
      return;
    case 'delete':
      await kube.delete(act.target);
      return;
    case 'sequence':
      for (const step of act.steps) await carryOut(kube, step.act);
  }
}

/** The remedy's commands that the store can carry out, without those with words in capitals, which the reader has to fill in. */
function ownLines({ remedy: { command = '' } }: Finding): string[] {
  const lines = command.split('\n');
  return lines.every(isWrite) && !/\b[A-Z]{4,}\b/.test(command.replaceAll(/\b[A-Z_]+=\S+/g, '')) ? lines : [];
}

/** Carries out the remedy's commands and its fix. Returns whether there was anything that the store can carry out, or an answer to choose. */
async function follow(sandbox: Sandbox, goal: Goal, finding: Finding): Promise<boolean> {
  const fixed = finding.remedy.autofix !== undefined && (await fix(sandbox, goal, finding));
  const lines = ownLines(finding);
  if (finding.id in answers) return true;
  for (const line of lines) await kubectl(sandbox.kube, line);
  if (!takesAway.includes(finding.id)) return fixed || lines.length > 0;
  await takeAway(sandbox.kube, finding);
  return true;
}

/** Carries out steps of the plan, by their ids. */
async function carryOutSteps(
  { kube }: Sandbox,
  { facts, choices, findings, release }: Awaited<ReturnType<typeof look>>,
  ids: readonly string[],
): Promise<void> {
  const plan = makePlan({ facts, choices, findings, now: '2026-11-22T08:00:00.000Z', release });
  for (const { id, act } of plan.operations)
    if (ids.includes(id) && act.kind === 'apply-manifest')
      for (const { resource, name } of act.targets) {
        const { objects = [] } = release?.manifests[act.manifest.file] ?? {};
        const object = objects.find(({ kind, metadata }) => kind === resource.kind && metadata.name === name);
        if (!object) throw new Error(`${act.manifest.file} has no ${resource.kind} ${name}`);
        await kube.apply(resource, object as never, { force: act.force });
      }
    else if (ids.includes(id)) await carryOut(kube, act);
}

async function fix(sandbox: Sandbox, goal: Goal, { id, remedy }: Finding): Promise<boolean> {
  const { facts, findings, release, choices } = await look(sandbox, goal, [id]);
  try {
    const plan = makePlan({ facts, choices, findings, now: '2026-11-22T08:00:00.000Z', release });
    const acts = plan.operations.filter((operation) => operation.id === remedy.autofix).map(({ act }) => act);
    for (const act of acts) await carryOut(sandbox.kube, act);
    return acts.some(({ kind }) => kind !== 'helm');
  } catch (error) {
    // An object that an earlier step of the plan would create does not exist yet.
    if (error instanceof PlanError || isKubeError(error, 'not-found', 'not-served')) return false;
    throw error;
  }
}

/**
 * Whether the finding stops failing within a minute of the sandbox's time, in which controllers react. Waiting by this machine's clock could check again and
 * again while a busy machine does not let the sandbox's time advance.
 */
async function failsNoMore(
  { clock }: Sandbox,
  of: string,
  find: () => Promise<Pick<Finding, 'status' | 'because'> | undefined>,
): Promise<void> {
  const until = clock.now() + 60_000;
  let after = await find();
  while (after?.status === 'fail' && clock.now() < until) {
    await clock.sleep(1_000);
    after = await find();
  }
  expect(after?.status, `${of}: ${after?.because}`).not.toBe('fail');
}

const followed = new Set<string>();

test.each(Object.keys(templates))('on %s each remedy that can be followed makes its finding pass', async (name) => {
  // The goal *install* is tested only on clusters without Calico; elsewhere its findings are the same as of other goals.
  const untouched = await openSandbox(name, { speed: 'instant', operator: 'none' });
  for (const goal of name.startsWith('empty')
    ? (['install'] as const)
    : (['enable', 'upgrade', 'undo', 'restore'] as const)) {
    const { facts, findings, choices } = await look(untouched, goal);
    expect(findings.findings.flatMap((finding) => notForHere(finding, { facts, choices }))).toEqual([]);
    for (const finding of findings.findings.filter(({ status }) => status === 'fail')) {
      const isByHand = takesAway.includes(finding.id) || finding.id in answers;
      if (!isByHand && finding.remedy.autofix === undefined && ownLines(finding).length === 0) continue;
      const remedy = `${finding.id} ${goal} ${finding.remedy.autofix ?? ''} ${isByHand ? '' : (finding.remedy.command ?? '')}`;
      if (followed.has(remedy)) continue;
      const fresh = await openSandbox(name, { speed: 'instant', operator: 'none' });
      if (await follow(fresh, goal, finding)) {
        followed.add(remedy);
        await failsNoMore(fresh, `${finding.id} (${goal})`, async () => {
          const { findings } = await look(fresh, goal, [], answers[finding.id]);
          return findings.findings.find(({ id }) => id === finding.id);
        });
      }
      await fresh.close();
    }
  }
  await untouched.close();
});

test.each(byHand.map((row) => [`${row.id} (${row.goal}) on ${row.on}`, row] as const))(
  '%s passes once the administrator has done what its remedy says',
  async (name, { id, goal, on, odd, chosen, lines, does, answers: answered, answering, accepted, steps }) => {
    const objects = odd?.(templates[on]?.objects(Date.UTC(2026, 0, 1)) ?? []);
    const opened = await openSandbox(on, { speed: 'instant', operator: 'none', ...(objects ? { objects } : {}) });
    let isFollowed = false;
    const sandbox = { ...opened, kube: answering?.(opened.kube, () => isFollowed) ?? opened.kube };
    const findIn = async (answer: Partial<Choices>) => {
      const looked = await look(sandbox, goal, [], { ...chosen, ...answer });
      return { ...looked, finding: looked.findings.findings.find((one) => one.id === id) };
    };
    const { finding, facts, choices } = await findIn({});
    const isOpen = finding?.status === 'fail' || (accepted && finding?.status === 'unknown');
    if (!isOpen) throw new Error(`${name} is ${finding?.status}: ${finding?.because}`);
    expect(notForHere(finding, { facts, choices })).toEqual([]);
    if (accepted) {
      const because = 'it is so here';
      const { finding: afterwards } = await findIn({ acknowledge: { [id]: because } });
      expect(afterwards?.acknowledged).toBe(because);
      followed.add(id);
      await sandbox.close();
      return;
    }
    if (steps) await carryOutSteps(sandbox, await findIn({}), steps);
    for (const line of lines ?? []) await kubectl(sandbox.kube, line);
    await does?.(sandbox, finding);
    if (!lines && !does && !answered && !steps) expect(await follow(sandbox, goal, finding)).toBe(true);
    isFollowed = true;
    followed.add(id);
    await failsNoMore(sandbox, name, async () => (await findIn(answered ?? {})).finding);
    await sandbox.close();
  },
);

test('the remedy of every check is followed on some cluster', () => {
  const tried = new Set([...followed].map((one) => one.split(' ')[0] ?? ''));
  expect(checks.filter(({ id }) => !tried.has(id)).map(({ id }) => id)).toEqual([]);
});
