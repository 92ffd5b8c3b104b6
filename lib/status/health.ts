import { agreeing, counted, inList, thousands } from '#lib/base/words.ts';
import type { ClusterStatus } from './cluster-status.ts';
import { isUnserved, unreadyWorkload } from './unserved.ts';

/** The health of a cluster for a list, from its status without its nodes. `none`: Calico does not run there. */
export type Health = { kind: 'healthy' | 'moving' | 'late' | 'outage' | 'degraded' | 'unknown' | 'none'; says: string };

type Seen = Pick<ClusterStatus, 'installation' | 'manifest' | 'felix' | 'agents' | 'proxy' | 'components' | 'unknown'>;

/**
 * The worst state counts, and what could not be read never counts as healthy. Services of a cluster without nodes are not an outage, and a TigeraStatus about an
 * earlier generation of the Installation is ignored. Pure. Sources: pain B7 (unserved.ts), calico.md §4 (`observedGeneration`).
 */
export function healthOf(status: Seen): Health {
  const { installation, manifest, agents, components, unknown } = status;
  const inState = (wanted: string) => components.filter(({ state }) => state === wanted).map(({ name }) => name);
  if (isUnserved(status)) return { kind: 'outage', says: 'Services may be down: kube-proxy is off, eBPF is not on' };
  const degraded = inState('degraded');
  if (degraded.length > 0)
    return { kind: 'degraded', says: `${inList(degraded)} ${degraded.length === 1 ? 'is' : 'are'} degraded` };
  const late = unreadyWorkload(status);
  if (late !== null) return { kind: 'late', says: late.says };
  if (unknown.length > 0)
    return { kind: 'unknown', says: `Health not verified: ${inList(unknown.map(({ kind }) => kind))} cannot be read` };
  const moving = inState('progressing');
  if (moving.length > 0)
    return { kind: 'moving', says: `${inList(moving)} ${moving.length === 1 ? 'is' : 'are'} rolling out` };
  const behind = components.filter(({ current }) => current === false).map(({ name }) => name);
  if (behind.length > 0)
    return { kind: 'moving', says: `The operator has not seen the last change: ${inList(behind)}` };
  if (installation === null && agents === null) return { kind: 'none', says: 'No Calico' };
  // Without an operator there is no TigeraStatus, so the agents decide.
  if (manifest !== undefined && agents !== null && components.length === 0)
    return agents.updated < agents.desired
      ? {
          kind: 'moving',
          says: `Calico’s agent is updated on ${thousands(agents.updated)} of ${counted(agents.desired, 'node')}`,
        }
      : {
          kind: 'healthy',
          says: `Calico’s agent is ready on ${agreeing(agents.desired, 'the only node', `all of ${counted(agents.desired, 'node')}`)}`,
        };
  const silent = inState('unknown');
  if (components.length === 0 || silent.length > 0)
    return {
      kind: 'unknown',
      says: `Health not verified: ${silent.length > 0 ? `no status of ${inList(silent)}` : 'no status of the operator'}`,
    };
  return { kind: 'healthy', says: 'Healthy' };
}
