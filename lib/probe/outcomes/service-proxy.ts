import { counted } from '#lib/base/words.ts';
import type { NodeMeasurement, TestOutcome } from '#lib/kube/index.ts';
import { embeddingPrograms } from '../embedding-programs.ts';
import type { ProbeLine } from '../line.ts';
import { failed, lineOf, type Named, notRun, passed } from './report.ts';

/** The system service of a cgroup; null for a container's. */
const unitOf = (group: string): string | null => /(?:^|\/)([^/]+\.service)$/.exec(group)?.[1] ?? null;

/** How the node runs kube-proxy: as a service of the system (`outside`), in a pod, or by its rules alone. Null: unknown. */
export function whatServes(line: Named<'proxy'> | undefined): NodeMeasurement['proxy'] {
  if (line === undefined) return null;
  if (line.processes.some(({ group }) => unitOf(group) !== null)) return 'outside';
  if (line.processes.length > 0) return 'in-pod';
  if (line.rules || line.mode) return 'rules';
  // A program that contains kube-proxy may keep the rules where the script does not look.
  return (line.embedding ?? []).length > 0 ? null : 'none';
}

/** No plan turns off a kube-proxy that is a service of the node (pain B1). */
export function serviceProxy(lines: readonly ProbeLine[]): TestOutcome {
  const line = lineOf(lines, 'proxy');
  if (line === undefined) return notRun('it did not say');
  const unit = line.processes.map(({ group }) => unitOf(group)).find((one) => one !== null);
  return unit === undefined ? passed : failed(`kube-proxy runs as a service of the system, ${unit}`);
}

/** Leftovers of IPVS keep the Services' addresses even after its proxy is gone (pain B3). */
export function ipvs(lines: readonly ProbeLine[]): TestOutcome {
  const line = lineOf(lines, 'proxy');
  if (line === undefined) return notRun('it did not say');
  const { ipvsServices: serves = 0 } = line;
  if (line.ipvs)
    return failed(
      `it has the device kube-ipvs0${serves > 0 ? `, and IPVS serves ${counted(serves, 'address', 'addresses')}` : ''}`,
    );
  // kube-proxy does not always run in the configured mode: older ones fall back to iptables.
  if (line.mode) return line.mode === 'ipvs' ? failed('its kube-proxy says that it runs in IPVS mode') : passed;
  return line.processes.some(({ mode }) => mode === 'ipvs') ? failed('its kube-proxy is set to IPVS mode') : passed;
}

/** Port 10256 is free, or kube-proxy, a program that contains it, or Calico's agent listens on it (pain B2). */
export function healthPort(lines: readonly ProbeLine[]): TestOutcome {
  const line = lineOf(lines, 'proxy');
  if (line === undefined) return notRun('it did not say');
  const { healthPort: owner } = line;
  if (owner === null || proxyProcesses.some((one) => owner.startsWith(one))) return passed;
  return owner === ''
    ? notRun('something listens at port 10256, and its name is not to be seen')
    : failed(`${owner} listens at port 10256`);
}

/** Processes that may listen there: kube-proxy, a program that contains it, and Calico's agent in its place (pain B2). */
const proxyProcesses = ['kube-proxy', 'calico-node', ...embeddingPrograms];
