import { valueAt } from '#lib/base/records.ts';
import { agreeing } from '#lib/base/words.ts';
import type { Facts } from '#lib/facts/index.ts';
import {
  type Choices,
  cleanupFlagPath,
  dataplanePath,
  isHosted,
  names,
  type PlatformKind,
  platformIn,
  proxyManagementPath,
  proxySelectorPath,
} from '#lib/spec/index.ts';
import { defineCheck, type Result } from '../check.ts';
import type { Remedy } from '../findings.ts';
import { isCovered } from '../framework/coverage.ts';
import { felixField, felixId } from '../reading/felix.ts';
import { installationId, isManifestInstall } from '../reading/installation.ts';
import { installerHere } from '../reading/installer.ts';
import { objectSubject } from '../reading/object-subject.ts';
import { kubeProxyId } from '../reading/proxy.ts';
import { listed } from '../wording/sentences.ts';
import { isReconciler, type Owned, reconcilers } from './reconcilers.ts';

type EndStates = Readonly<Record<string, { path: string[]; value: unknown; text: string }>>;

/** The end state of each object. If its tool has written that already, the tool helps the plan. */
const endStates: EndStates = {
  [installationId]: {
    path: dataplanePath,
    value: 'BPF',
    text: 'spec: {calicoNetwork: {linuxDataplane: BPF}}',
  },
  [felixId]: {
    path: cleanupFlagPath,
    value: false,
    text: 'spec: {bpfKubeProxyIptablesCleanupEnabled: false} as long as kube-proxy runs',
  },
  [kubeProxyId]: {
    path: proxySelectorPath,
    value: 'true',
    text: `spec: {template: {spec: {nodeSelector: {${names.nonCalicoSelector}: "true"}}}}`,
  },
};

/** The end states for the goal *restore*. No tool is recognised for the proxy, because an absent field does not show who removed it. */
const restoredStates: EndStates = {
  [installationId]: {
    path: proxyManagementPath,
    value: 'Disabled',
    text: 'spec: {calicoNetwork: {kubeProxyManagement: Disabled}}',
  },
  [felixId]: { path: cleanupFlagPath, value: false, text: endStates[felixId]?.text ?? '' },
  [kubeProxyId]: {
    path: proxySelectorPath,
    value: null,
    text: 'spec: {template: {spec: {nodeSelector: {kubernetes.io/os: linux}}}}',
  },
};

const endStatesOf = ({ goal }: Choices): EndStates => (goal === 'restore' ? restoredStates : endStates);

/**
 * A plan writes the proxy's DaemonSet only if it turns the proxy off: for eBPF, unless the proxy is kept. The goal *restore* writes it first, and the
 * others only if eBPF is on (lib/plan/operations/proxy-restore.ts, felix-cleanup-flag.ts).
 */
function written(facts: Facts, { goal, dataplane, keepProxy }: Choices): string[] {
  if (goal === 'upgrade') return writtenByUpgrade(facts);
  if (goal === 'restore') {
    const isOn = felixField(facts, 'bpfEnabled') === true;
    const isManaged = valueAt(facts.resources.objects[installationId] ?? null, proxyManagementPath) === 'Enabled';
    return [kubeProxyId, ...(isOn ? [felixId] : []), ...(isOn && isManaged ? [installationId] : [])];
  }
  const bringsEbpf = goal === 'enable' || (goal === 'install' && dataplane !== 'Iptables');
  return bringsEbpf && keepProxy !== true ? [installationId, felixId, kubeProxyId] : [installationId, felixId];
}

/** Objects of a release's files that a tool may manage too: the operator, or in a manifest installation the agents themselves. */
function writtenByUpgrade(facts: Facts): string[] {
  const { agent, operators } = facts.installation;
  if (isManifestInstall(facts)) return agent === null ? [] : [agent];
  return [installationId, felixId, ...operators.map(({ object }) => object)];
}

