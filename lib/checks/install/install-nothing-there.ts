import { agreeing, counted } from '#lib/base/words.ts';
import type { Facts, Subject } from '#lib/facts/index.ts';
import { type Choices, names, otherNetworks } from '#lib/spec/index.ts';
import { defineCheck, type Result } from '../check.ts';
import type { Remedy, Severity } from '../findings.ts';
import { installerHere, moveToOperator, ownWay } from '../reading/installer.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { plannedCni } from '../reading/planned-cni.ts';
import { servesInstead } from '../reading/proxy.ts';
import { listed } from '../wording/sentences.ts';

/** Something in the cluster that conflicts with a new installation. `because`: a sentence; `steps`: imperatives. */
type Obstacle = { severity: Severity; because: string; subjects: Subject[]; steps: string[] };

const migrates =
  'Creating an Installation makes the operator move that install to itself, node by node, at once: a journey of its own with its own checks, which an install must not begin by the way.';

export const installNothingThere = defineCheck({
  id: 'install.nothing-there',
  group: 'Installation and upgrade',
  severity: 'blocking',
  causedByRuns: true,
  goals: ['install'],
  reads: ['installation', 'otherNetworks', 'unfinished', 'nodes'],
  title: 'No other network is in the way of a new installation',
  gap: 'Calico or another network is already here',
  topic: 'Other networks',
  ifIgnored: 'Two networks assign the same addresses',
  consequence:
    'Two networks on a node assign the same addresses and overwrite each other. Every pod that starts meanwhile is affected.',
  remedy: {
    steps: ['Remove the other network first, or create a cluster without one.', 'Check again.'],
    fixIn: 'goal',
  },
  source: 'calico.md §3.7, §9, §13 no. 24',
  run: (facts, choices) => {
    const { method } = facts.installation;
    const obstacles = [
      ...alreadyThere(facts, choices),
      ...halfMigrated(facts),
      ...operatorsElsewhere(facts),
      ...networks(facts, choices),
    ];
    const [worst] = obstacles.toSorted((one, other) => rank(one) - rank(other));
    if (worst) return failing(obstacles, worst, facts);
    if (method === 'unknown')
      return { kind: 'unknown', because: 'An installation of Calico was neither found nor ruled out.' };
    return { kind: 'pass', because: `Neither Calico nor another network is here${besides(facts)}.` };
  },
});

const rank = ({ severity }: Obstacle) => (severity === 'blocking' ? 0 : 1);

function failing(obstacles: readonly Obstacle[], worst: Obstacle, facts: Facts): Result {
  const ordered = [worst, ...obstacles.filter((one) => one !== worst)];
  const remedy: Remedy = { steps: [...new Set(ordered.flatMap(({ steps }) => steps)), 'Check again.'], fixIn: 'goal' };
  return {
    kind: 'fail',
    severity: worst.severity,
    because: ordered.map(({ because }) => because).join(' '),
    subjects: ordered.flatMap(({ subjects }) => subjects),
    remedy,
    evidence: [...facts.installation.evidence, ...(facts.installation.migration?.evidence ?? [])],
  };
}

/** An existing Calico. An unfinished installation is no obstacle: the plan completes it (`install.half-finished`). */
function alreadyThere(facts: Facts, choices: Choices): Obstacle[] {
  const { installation } = facts;
  const { method, manifest, version, agent, unfinished, dataplane } = installation;
  const subject: Subject = {
    ...objectSubject(agent ?? 'Installation/default'),
    detail: version ?? 'version not known',
  };
  const file = manifest === null ? 'a manifest' : `${manifest}.yaml`;
  const installer = installerHere(facts, choices);
  switch (method) {
    case 'none':
      return [];
    case 'unknown':
      return agent === null
        ? []
        : [
            {
              severity: 'blocking',
              because: `Calico is here as ${agent}, and how it was installed is not recognised: an install would start a second agent beside it on every node.`,
              subjects: [subject],
              steps: ['Find out what made this DaemonSet, and remove Calico by that, or make a new cluster.'],
            },
          ];
    case 'manifest-etcd':
      return [
        {
          severity: 'blocking',
          because: `Calico is here, installed by ${file} with its data in etcd. The operator takes over no such install: it would stop with a MigrationError and leave two of everything.`,
          subjects: [subject],
          steps:
            installer === null
              ? ['Move its data to the Kubernetes API first (`calicoctl datastore migrate`).', moveToOperator]
              : [...ownWay(installer)],
        },
      ];
    case 'manifest-kdd':
      return manifest === 'canal'
        ? [
            {
              severity: 'blocking',
              because:
                'Canal is here (flannel with the policy of Calico). The operator does not recognise it and would start a second network beside it.',
              subjects: [subject],
              steps: ['Remove Canal first, on nodes that are drained, or make a new cluster.'],
            },
          ]
        : [
            {
              severity: 'blocking',
              because: `Calico is here, installed by ${file}. ${migrates}`,
              subjects: [subject],
              steps: installer === null ? [moveToOperator] : [...ownWay(installer)],
            },
          ];
    case 'operator':
    case 'helm': {
      if (unfinished !== null && !hasRun(installation)) return [];
      const isAsChosen = dataplane.wanted === (choices.dataplane ?? 'BPF');
      const by = method === 'helm' ? 'Helm' : 'the operator';
      const here = `Calico ${version ?? '(version not known)'} is here already, installed by ${by}.`;
      return isAsChosen
        ? [
            {
              severity: 'warning',
              because: `${here} It has the data plane that was asked for; this plan changes only what differs.`,
              subjects: [subject],
              steps: ['Choose upgrade for another version.'],
            },
          ]
        : [
            {
              severity: 'blocking',
              because: `${here} An install would switch its data plane without the order that keeps Services working.`,
              subjects: [subject],
              steps: ['Choose the goal enable: it switches node by node, and can be undone.'],
            },
          ];
    }
  }
}

