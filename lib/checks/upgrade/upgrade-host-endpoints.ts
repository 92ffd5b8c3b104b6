import { agreeing, capital, counted } from '#lib/base/words.ts';
import type { Subject } from '#lib/facts/index.ts';
import { shellWord } from '#lib/text/index.ts';
import { defineUpgradeCheck } from '../framework/upgrade-check.ts';
import { namesOf } from '../reading/subject-names.ts';
import { crosses } from '../reading/upgrade.ts';

/** Gate V9. */
const widenedIn = 'v3.31.0';

export const upgradeHostEndpoints = defineUpgradeCheck({
  id: 'upgrade.host-endpoints',
  severity: 'warning',
  reads: ['hostEndpoints'],
  title: 'Host endpoints keep their coverage',
  gap: 'Host endpoints would change what they cover',
  topic: 'Host endpoints',
  ifIgnored: 'Policies can cut nodes off',
  consequence:
    'Policies that select a host endpoint then apply to more of the host than before, and can cut off the kubelet, SSH or the API server on that node.',
  remedy: {
    steps: ['Accept this once the policies for host endpoints allow what each node needs.'],
    command: 'kubectl get hostendpoints.crd.projectcalico.org -o yaml',
  },
  source: 'spec › Versioning; pain H26; pain §2',
  evaluate: (upgrade, { upgrade: { hostEndpoints }, installation }) => {
    const isInEtcd = installation.method === 'manifest-etcd';
    const { allInterfaces, automatic, autoCreate } = hostEndpoints;
    const isAutomatic = autoCreate === 'Enabled' || automatic > 0;
    const widens = isAutomatic ? crosses(upgrade, widenedIn) : 'no';
    const parts = [
      ...(allInterfaces.length === 0
        ? []
        : [
            `${counted(allInterfaces.length, 'host endpoint')} for all interfaces ${agreeing(allInterfaces.length, 'was', 'were')} made by hand: ${namesOf(allInterfaces)}`,
          ]),
      ...(widens === 'yes'
        ? [
            `${automatic === 0 ? 'automatic host endpoints' : counted(automatic, 'automatic host endpoint')} will cover every interface and address of ${agreeing(automatic, 'its node', 'their nodes')} from v3.31 on`,
          ]
        : []),
    ];
    if (parts.length > 0) {
      return {
        kind: 'fail',
        because: `${capital(parts.join('; '))}.`,
        subjects: [...allInterfaces, ...(widens === 'yes' ? [configuration(automatic)] : [])],
        remedy: {
          ...upgradeHostEndpoints.remedy,
          ...(isInEtcd && { command: 'calicoctl get hostendpoints -o yaml' }),
          steps: [
            ...(allInterfaces.length > 0
              ? [
                  isInEtcd
                    ? movedInEtcd(allInterfaces)
                    : 'Move those made by hand to automatic ones: copy their labels to the nodes, enable autoCreate, then delete them. With --afterwards host-endpoints the upgrade does so once the new release runs, and its plan names the policies that select hosts from then on.',
                ]
              : []),
            ...upgradeHostEndpoints.remedy.steps,
          ],
        },
        evidence: allInterfaces.slice(0, 20).map(({ name }) => ({
          object: `HostEndpoint/${name}`,
          path: 'spec.interfaceName',
          value: '*',
        })),
      };
    }
    if (widens === 'undecided') {
      return { kind: 'unknown', because: 'This upgrade may widen automatic host endpoints: not verified.' };
    }
    return { kind: 'pass' };
  },
});

/** The remedy for Calico with data in etcd, which Signalbox never writes. */
function movedInEtcd(allInterfaces: readonly Subject[]): string {
  const names = allInterfaces.slice(0, 20).map(({ name }) => shellWord(name));
  const enable = `calicoctl patch kubecontrollersconfiguration default --patch '{"spec":{"controllers":{"node":{"hostEndpoint":{"autoCreate":"Enabled"}}}}}'`;
  return `Move those made by hand to automatic ones: copy their labels to the nodes with \`kubectl label nodes\`, run \`${enable}\`, and once each node has one, \`calicoctl delete hostendpoint ${names.join(' ')}\`.`;
}

function configuration(automatic: number): Subject {
  return {
    kind: 'KubeControllersConfiguration',
    namespace: null,
    name: 'default',
    detail: `hostEndpoint.autoCreate, ${counted(automatic, 'host endpoint')} so far`,
  };
}