export const managedByReconciler = defineCheck({
  id: 'managed-by.reconciler',
  group: 'Platform and permissions',
  severity: 'blocking',
  goals: ['install', 'enable', 'upgrade', 'restore'],
  reads: ['ownership'],
  title: 'No other tool writes the objects that the plan changes',
  gap: 'Another tool writes what the plan changes',
  topic: 'Tools that write the same objects',
  ifIgnored: 'The tool reverts the switch on all nodes',
  consequence:
    'The tool can restore its own values at any moment, and so revert the plan on every node at once. If you change its source first, the change arrives before the plan has prepared for it.',
  remedy: {
    steps: [
      'Pause the tool for these objects. Do not change its source until the run is done.',
      'Check again, and run the plan.',
      'Then write the end state into the source, and resume the tool.',
    ],
  },
  source: 'pain B4',
  run: (facts, choices) => {
    const all = ownersOf(facts, choices);
    const open = all.filter(
      (owned) =>
        owned.state !== 'paused' &&
        (choices.goal === 'upgrade' || !keepsEndState(facts, owned, endStatesOf(choices)[owned.object])),
    );
    // A run compares with this evidence: a mark that it finds and that is not here is new (lib/run/engine/reconciler-marks.ts).
    const evidence = all.flatMap(({ marks }) => marks.map((mark) => mark.evidence));
    const active = open.filter(({ state }) => state === 'acts');
    if (all.length === 0 && choices.goal === 'restore' && !isCovered(facts, 'ownership')) return unreadInAnOutage;
    if (open.length === 0) {
      const names = [...new Set(all.map(({ by }) => reconcilers[by].name))];
      return all.length === 0
        ? { kind: 'pass' }
        : {
            kind: 'pass',
            because: `Paused or in agreement with the plan for these objects: ${listed(names)}.`,
            evidence,
          };
    }
    const shown = active.length > 0 ? active : open;
    const owners = [...new Set(shown.map(({ by, object }) => `${object} (by ${reconcilers[by].name})`))];
    const because = `${agreeing(owners.length, 'One object', `${owners.length} objects`)} that the plan changes ${agreeing(owners.length, 'is', 'are')} written by another tool: ${listed(owners)}.`;
    const subjects = shown.flatMap(({ object, by, marks }) =>
      marks.map(({ evidence: { path } }) => ({
        ...objectSubject(object),
        detail: `${reconcilers[by].name} marks it: ${path}`,
      })),
    );
    const remedy = remedyFor(shown, choices, platformIn(facts, choices));
    return active.length > 0
      ? {
          kind: 'fail',
          // Ending the outage comes first, even if the tool will revert it.
          severity: choices.goal === 'restore' ? 'warning' : 'blocking',
          because,
          subjects,
          remedy,
          evidence,
        }
      : {
          kind: 'unknown',
          because: `${because} Not verified whether it is paused: this cluster does not show it.`,
          subjects,
          remedy,
          evidence,
        };
  },
});

/** Services are down, so the plan must not wait for permission to read who else writes kube-proxy. */
const unreadInAnOutage: Result = {
  kind: 'unknown',
  because: 'Tools that write kube-proxy: not verified.',
  remedy: {
    steps: [
      'Accept this finding to continue: the restore writes kube-proxy even if another tool does.',
      'Afterwards look every few minutes whether kube-proxy stays. Where it goes again, pause the tool that writes it.',
    ],
    command: 'kubectl get daemonset -n kube-system kube-proxy -o yaml --show-managed-fields',
  },
};

