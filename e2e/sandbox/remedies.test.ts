import { expect, test, vi } from 'vitest';
import { checks, type Finding } from '#lib/checks/index.ts';
import { notForHere } from '#lib/checks/testing/remedy-rules.ts';
import { isKubeError, type Kube } from '#lib/kube/index.ts';
import { type Act, makePlan, PlanError } from '#lib/plan/index.ts';
import type { Releases } from '#lib/run/index.ts';
import { openSandbox, sandboxRelease, templates } from '#lib/sandbox/index.ts';
import { type Choices, choicesSchema, type Goal, type Resource, resources } from '#lib/spec/index.ts';
import { assess } from '#lib/usecases/index.ts';
import { isWrite, kubectl } from './testing/kubectl-on-store.ts';

/**
 * A remedy that was followed makes its finding pass: its own commands, or the step of the plan that is its fix, are carried out on every sandbox that
 * has the finding, and then it is looked at again. What cannot be followed there stands in the table, so that a new check is in one of both.
 */

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/** Why a remedy changes nothing that a store holds. */
const elsewhere: readonly { because: string; ids: readonly string[] }[] = [
  {
    because: 'It is an answer of the administrator, or a choice of platform, release or goal.',
    ids: [
      'platform.supported',
      'endpoint.form',
      'endpoint.kube-vip',
      'platform.proxy-cannot-be-disabled',
      'network.dsr-fabric',
      'feature.cloud-lb-health',
      'install.method-known',
      'enable.operator-needed',
      'platform.kubernetes-version',
      'upgrade.path',
      'upgrade.recommend-move',
    ],
  },
  {
    because: 'Machines, kernels, certificates and networks are no objects of the API.',
    ids: [
      'endpoint.certificate',
      'endpoint.reachable',
      'node.below-advice',
      'webhooks.can-deadlock',
      'api.aggregated-available',
      'install.status-healthy',
    ],
  },
  {
    because: 'Only a preflight on the nodes measures it; until then it is accepted, with a reason.',
    ids: [
      'image.pullable',
      'node.bpf-loads',
      'node.mounts',
      'node.interfaces',
      'network.vxlan-between-nodes',
      'feature.vlan-devices',
    ],
  },
  {
    because: 'Workloads and policies belong to people who have to rewrite them; no command does.',
    ids: [
      'network.mtu',
      'feature.l7-logs',
      'feature.application-layer-policy',
      'feature.waf',
      'feature.host-ports',
      'feature.admin-network-policy',
      'upgrade.policy-names',
      'upgrade.owner-references',
      'upgrade.manual-changes',
      'install.enterprise',
      'install.nothing-there',
    ],
  },
  {
    because:
      'Other programs do it: Helm, kubeadm, calicoctl, the operator when it starts again, or somebody who may grant a Role.',
    ids: ['managed-by.helm', 'upgrade.helm-pending', 'permissions.plan', 'endpoint.in-use', 'proxy.can-come-back'],
  },
  {
    because: 'The plan itself settles it, as a whole.',
    ids: [
      'install.half-finished',
      'upgrade.crd-behind',
      'upgrade.crd-client-side-applied',
      'upgrade.field-conflicts',
      'upgrade.registry-moved',
    ],
  },
  { because: 'What is asked for is to be read first: nothing is known that could change.', ids: ['proxy.detected'] },
  {
    because: 'No sandbox has the finding with a command for it: its unit test holds the line.',
    ids: ['network.offload', 'feature.endpoint-to-host'],
  },
];