/** Whether its agents have run: only then does the operator or the agent record a version. */
function hasRun({ evidence }: Facts['installation']): boolean {
  return evidence.some(({ path }) => path === 'status.calicoVersion' || path === 'spec.calicoVersion');
}

function halfMigrated({ installation: { migration } }: Facts): Obstacle[] {
  if (migration === null) return [];
  const { waiting, migrated, agents } = migration;
  const nodes = waiting + migrated === 0 ? '' : ` ${migrated} of ${counted(waiting + migrated, 'node')} moved.`;
  return [
    {
      severity: 'blocking',
      because: `A move from a manifest to the operator was begun and has not ended.${nodes}`,
      subjects: [
        ...agents.map((one) => ({ ...objectSubject(one), detail: 'one of two agents of Calico' })),
        ...(agents.length > 0
          ? []
          : [
              {
                kind: 'Node',
                namespace: null,
                name: `${waiting + migrated} nodes`,
                detail: 'labelled by the operator',
              },
            ]),
      ],
      steps: ['Fix what TigeraStatus calico names: the operator then continues by itself.'],
    },
  ];
}

/** Operators outside of tigera-operator: the plan installs one there, which would be the second. */
function operatorsElsewhere({ installation: { operators } }: Facts): Obstacle[] {
  const home = `${names.operatorNamespace}/Deployment/${names.operatorDeployment}`;
  const elsewhere = operators.filter(({ object }) => object !== home);
  if (elsewhere.length === 0) return [];
  return [
    {
      severity: 'blocking',
      because: `The operator runs as ${listed(elsewhere.map(({ object }) => object))}: beside the one that an install brings into ${names.operatorNamespace} there would be two, and only one may act.`,
      subjects: elsewhere.map(({ object, version }) => ({
        ...objectSubject(object),
        detail: `operator ${version ?? '(version not known)'}`,
      })),
      steps: [`Delete the operator that is not in ${names.operatorNamespace}, by what it was installed with.`],
    },
  ];
}

const besidesOf = (product: string) => otherNetworks.find((row) => row.product === product)?.besides ?? null;

function networks(facts: Facts, choices: Choices): Obstacle[] {
  // A product that connects no pods is `network.other-product`'s to check.
  const found = facts.installation.otherNetworks.filter(({ connects }) => connects !== false);
  const cni = plannedCni(facts, choices);
  const isFine = (product: string) => cni !== 'Calico' && besidesOf(product) === cni;
  const removed = found.filter(({ product }) => cni === 'Calico' && besidesOf(product) === 'AmazonVPC');
  const others = found.filter((one) => !removed.includes(one) && !isFine(one.product));
  const products = [...new Set(others.map(({ product }) => product))];
  return [
    ...(others.length === 0
      ? []
      : [
          {
            severity: 'blocking' as const,
            because: `${listed(products)} ${agreeing(products.length, 'connects', 'connect')} the pods of this cluster already.`,
            subjects: others.map(({ object, product }) => ({
              ...objectSubject(object),
              detail: `${product} runs here`,
            })),
            steps: stepsFor(products, servesInstead(facts)),
          },
        ]),
    ...(removed.length === 0
      ? []
      : [
          {
            severity: 'warning' as const,
            because:
              'The network of EKS is here, and with Calico as CNI the plan removes it: pods that run keep their addresses until they start again, new ones wait for Calico.',
            subjects: removed.map(({ object }) => ({ ...objectSubject(object), detail: 'the plan deletes it' })),
            steps: ['Do this while the cluster is new, or drain each node afterwards.'],
          },
        ]),
  ];
}

function stepsFor(products: readonly string[], serving: readonly string[]): string[] {
  return [
    ...(serving.length > 0
      ? [`Services are down from the removal of ${listed(serving)} until Calico is there: no kube-proxy serves them.`]
      : []),
    products.includes('kindnet')
      ? 'Create the kind cluster again with `networking: {disableDefaultCNI: true}` in its configuration.'
      : `Remove ${listed(products)} first, by what it was installed with, or make a cluster without it.`,
  ];
}

function besides({ installation: { otherNetworks: found } }: Facts): string {
  const products = [...new Set(found.map(({ product }) => product))];
  return products.length === 0 ? '' : `, but for ${listed(products)}, beside which Calico works for policy`;
}
