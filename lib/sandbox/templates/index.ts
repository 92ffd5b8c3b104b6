import { nearest } from '#lib/base/nearest.ts';
import { KubeError, type KubeObject } from '#lib/kube/index.ts';
import { basics } from './basics.ts';
import { aCluster, standard } from './cluster.ts';
import { endpointFailures } from './failures/endpoint.ts';
import { featureFailures } from './failures/features.ts';
import { installationFailures } from './failures/installation.ts';
import { nodeFailures } from './failures/nodes.ts';
import { proxyFailures } from './failures/proxy.ts';
import { upgradeFailures } from './failures/upgrade.ts';
import { clouds } from './platforms/clouds.ts';
import { distributions } from './platforms/distributions.ts';
import { empties, noPodSubnet } from './platforms/empties.ts';
import { installers } from './platforms/installers.ts';
import { kubeadm } from './platforms/kubeadm.ts';
import type { Group, Samples } from './sample.ts';

export type Template = {
  /** What the sample shows, in one line for `signalbox sandbox list`. */
  shows: string;
  /** The heading below which the sample is listed. */
  group: Group;
  kubernetesVersion: string;
  /** Makes fresh objects. `now`: milliseconds since the epoch; all objects are older. */
  objects(now: number): KubeObject[];
};

/** The samples of each group, in the order in which they are listed. */
const gallery: readonly [Group, Samples][] = [
  ['Basics', basics],
  ['Platforms', { ...kubeadm, ...distributions, ...clouds, ...installers, ...empties }],
  [
    'Failures',
    {
      ...endpointFailures,
      ...proxyFailures,
      ...nodeFailures,
      ...installationFailures,
      ...noPodSubnet,
      ...featureFailures,
      ...upgradeFailures,
    },
  ],
];

export const templates: Readonly<Record<string, Template>> = Object.fromEntries(
  gallery.flatMap(([group, samples]) =>
    Object.entries(samples).map(([name, { shows, differs, calico }]): [string, Template] => [
      name,
      {
        shows,
        group,
        kubernetesVersion: differs.kubernetesVersion ?? standard.kubernetesVersion,
        objects: (now: number) => aCluster({ ...differs, now }, calico ?? 'installed'),
      },
    ]),
  ),
);

/** Throws `not-found` for a name that no sample has, also for `constructor` and other inherited names. */
export function templateOf(name: string): Template {
  const template = Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (template) return template;
  const near = nearest(name, Object.keys(templates));
  throw new KubeError(
    'not-found',
    `There is no sandbox "${name}"${near === null ? '.' : `; did you mean ${near}?`} \`signalbox sandbox list\` lists them.`,
  );
}