/**
 * What their remedies have people take away, move or replace: once no subject that they name is there any more, they pass. One that names only the first
 * of several, or that judges something else than it names, fails here.
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
];

/** What their remedies have people choose: with that answer they pass. */
const answers: Readonly<Record<string, Partial<Choices>>> = {
  'endpoint.present': { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  'endpoint.not-cluster-ip': { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  'endpoint.not-local': { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  'endpoint.stable': { endpoint: { host: 'api.sandbox.example', port: '6443' } },
  'endpoint.resolvable': { endpoint: { host: '10.0.0.100', port: '6443' } },
};

async function takeAway(kube: Kube, { subjects }: Finding): Promise<void> {
  for (const { kind: shown, namespace, name } of subjects) {
    // Where two groups have a kind of that name it says which: `GlobalNetworkPolicy.projectcalico.org`.
    const [kind = '', ...group] = shown.split('.');
    const gone = await Promise.all(
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
    expect(gone, `${shown} ${namespace}/${name}`).toContain(true);
  }
}

async function look(sandbox: Sandbox, goal: Goal, fix: readonly string[] = [], answer: Partial<Choices> = {}) {
  const release = goal === 'upgrade' ? { release: 'v3.31.7' } : {};
  const choices: Choices = choicesSchema.parse({ goal, acceptProposals: true, fix, ...release, ...answer });
  const releases: Releases = async ({ version }) => sandboxRelease(version);
  const { signal } = new AbortController();
  const given = { given: choices, choices: () => choices, signal, ...(goal === 'enable' ? {} : { releases }) };
  const looked = await assess({ ...given, use: (work) => work(sandbox), clock: sandbox.clock });
  return { ...looked, choices };
}

/** Writes alone: what is waited for is the business of controllers, which are not asked here. */
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

/** Its own lines, where a store can carry them out: what is written in capitals is for the reader to fill in. */
function ownLines({ remedy: { command = '' } }: Finding): string[] {
  const lines = command.split('\n');
  return lines.every(isWrite) && !/\b[A-Z]{4,}\b/.test(command) ? lines : [];
}

/** Its own lines and its fix, as far as there are any that a store can carry out. */
async function follow(sandbox: Sandbox, goal: Goal, finding: Finding): Promise<boolean> {
  const fixed = finding.remedy.autofix !== undefined && (await fix(sandbox, goal, finding));
  const lines = ownLines(finding);
  if (finding.id in answers) return true;
  for (const line of lines) await kubectl(sandbox.kube, line);
  if (!takesAway.includes(finding.id)) return fixed || lines.length > 0;
  await takeAway(sandbox.kube, finding);
  return true;
}

async function fix(sandbox: Sandbox, goal: Goal, { id, remedy }: Finding): Promise<boolean> {
  const { facts, findings, release, choices } = await look(sandbox, goal, [id]);
  try {
    const plan = makePlan({ facts, choices, findings, now: '2026-11-22T08:00:00.000Z', release });
    const acts = plan.operations.filter((operation) => operation.id === remedy.autofix).map(({ act }) => act);
    for (const act of acts) await carryOut(sandbox.kube, act);
    return acts.some(({ kind }) => kind !== 'helm');
  } catch (error) {
    // What an earlier step of the same plan makes is not there yet.
    if (error instanceof PlanError || isKubeError(error, 'not-found', 'not-served')) return false;
    throw error;
  }
}

const followed = new Set<string>();

test.each(Object.keys(templates))('on %s each remedy that can be followed makes its finding pass', async (name) => {
  // An install is tried where there is nothing: elsewhere its findings are those of the other goals. There is nothing to take back there.
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
        // Controllers take in what was written a moment later.
        await vi.waitFor(
          async () => {
            const after = (await look(fresh, goal, [], answers[finding.id])).findings.findings.find(
              ({ id }) => id === finding.id,
            );
            expect(after?.status, `${finding.id} (${goal}): ${after?.because}`).not.toBe('fail');
          },
          // A busy machine takes seconds for a look.
          { timeout: 60_000, interval: 100 },
        );
      }
      await fresh.close();
    }
  }
  await untouched.close();
});

test('every check is followed on some sandbox, or says why it cannot be', () => {
  const tried = new Set([...followed].map((one) => one.split(' ')[0] ?? ''));
  const told = elsewhere.flatMap(({ ids }) => ids);
  const known = checks.map(({ id }) => id);
  expect(known.filter((id) => !tried.has(id) && !told.includes(id))).toEqual([]);
  expect(told.filter((id, at) => tried.has(id) || !known.includes(id) || told.indexOf(id) !== at)).toEqual([]);
});
