import type { TestOutcome } from '#lib/kube/index.ts';
import {
  belowAdvice,
  bpfFeatures,
  bpfMapsKb,
  inAnyRange,
  kernelFlavourOf,
  kernelGates,
  kernelVerdict,
} from '#lib/spec/index.ts';
import type { ProbeLine } from '../line.ts';
import { failed, lineOf, notRun, type ProbedNode, passed, type Question } from './report.ts';

/**
 * A missing feature fails. A pass requires more than all features: a kernel that Calico's documentation supports, without a known fault with this
 * release, because the release's programs are not loaded here.
 */
export function programs({ release }: Question, node: ProbedNode, lines: readonly ProbeLine[]): TestOutcome {
  const [kernel, features] = [lineOf(lines, 'node')?.kernel, lineOf(lines, 'features')];
  if (kernel === undefined || features === undefined) return notRun('it did not say');
  if (!['amd64', 'arm64', ''].includes(node.architecture)) return failed(`there are none for ${node.architecture}`);
  if (features.available.length + features.missing.length === 0) return notRun('bpftool said nothing');
  const missing = bpfFeatures.filter(({ feature }) => features.missing.includes(feature));
  if (missing.length > 0)
    return failed(
      `kernel ${kernel} lacks ${missing.map(({ feature, neededFor }) => `${feature} (${neededFor})`).join(', ')}`,
    );
  const { has, floor } = kernelVerdict({ distribution: node.distribution, kernel });
  if (has === 'no') return failed(`kernel ${kernel}, ${floor} is needed`);
  if (features.exit !== 0) return notRun(`bpftool ended with ${features.exit}`);
  const unreported = bpfFeatures.filter(({ feature }) => !features.available.includes(feature));
  if (unreported.length > 0)
    return notRun(`bpftool did not say of ${unreported.map(({ feature }) => feature).join(', ')}`);
  const { memoryKb } = features;
  if (typeof memoryKb === 'number' && memoryKb < bpfMapsKb.least)
    return failed(`${Math.floor(memoryKb / 1024)} MiB of memory are left, and its maps take ${bpfMapsKb.least / 1024}`);
  // Null: only the machine's first network namespace shows it, and the node may be a container. The interpreter runs programs too.
  if (features.jit === 0) return notRun('its kernel compiles no programs (net.core.bpf_jit_enable is 0)');
  const doubt = has === 'yes' ? doubtAbout({ ...node, kernel }, release) : 'it tells no version';
  return doubt === null ? passed : notRun(`not verified that kernel ${kernel} runs them: ${doubt}`);
}

/** Why a new enough kernel with all features may still refuse a release's programs; null: no reason is known. */
function doubtAbout(node: ProbedNode & { readonly kernel: string }, release: string | null): string | null {
  if (node.distribution.id === 'unknown') return 'Signalbox does not know its distribution';
  const flavour = kernelFlavourOf(node.kernel);
  if (flavour !== null) return `it was built without ${flavour.lacks}`;
  const advised = belowAdvice(
    { kernel: node.kernel, distribution: { version: null, ...node.distribution } },
    'generic',
  );
  if (advised !== null) return `Calico's documentation asks for ${advised}`;
  const gate = kernelGates.find(
    ({ action, kernel, toRelease }) =>
      action === 'block' &&
      inAnyRange(node.kernel, kernel ?? []) !== 'no' &&
      (release === null || inAnyRange(release, toRelease ?? []) !== 'no'),
  );
  return gate === undefined ? null : `${gate.condition} goes wrong`;
}

/** Calico's agent mounts bpffs and cgroup2, and a pod creates the folder for FlexVolume: fails if a node prevents one of these. */
export function mounts(lines: readonly ProbeLine[]): TestOutcome {
  const line = lineOf(lines, 'mounts');
  if (line === undefined) return notRun('it did not say');
  const { bpffs, cgroup, flexvolume } = line;
  if (!bpffs.known && !bpffs.mounted) return failed('the kernel has no bpffs');
  if (!cgroup.known && !cgroup.mounted) return failed('the kernel has no cgroup2');
  if (!cgroup.mounted && !cgroup.writable) return failed(`${cgroup.path} cannot be made: its folder is read-only`);
  if (flexvolume?.writable === false) return failed(`${flexvolume.path} cannot be made: its folder is read-only`);
  return passed;
}
