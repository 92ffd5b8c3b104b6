import { versionInChart } from '#lib/spec/index.ts';
import { keepHelmRecords, proveNodes, writeInstallation } from '../access/rules.ts';
import { agentRollout, manyNodes } from '../agent-rollout.ts';
import { all, defineOperation, write, writeBack } from '../define-operation.ts';
import { operatorChart } from '../install/helm-charts.ts';
import { helmPin, requiredHelmPin } from '../install/helm-pin.ts';
import { installation } from '../objects/object-refs.ts';
import { proxyFirstSteps, sequence, undoneBy } from '../pins/parts.ts';
import { either, exactly, type Fits, integer, shortText } from '../pins/pattern.ts';
import { proxyFirst, proxyFirstDurations, proxyFirstNeeds } from '../proxy/proxy-first.ts';
import { driverOf } from '../upgrade/helm/installed-by-helm.ts';
import { bpf, isBpf, switchReads, switchTitle, switchWhy, whenBack } from './switch-bpf.ts';

const chosenValues = {
  'installation.calicoNetwork.linuxDataplane': 'BPF',
  'installation.calicoNetwork.hostPorts': 'null',
};

/** The condition for the earlier fields of the Installation, which Helm's rollback restores. */
const earlierFields: Fits = (condition) =>
  ['Iptables', 'Nftables', 'VPP', 'BPF', null].some((linuxDataplane) =>
    exactly(write(installation, { spec: { calicoNetwork: { linuxDataplane } } }).done)(condition),
  );

/** The switch by the values of a Helm release: the next `helm upgrade` would revert a patch of the Installation (calico.md §1.3). */
export const switchBpfHelm = defineOperation({
  id: 'switch.bpf.helm',
  title: switchTitle,
  why: (context) =>
    `The Helm release ${requiredHelmPin(context).name} sets the data plane, so the switch is made there. ${switchWhy(context)}`,
  whenPaused:
    'The Helm release may already ask for eBPF while the service proxy still runs and its rules are kept: both data planes run side by side.',
  effect: 'traffic',
  traffic: 'restarts',
  reversible: true,
  appliesTo: (context) => helmPin(context) !== null,
  mayWrite: ({ act }) => {
    const { release, namespace, driver } = act.kind === 'helm' ? act : { release: '', namespace: '' };
    const storage = driverOf({ driver });
    const deployed = { kind: 'helm-deployed', release, namespace, ...storage };
    return {
      step: {
        act: {
          kind: 'helm',
          verb: 'upgrade',
          release,
          namespace,
          chart: operatorChart,
          version: either(null, shortText),
          set: chosenValues,
          ...storage,
        },
        done: { kind: 'all', of: [deployed, exactly(isBpf)] },
      },
      undo: undoneBy('data-plane', {
        act: sequence(...proxyFirstSteps, {
          act: { kind: 'helm', verb: 'rollback', release, namespace, revision: integer(1, 1_000_000), ...storage },
          done: { kind: 'all', of: [deployed, earlierFields] },
        }),
        done: { kind: 'all', of: [deployed, either({ kind: 'bpf-inactive' }, deployed)] },
      }),
    };
  },
  needs: (scope) => [
    writeInstallation,
    ...proveNodes(scope),
    ...proxyFirstNeeds(scope),
    ...keepHelmRecords(scope.helmRecords, scope.operatorNamespace),
  ],
  reads: switchReads,
  act: (context) => {
    const pin = requiredHelmPin(context);
    const { name: release, namespace, chart: installed } = pin;
    return {
      kind: 'helm',
      verb: 'upgrade',
      release,
      namespace,
      chart: operatorChart,
      version: versionInChart(installed),
      set: chosenValues,
      ...driverOf(pin),
    };
  },
  done: (context) => {
    const pin = requiredHelmPin(context);
    const { name: release, namespace } = pin;
    return all({ kind: 'helm-deployed', release, namespace, ...driverOf(pin) }, isBpf);
  },
  undo: (context) => {
    const pin = requiredHelmPin(context);
    const { name: release, namespace, revision } = pin;
    const { nodes, usualSeconds, deadlineSeconds } = agentRollout(context);
    const deployed = { kind: 'helm-deployed' as const, release, namespace, ...driverOf(pin) };
    const proxy = proxyFirstDurations(context);
    // `deployed` alone is met before the rollback already: the upgrade was deployed too.
    const earlier = writeBack(context, installation, bpf).done;
    return {
      title: `Switch ${manyNodes(nodes)} back to the standard data plane`,
      act: {
        kind: 'sequence',
        steps: [
          ...proxyFirst(context),
          {
            act: { kind: 'helm', verb: 'rollback', release, namespace, revision, ...driverOf(pin) },
            done: all(deployed, earlier),
          },
        ],
      },
      done: all(deployed, whenBack(context, deployed)),
      phase: 'data-plane',
      usualSeconds: usualSeconds + 60 + proxy.usualSeconds,
      deadlineSeconds: Math.max(deadlineSeconds + 360, proxy.deadlineSeconds),
    };
  },
  usualSeconds: 20,
  deadlineSeconds: 300,
});
