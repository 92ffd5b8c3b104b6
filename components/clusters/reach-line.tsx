import { runStateWords } from '#components/dashboard/run-state-words.ts';
import { type State, StateIcon, StateMark } from '#components/ui/state-mark.tsx';
import { RelativeTime } from '#components/ui/time/relative-time.tsx';
import { host, type Reach, type Slug } from '#lib/console/host.ts';
import type { Health } from '#lib/status/index.ts';
import { StateLine } from './state-line.tsx';

/** What one cluster answered, or why it did not. Under a Suspense of its own: one that is slow holds no other up. */
export async function ReachLine({ cluster }: { cluster: Slug }) {
  const reach = await host()
    .reach(cluster)
    .catch(() => null);
  if (!reach)
    return (
      <StateLine state="unknown" words="Not known">
        The console could not ask; its log says why.
      </StateLine>
    );
  switch (reach.kind) {
    case 'reachable':
      return <Reachable reach={reach} />;
    case 'unreachable':
      return <Unreachable reach={reach} />;
    case 'not-asked':
      return (
        <StateLine state="idle" words="Not asked">
          {`${reach.because.charAt(0).toUpperCase()}${reach.because.slice(1)}.`}
        </StateLine>
      );
  }
}

function Reachable({ reach }: { reach: Extract<Reach, { kind: 'reachable' }> }) {
  const { kubernetes, calico, dataplane, health, latencyMs, run } = reach;
  const words = run === null ? null : runStateWords(run);
  const parts = [
    kubernetes === null ? null : `Kubernetes ${kubernetes.replace(/^v/, '')}`,
    calico === null ? (health.kind === 'none' ? null : 'no Calico found') : `Calico ${calico}`,
    calico === null || dataplane === null ? null : dataplaneWord(dataplane),
  ].filter((part) => part !== null);
  return (
    // On a desk it is one line, and where that has no room releases and latency end first: health and the run are what the list is read for.
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 min-[900px]:flex-nowrap min-[900px]:overflow-hidden min-[900px]:whitespace-nowrap">
      <span className="shrink-0">
        <StateMark state={healthState[health.kind]}>{health.says}</StateMark>
      </span>
      {words !== null && run !== null && (
        <span className="inline-flex min-w-0 items-start gap-x-1.5 text-ink-2">
          <span className="mt-0.5 shrink-0">
            <StateIcon state={words.state} />
          </span>
          <span className="min-w-0 min-[900px]:truncate">
            {words.sentence}, started <RelativeTime at={run.startedAt} />
          </span>
        </span>
      )}
      <span
        className="min-w-0 text-ink-2 min-[900px]:shrink-[9999] min-[900px]:truncate"
        title={parts.length > 0 ? parts.join(' · ') : undefined}
      >
        {parts.length > 0 && `${parts.join(' · ')} · `}
        <span className="text-ink-3">{latencyMs < 2 ? 'answers at once' : `answers in ${latencyMs} ms`}</span>
      </span>
    </div>
  );
}

const healthState: Readonly<Record<Health['kind'], State>> = {
  healthy: 'ok',
  moving: 'now',
  late: 'warn',
  outage: 'bad',
  degraded: 'bad',
  unknown: 'unknown',
  none: 'idle',
};

function Unreachable({ reach: { code, message } }: { reach: Extract<Reach, { kind: 'unreachable' }> }) {
  const { state, words } = unreachableWords(code);
  return (
    <StateLine state={state} words={words}>
      {message}
    </StateLine>
  );
}

const words: Readonly<Record<string, string>> = {
  BPF: 'eBPF data plane',
  Iptables: 'iptables data plane',
  Nftables: 'nftables data plane',
  VPP: 'VPP data plane',
  standard: 'standard data plane',
};

/** A data plane without words of ours is shown by its name in the Installation. */
function dataplaneWord(dataplane: string): string {
  return words[dataplane] ?? `${dataplane} data plane`;
}

/** Why a cluster of the list cannot be used now, in a few words; the sentence beside them has the details. */
function unreachableWords(code: string): { state: State; words: string } {
  switch (code) {
    case 'cluster.forbidden':
      return { state: 'bad', words: 'Access refused' };
    case 'cluster.unauthorized':
    case 'cluster.credentials':
      return { state: 'bad', words: 'No valid credentials' };
    case 'cluster.tls':
      return { state: 'bad', words: 'No trusted TLS connection' };
    case 'sandbox.in-use':
      return { state: 'warn', words: 'Open elsewhere' };
    case 'cluster.unreachable':
    case 'cluster.timeout':
      return { state: 'bad', words: 'Does not answer' };
    default:
      return { state: 'bad', words: 'Cannot be read' };
  }
}
