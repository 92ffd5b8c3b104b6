import type { CommandTable } from '../command.ts';

/** Every command, in the order of `signalbox --help`. A command's file is loaded only when it is used. */
export const commands: CommandTable = {
  console: {
    summary: 'open the console in the browser, on this machine',
    load: async () => (await import('./console.ts')).consoleCommand,
  },
  clusters: {
    summary: 'list the clusters in reach: contexts, in-cluster, sandboxes',
    load: async () => (await import('./clusters.ts')).clusters,
  },
  inspect: {
    summary: 'show the facts of a cluster, each with its evidence',
    load: async () => (await import('./inspect.ts')).inspect,
  },
  check: { summary: 'list what stands in the way of a goal', load: async () => (await import('./check.ts')).check },
  preflight: {
    summary: 'test every node, with pods that are removed again',
    load: async () => (await import('./preflight.ts')).preflight,
  },
  dump: {
    summary: 'save what is read of a cluster as files, for --from',
    load: async () => (await import('./dump.ts')).dump,
  },
  plan: { summary: 'show every change before it is made', load: async () => (await import('./plan.ts')).plan },
  apply: { summary: 'carry out a plan and follow it', load: async () => (await import('./apply.ts')).apply },
  runs: { summary: 'list the runs of a cluster', load: async () => (await import('./runs.ts')).runs },
  status: {
    summary: 'show the data plane, agents and proxy as they are now',
    load: async () => (await import('./status.ts')).status,
  },
  flows: {
    summary: 'show what the network allowed and denied, and by which policy',
    load: async () => (await import('./flows.ts')).flows,
  },
  pause: { summary: 'pause a run at the next safe place', load: async () => (await import('./pause.ts')).pause },
  resume: { summary: 'continue a run', load: async () => (await import('./resume.ts')).resume },
  stop: { summary: 'end a run where it is', load: async () => (await import('./stop.ts')).stop },
  undo: { summary: 'undo a run', load: async () => (await import('./undo.ts')).undo },
  report: { summary: 'show what a run did', load: async () => (await import('./report.ts')).report },
  rbac: { summary: 'print the Roles that a goal needs', load: async () => (await import('./rbac.ts')).rbac },
  sandbox: { summary: 'list, reset or serve sandboxes', load: async () => (await import('./sandbox.ts')).sandbox },
  spec: {
    summary: "show the product's tables: platforms, kernels, gates, features, releases",
    load: async () => (await import('./spec.ts')).spec,
  },
  release: {
    summary: 'list Calico releases, and read the files of one',
    load: async () => (await import('./release.ts')).release,
  },
  version: {
    summary: 'show the versions of this client, Calico and Kubernetes',
    load: async () => (await import('./version.ts')).version,
  },
  get: {
    summary: "list objects of Calico's API, even where its server does not answer",
    load: async () => (await import('./get.ts')).get,
  },
  patch: { summary: "change an object of Calico's API", load: async () => (await import('./patch.ts')).patch },
  label: { summary: "label objects of Calico's API", load: async () => (await import('./label.ts')).label },
  delete: { summary: "delete objects of Calico's API", load: async () => (await import('./delete.ts')).deleteCommand },
  operator: {
    summary: "run a stand-in for Calico's operator",
    load: async () => (await import('./operator.ts')).operator,
  },
  node: { summary: 'serve Services on this node by eBPF', load: async () => (await import('./node.ts')).nodeCommand },
  'flow-aggregator': {
    summary: "run an aggregator of flow logs in place of Calico's",
    load: async () => (await import('./flow-aggregator.ts')).flowAggregator,
  },
  schema: { summary: 'print the JSON Schema of a kind', load: async () => (await import('./schema.ts')).schema },
  completion: {
    summary: 'print a completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
};
