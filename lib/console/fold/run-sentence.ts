import { agreeing, capital, counted, duration, inList, sentence, thousands } from '#lib/base/words.ts';
import { isWantedPause } from '#lib/run/model/has-ended.ts';
import type { Sentence } from './sentence.ts';
import type { RunNode, RunNow, RunView } from './view.ts';

/**
 * Where a run is. Page, tab title, live region and report use the same words (reference › ui.md D5). `nowMs`: milliseconds of the cluster's wall
 * clock, which may differ from the reader's by a skew. Pure.
 */
export function runSentence(view: RunView, nowMs: number): Sentence {
  const { state } = view;
  switch (state.kind) {
    case 'running':
      return view.now ? underWay(view, view.now, nowMs) : between(view);
    case 'paused': {
      const title = view.operations.find(({ seq }) => seq === state.seq)?.title;
      if (state.code === 'asked') return { lead: 'Paused, as asked.', rest: sentence(state.meaning) };
      if (isWantedPause(state.code))
        return { lead: 'Paused, as planned.', rest: `${sentence(state.because)} ${state.meaning}` };
      return {
        lead: title ? `Paused at: ${sentence(title)}` : 'Paused.',
        rest: `${sentence(state.because)} ${state.meaning}`.trim(),
      };
    }
    case 'done':
      return { lead: 'The run is done.', rest: provenIn(view.nodes) };
    case 'undone':
      return { lead: 'The run was undone.', rest: provenIn(view.nodes) };
    case 'stopped':
      return {
        lead: 'The run was stopped half-way.',
        rest:
          state.remains.length === 0
            ? 'It had changed nothing.'
            : 'The cluster stays as it is; its report says what remains.',
      };
    case 'failed':
      return { lead: 'The run failed.', rest: sentence(state.because) };
  }
}

/** Whether the sentence is about nodes and what they prove: only then may a count of nodes stand beside it. Pure. */
export function isAboutNodes({ state, now, nodes }: RunView): boolean {
  if (state.kind !== 'running' || now === null || now.awaiting === null) return false;
  const moving = movingNodes(nodes);
  return moving.length > 0 && isTheirProof(now, moving);
}

function movingNodes(nodes: readonly RunNode[]): RunNode[] {
  return nodes.filter(({ state }) => state === 'waiting' || state === 'restarting');
}

function underWay(view: RunView, now: RunNow, nowMs: number): Sentence {
  if (now.awaiting === null) return { lead: sentence(now.title), rest: '' };
  if (isAboutNodes(view)) return waitingForNodes(view, now, movingNodes(view.nodes), nowMs);
  const by = now.heldUpBy[0];
  const more = now.heldUpBy.length > 1 ? ` and ${thousands(now.heldUpBy.length - 1)} more` : '';
  return {
    lead: sentence(`Waiting for ${now.awaiting}`),
    rest: by ? sentence(`Held up by ${by.name}${more}${by.detail === '' ? '' : `: ${by.detail}`}`) : '',
  };
}

/**
 * Whether the wait is for nodes to prove something. Nodes are shown from the start of a run: before the switch they restart for other reasons, and
 * until the operator turns eBPF on, after all have restarted, none can prove it.
 */
function isTheirProof({ id, direction }: RunNow, moving: readonly RunNode[]): boolean {
  if (moving.some(({ version }) => version !== undefined)) return id === 'release.active' || direction === 'undo';
  if (direction === 'undo') return id.startsWith('switch.');
  return id === 'bpf.active' && !moving.some(({ dataplane }) => dataplane === 'standard');
}

function waitingForNodes(view: RunView, now: RunNow, moving: RunNode[], nowMs: number): Sentence {
  const all = view.nodes.filter(({ state }) => state !== 'not-counted').length;
  const back = now.direction === 'undo';
  const changesRelease = moving.some(({ version }) => version !== undefined);
  const plane = changesRelease
    ? `to run the ${back ? 'earlier' : 'new'} release`
    : back
      ? 'to leave eBPF'
      : 'to prove eBPF';
  const names = moving.map(({ name }) => name);
  const lead =
    names.length <= 3
      ? `Waiting for ${inList(names)} ${plane}.`
      : `Waiting for ${thousands(names.length)} of ${counted(all, 'node')} ${plane}.`;
  return { lead, rest: [ofTheSlowest(view.nodes, moving, nowMs), ofTheProxy(view, all)].filter(Boolean).join(' ') };
}

/** The detail of the node that has been moving longest, and how long the others took. */
function ofTheSlowest(nodes: readonly RunNode[], moving: readonly RunNode[], nowMs: number): string {
  const slowest = moving.toSorted((a, b) => (a.movingSince ?? a.since).localeCompare(b.movingSince ?? b.since))[0];
  if (!slowest) return '';
  const forSeconds = (nowMs - Date.parse(slowest.movingSince ?? slowest.since)) / 1000;
  const so = forSeconds >= 2 ? `, for ${duration(forSeconds)} now` : '';
  // A node's name keeps its first letter as it is.
  const slowestWords =
    moving.length === 1 ? `${capital(slowest.detail)}${so}` : `${slowest.name}: ${slowest.detail}${so}`;
  const took = nodes.flatMap(({ tookSeconds }) => tookSeconds ?? []).sort((a, b) => a - b);
  const [least, most] = [took[0], took.at(-1)];
  if (least === undefined || most === undefined) return `${slowestWords}.`;
  const others = least === most ? `took ${duration(least)}` : `took ${duration(least)} to ${duration(most)}`;
  return `${slowestWords}; the others ${others}.`;
}

/** Says whether Services keep working meanwhile: the reader's first question. */
function ofTheProxy(view: RunView, counted: number): string {
  const isAhead = view.operations.some(({ id, state }) => id.startsWith('proxy.disable') && state === 'ahead');
  if (!isAhead) return '';
  return counted === 1
    ? 'kube-proxy stays on until it is proven.'
    : `kube-proxy stays on until all ${thousands(counted)} are proven.`;
}

function between(view: RunView): Sentence {
  const isUndo = view.state.kind === 'running' && view.state.direction === 'undo';
  if (isUndo) return { lead: 'The run is being undone.', rest: '' };
  const next = view.operations.find(({ state }) => state === 'ahead' || state === 'begun');
  return next ? { lead: `Next: ${sentence(next.title)}`, rest: '' } : { lead: 'Recording the last step.', rest: '' };
}

function provenIn(nodes: readonly RunNode[]): string {
  const countedNodes = nodes.filter(({ state }) => state !== 'not-counted');
  if (countedNodes.length === 0) return '';
  const on = (plane: RunNode['dataplane']) =>
    countedNodes.filter(({ state, dataplane }) => state === 'proven' && dataplane === plane).length;
  const [bpf, standard] = [on('bpf'), on('standard')];
  const of = counted(countedNodes.length, 'node');
  const one = countedNodes.length === 1;
  const share = (proven: number) =>
    proven < countedNodes.length ? `${thousands(proven)} of ${of}` : one ? 'The node' : `All ${of}`;
  if (bpf > 0 && standard === 0) return `${share(bpf)} proved eBPF.`;
  if (standard > 0 && bpf === 0)
    return `${share(standard)} ${agreeing(standard, 'is', 'are')} proven on the standard data plane.`;
  return '';
}
