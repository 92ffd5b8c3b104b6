import type { State } from '#components/ui/state-mark.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { ClusterStatus } from '#lib/status/index.ts';

/** kube-proxy's DaemonSet in words. A proxy of another kind (embedded, static pods) is not seen here, and not told as off. */
export function proxyWords({ proxy, unknown, installation }: ClusterStatus): { state: State | 'plain'; words: string } {
  if (proxy === null)
    return unknown.some(({ kind }) => kind === 'DaemonSet')
      ? { state: 'unknown', words: 'not known: DaemonSets could not be read' }
      : { state: 'plain', words: 'no DaemonSet kube-system/kube-proxy' };
  const { desired, ready } = proxy;
  if (desired === 0)
    return installation?.dataplane === 'BPF'
      ? { state: 'plain', words: 'kube-proxy is off; eBPF serves the services' }
      : { state: 'warn', words: 'kube-proxy is off, and the data plane is not eBPF' };
  const nodes = counted(desired, 'node');
  if (ready < desired) return { state: 'warn', words: `kube-proxy: ${thousands(ready)} of ${nodes} ready` };
  return { state: 'plain', words: `kube-proxy runs on ${nodes}` };
}
