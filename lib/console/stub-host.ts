import type { Failure } from './host.ts';
import type { HostOptions, HostParts } from './host-parts.ts';

const missing: Failure = { ok: false, code: 'host.missing', message: 'This part of the console is not there yet.' };
const nothing = async () => missing;
const noEvents = () => new ReadableStream<Uint8Array>();

/** Stands in until lib/console/host/ is there. */
export async function makeHost(_: HostOptions): Promise<HostParts> {
  return {
    host: {
      clusters: async () => [],
      reach: async () => ({
        kind: 'unreachable',
        code: missing.code,
        message: missing.message,
        at: new Date().toISOString(),
      }),
      resetSandbox: nothing,
      view: nothing,
      findings: nothing,
      drafts: async () => [],
      createDraft: nothing,
      draft: nothing,
      answer: nothing,
      discardDraft: nothing,
      assess: nothing,
      review: nothing,
      start: nothing,
      runs: nothing,
      run: nothing,
      undoSteps: nothing,
      ask: nothing,
      clusterEvents: noEvents,
      runEvents: noEvents,
    },
    recover: async () => {},
    close: async () => {},
  };
}
