import type { CommandTable } from '../command.ts';

/** Every command, in the order of `signalbox --help`. A command's file is loaded only when it is asked for. */
export const commands: CommandTable = {
  console: {
    summary: 'the same in the browser, on this machine',
    load: async () => (await import('./console.ts')).consoleCommand,
  },
  clusters: {
    summary: 'what can be reached: contexts, in-cluster, sandboxes',
    load: async () => (await import('./clusters.ts')).clusters,
  },
  inspect: {
    summary: 'the facts of a cluster, each with its evidence',
    load: async () => (await import('./inspect.ts')).inspect,
  },
  check: { summary: 'what stands in the way of a goal', load: async () => (await import('./check.ts')).check },
  preflight: {
    summary: 'what only the nodes can tell, measured on each',
    load: async () => (await import('./preflight.ts')).preflight,
  },
  dump: {
    summary: 'all that is read of a cluster, as files for --from',
    load: async () => (await import('./dump.ts')).dump,
  },
  plan: { summary: 'every change, shown before it is made', load: async () => (await import('./plan.ts')).plan },
  apply: { summary: 'carry a plan out, and follow it', load: async () => (await import('./apply.ts')).apply },
  runs: { summary: 'the runs of a cluster', load: async () => (await import('./runs.ts')).runs },
  status: { summary: 'what the cluster says now', load: async () => (await import('./status.ts')).status },
  flows: {
    summary: 'what the network decided, and by which policy',
    load: async () => (await import('./flows.ts')).flows,
  },
  pause: { summary: 'ask a run to pause', load: async () => (await import('./pause.ts')).pause },
  resume: { summary: 'carry a run on', load: async () => (await import('./resume.ts')).resume },
  stop: { summary: 'end a run where it stands', load: async () => (await import('./stop.ts')).stop },
  undo: { summary: 'take a run back', load: async () => (await import('./undo.ts')).undo },
  report: { summary: 'what a run did', load: async () => (await import('./report.ts')).report },
  rbac: { summary: 'the permissions that a goal needs', load: async () => (await import('./rbac.ts')).rbac },
  sandbox: { summary: 'list or reset sandboxes', load: async () => (await import('./sandbox.ts')).sandbox },
  spec: {
    summary: "the product's tables: platforms, kernels, gates, features, releases",
    load: async () => (await import('./spec.ts')).spec,
  },
  release: { summary: 'Calico releases', load: async () => (await import('./release.ts')).release },
  version: { summary: 'client, cluster and release', load: async () => (await import('./version.ts')).version },
  get: {
    summary: "objects of Calico's API, also where it does not answer",
    load: async () => (await import('./get.ts')).get,
  },
  patch: { summary: "change an object of Calico's API", load: async () => (await import('./patch.ts')).patch },
  label: { summary: "label objects of Calico's API", load: async () => (await import('./label.ts')).label },
  delete: { summary: "delete objects of Calico's API", load: async () => (await import('./delete.ts')).deleteCommand },
  operator: { summary: 'run the operator', load: async () => (await import('./operator.ts')).operator },
  node: { summary: 'serve Services on this node by eBPF', load: async () => (await import('./node.ts')).nodeCommand },
  'flow-aggregator': {
    summary: "run an aggregator of flow logs in the place of Calico's",
    load: async () => (await import('./flow-aggregator.ts')).flowAggregator,
  },
  schema: { summary: 'JSON Schema of a kind', load: async () => (await import('./schema.ts')).schema },
  completion: {
    summary: 'completion for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
};