/** One row for each object and tool, for any number of marks; one mark that says *paused* is enough. */
function ownersOf(facts: Facts, choices: Choices): Owned[] {
  const objects = written(facts, choices);
  // The tool that writes the manifest is reported by `upgrade.recommend-move`.
  const installer = choices.goal === 'upgrade' ? installerHere(facts, choices)?.id : undefined;
  const marks = facts.resources.ownership.filter(
    ({ by, object }) => isReconciler(by) && by !== installer && objects.includes(object),
  );
  return [...Map.groupBy(marks, ({ by, object }) => `${by} ${object}`).values()].flatMap((same): Owned[] => {
    const [first] = same;
    if (!first || !isReconciler(first.by)) return [];
    const state = (['paused', 'acts', 'hidden'] as const).find((one) => same.some((mark) => mark.state === one));
    const source = same.find((mark) => mark.source !== null)?.source ?? null;
    const sought = same.find((mark) => mark.sought !== undefined)?.sought ?? null;
    return [{ object: first.object, by: first.by, state: state ?? 'hidden', source, sought, marks: same }];
  });
}

/** Whether the tool itself wrote the end state. */
function keepsEndState(
  { resources: { objects } }: Facts,
  { object, marks }: Owned,
  end: EndStates[string] | undefined,
): boolean {
  return (
    end !== undefined &&
    valueAt(objects[object] ?? null, end.path) === end.value &&
    marks.some(({ writes }) => writes.includes(end.path.join('.')))
  );
}

function remedyFor(all: readonly Owned[], choices: Choices, platform: PlatformKind): Remedy {
  const hosted = isHosted(platform);
  const { goal } = choices;
  const isRestore = goal === 'restore';
  // A provider's add-on manager reads a folder on machines that only the provider can access.
  const owned = all.filter(({ by }) => !hosted || by !== 'addon-manager');
  const providers = all.filter((one) => !owned.includes(one));
  const onlyProvider = unique(providers.map(({ object }) => providersStep(object, isRestore)));
  if (owned.length === 0) return { steps: [...onlyProvider, 'Check again.'], ...(isRestore ? {} : { fixIn: 'proxy' }) };
  const pauses = owned.flatMap((one) => reconcilers[one.by].pause(one) ?? []);
  const elsewhere = owned.filter((one) => reconcilers[one.by].pause(one) === null);
  const resume = unique(pauses.map((one) => `\`${one.resume}\``));
  const mayKeepProxy = !isRestore && owned.some(({ object }) => object === kubeProxyId);
  return {
    steps: [
      ...(isRestore ? [] : unique(owned.map(({ by }) => `Leave ${reconcilers[by].writes} as it is for now.`))),
      ...(pauses.length > 0 ? ['Pause the tool for these objects with the command below.'] : []),
      ...unique(
        elsewhere.map((one) => `Pause ${reconcilers[one.by].name} ${reconcilers[one.by].elsewhere(one, platform)}.`),
      ),
      ...(owned.some(({ state }) => state === 'hidden') ? ['Then accept this: the cluster does not show it.'] : []),
      ...onlyProvider,
      ...(mayKeepProxy
        ? ['Or keep the service proxy running beside eBPF (--keep-proxy): then its DaemonSet is not touched.']
        : []),
      'Check again, and run the plan.',
      ...(goal === 'upgrade'
        ? ['Then write the new version into the source.']
        : [
            ...unique(
              owned.map(
                ({ object }) => `Then write \`${endStatesOf(choices)[object]?.text}\` for ${object} into the source.`,
              ),
            ),
            ...(isRestore
              ? []
              : ['The whole end state as YAML: `signalbox report RUN -o gitops`, or the download on its report page.']),
          ]),
      ...(resume.length > 0 ? [`Let the tool continue: ${resume.join(', ')}.`] : ['Let the tool continue.']),
    ],
    ...(pauses.length > 0 ? { command: unique(pauses.map(({ pause }) => pause)).join('\n') } : {}),
    ...(mayKeepProxy ? { fixIn: 'proxy' as const } : {}),
  };
}

function providersStep(object: string, isRestore: boolean): string {
  return object === kubeProxyId && !isRestore
    ? "Keep the service proxy running beside eBPF (--keep-proxy): the provider's add-on manager writes its DaemonSet again, and only the provider can stop that."
    : `Leave this to the provider: its add-on manager writes ${object} again, and only the provider can stop that.`;
}

const unique = (texts: readonly string[]) => [...new Set(texts)];
