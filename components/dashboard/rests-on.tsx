import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { type State, StateMark } from '#components/ui/state-mark.tsx';
import { counted, thousands } from '#lib/base/words.ts';
import type { ClusterView } from '#lib/console/wire.ts';
import { servedAsSeen } from './served-as-seen.ts';

/** What the data plane depends on, and what undoes it. */
export function RestsOn({ view, endpoint, undo }: { view: ClusterView; endpoint: ReactNode; undo: ReactNode }) {
  const { installation, felix, agents } = view.status;
  const proxy = proxyWords(view);
  return (
    <Panel title="Depends on">
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] gap-x-6 gap-y-3 px-4 py-3.5 text-sm">
        <Row name="API endpoint">{endpoint}</Row>
        <Row name="Service proxy">
          {proxy.state === 'plain' ? proxy.words : <StateMark state={proxy.state}>{proxy.words}</StateMark>}
        </Row>
        <Row name="Installation">
          {installation ? (
            <>
              asks for <code>{installation.dataplane ?? 'the default'}</code>, generation {installation.generation}
              {felix?.ownedByOperator === false && (
                <p>
                  <StateMark state="warn">bpfEnabled is not as the operator recorded it</StateMark>
                </p>
              )}
            </>
          ) : (
            <Absent kind="Installation" unknown={view.status.unknown} />
          )}
        </Row>
        <Row name="Agents">
          {agents ? (
            `${thousands(agents.available)} of ${thousands(agents.desired)} available, ${thousands(agents.updated)} on the newest template`
          ) : (
            <Absent kind="DaemonSet" unknown={view.status.unknown} />
          )}
        </Row>
        <Row name="Undo">{undo}</Row>
      </dl>
    </Panel>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    // On a telephone the name stands above: addresses have the whole width.
    <div className="grid grid-cols-1 gap-x-4 sm:grid-cols-[112px_minmax(0,1fr)]">
      <dt className="text-ink-3">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** For a missing object: *none*, or *unknown* if its kind could not be read. */
function Absent({ kind, unknown }: { kind: string } & Pick<ClusterView['status'], 'unknown'>) {
  if (unknown.some((one) => one.kind === kind))
    return <StateMark state="unknown">not known: {kind}s could not be read</StateMark>;
  return <span className="text-ink-2">none</span>;
}

/** kube-proxy's DaemonSet in words. Other proxies (embedded, static pods) are not seen here and never shown as off. */
function proxyWords(view: ClusterView): { state: State | 'plain'; words: string } {
  const { proxy, unknown, installation } = view.status;
  if (proxy === null)
    return unknown.some(({ kind }) => kind === 'DaemonSet')
      ? { state: 'unknown', words: 'not known: DaemonSets could not be read' }
      : { state: 'plain', words: 'no DaemonSet kube-system/kube-proxy' };
  const { desired, ready } = proxy;
  if (desired === 0) {
    // The Installation is only the wanted state; a node may have fallen back.
    if (servedAsSeen(view) === 'nobody')
      return { state: 'bad', words: 'kube-proxy is off, and eBPF does not serve every node' };
    return installation?.dataplane === 'BPF'
      ? { state: 'plain', words: 'kube-proxy is off; eBPF serves the Services' }
      : { state: 'bad', words: 'kube-proxy is off, and the data plane is not eBPF' };
  }
  const nodes = counted(desired, 'node');
  if (ready < desired) return { state: 'warn', words: `kube-proxy: ${thousands(ready)} of ${nodes} ready` };
  return { state: 'plain', words: `kube-proxy runs on ${nodes}` };
}
